import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { actingFor } from '../net/admission/gate.ts'
import { type ThreadOptions, Threads } from './threads.ts'

/** The functions of a thread that counts its tasks, and can fail, die and hang on command. */
interface Offered {
  count(n: number): number[]
  fail(): void
  die(): void
  hang(): void
  block(): void
}

const source = `
  let tasks = 0
  export const count = (n) => [n, ++tasks]
  export const fail = () => { throw new RangeError('no') }
  export const die = () => { setImmediate(() => { throw new Error('dead') }); return new Promise(() => {}) }
  export const hang = () => new Promise(() => {})
  export const block = () => { for (;;); }
`

let folder = ''
let threads: Threads<Offered>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-threads-'))
  await writeFile(join(folder, 'work.mjs'), source)
  await writeFile(join(folder, 'broken.mjs'), 'throw new Error("cannot be loaded")')
})
afterEach(() => threads.close())
afterAll(() => rm(folder, { recursive: true }))

const open = (options: Partial<ThreadOptions> = {}, file = 'work.mjs'): Threads<Offered> =>
  (threads = new Threads(pathToFileURL(join(folder, file)), { idleMs: 60_000, limitMs: 60_000, ...options }))

it('reuses its thread for the next task', async () => {
  open()
  expect([await threads.run('count', 7), await threads.run('count', 8)]).toEqual([
    [7, 1],
    [8, 2],
  ])
})

it('runs one task at a time in a thread, and returns each its own result', async () => {
  open()
  const results = await Promise.all(Array.from({ length: 20 }, (_, n) => threads.run('count', n)))
  expect(results).toEqual(Array.from({ length: 20 }, (_, n) => [n, n + 1]))
})

it('runs the tasks of accounts in turn, however many each has', async () => {
  open()
  await threads.run('count', 0)
  const finished: string[] = []
  const start = (account: string) =>
    actingFor({ account }, () => threads.run('count', 0)).then(() => finished.push(account))
  const many = Array.from({ length: 10 }, () => start('many'))
  await Promise.all([...many, start('single'), start('other')])
  expect(finished.slice(0, 4)).toEqual(['many', 'many', 'single', 'other'])
})

it('uses up to the maximum number of threads', async () => {
  open({ threads: 2 })
  const hanging = expect(threads.run('hang', undefined)).rejects.toThrow()
  expect(await threads.run('count', 1)).toEqual([1, 1])
  await threads.close()
  await hanging
})

it('passes on the error of a task, and continues', async () => {
  open()
  await expect(threads.run('fail', undefined)).rejects.toThrow(RangeError)
  expect(await threads.run('count', 1)).toEqual([1, 1])
})

it('replaces a thread that has died, also for waiting tasks', async () => {
  open()
  await threads.run('count', 1)
  const died = expect(threads.run('die', undefined)).rejects.toThrow('dead')
  expect(await threads.run('count', 1)).toEqual([1, 1])
  await died
})

it('stops an idle thread', async () => {
  open({ idleMs: 1 })
  await threads.run('count', 1)
  await expect.poll(() => threads.run('count', 1)).toEqual([1, 1])
})

it.each(['hang', 'block'] as const)(
  'stops the thread of a task that takes too long (%s): the client may try again',
  async (task) => {
    open({ limitMs: 1_000 })
    const late = expect(threads.run(task, undefined)).rejects.toMatchObject({ code: 'busy', status: 503 })
    await late
    // A busy machine may need longer than the limit to start the next thread.
    await expect.poll(() => threads.run('count', 1).catch(() => undefined)).toEqual([1, 1])
  },
)

it('rejects a task whose thread cannot load its file, with the reason', async () => {
  open({}, 'broken.mjs')
  await expect(threads.run('count', 1)).rejects.toThrow('cannot be loaded')
})

it('rejects running, waiting and later tasks when it is closed', async () => {
  open()
  const tasks = [threads.run('hang', undefined), threads.run('hang', undefined)]
  const rejected = tasks.map((task) => expect(task).rejects.toThrow())
  await threads.close()
  await Promise.all(rejected)
  await expect(threads.run('count', 1)).rejects.toThrow('closed')
})
