import { expect, it } from 'vitest'
import { TaskThread, type TaskThreadOptions } from './task-thread.ts'

/** A thread that counts its tasks, and can be told to fail, to die, to wait for another task and to hang. */
const offered = {
  count: (n: number): number[] => [n],
  fail: (): void => {},
  die: (): void => {},
  hang: (): void => {},
  waitForOther: (): void => {},
}
const file = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { offerWork } from ${JSON.stringify(import.meta.resolve('./thread-work.ts'))}
    let tasks = 0
    let release
    offerWork({
      count: (n) => { release?.(); return [n, ++tasks] },
      fail: () => { throw new RangeError('no') },
      die: () => { setImmediate(() => { throw new Error('dead') }); return new Promise(() => {}) },
      hang: () => new Promise(() => {}),
      waitForOther: () => new Promise((resolve) => { release = resolve }),
    })`)}`,
)

const threadOf = (options: Partial<TaskThreadOptions> = {}): TaskThread<typeof offered> =>
  new TaskThread(file, { name: 'test', idleMs: 60_000, limitMs: 60_000, ...options })

it('keeps its thread from task to task', async () => {
  const thread = threadOf()
  expect([await thread.run('count', 7), await thread.run('count', 8)]).toEqual([
    [7, 1],
    [8, 2],
  ])
})

it('has several tasks at a time', async () => {
  const thread = threadOf()
  const waiting = thread.run('waitForOther')
  expect(await thread.run('count', 1)).toEqual([1, 1])
  await waiting
})

it('passes on the error of a task, and goes on', async () => {
  const thread = threadOf()
  await expect(thread.run('fail')).rejects.toThrow(RangeError)
  expect(await thread.run('count', 1)).toEqual([1, 1])
})

it('starts another thread when one has died, and rejects all that it had', async () => {
  const thread = threadOf()
  await thread.run('count', 1)
  const ends = await Promise.allSettled([thread.run('hang'), thread.run('die')])
  expect(ends.map((end) => end.status === 'rejected' && String(end.reason))).toEqual(
    Array(2).fill('Error: dead'),
  )
  expect(await thread.run('count', 1)).toEqual([1, 1])
})

it('ends a thread that is idle', async () => {
  const thread = threadOf({ idleMs: 1 })
  await thread.run('count', 1)
  await expect.poll(() => thread.run('count', 1)).toEqual([1, 1])
})

it('ends a task that takes too long: the client may try again', async () => {
  const thread = threadOf({ limitMs: 50 })
  await expect(thread.run('hang')).rejects.toMatchObject({ code: 'busy', status: 503 })
})

it('gives a task that a thread has died over to the next one, as often as it may', async () => {
  let started = 0
  const thread = threadOf({ tries: 2, onStart: () => void started++ })
  const ends = await Promise.allSettled([thread.run('die'), thread.run('count', 1)])
  expect(ends).toMatchObject([{ status: 'rejected', reason: { message: 'dead' } }, { status: 'fulfilled' }])
  expect(started).toBe(2)
})

it('keeps tasks waiting if it may only have some at a time', async () => {
  const thread = threadOf({ tasksAtOnce: 1, limitMs: 1_000 })
  const ends = await Promise.allSettled([thread.run('waitForOther'), thread.run('count', 1)])
  expect(ends).toMatchObject([{ status: 'rejected', reason: { code: 'busy' } }, { value: [1, 1] }])
})

it('rejects what is under way when it is closed, and what comes after', async () => {
  const thread = threadOf({ tasksAtOnce: 1, tries: 2 })
  const underWay = [thread.run('hang'), thread.run('hang')].map((task) =>
    expect(task).rejects.toThrow('test'),
  )
  await thread.close()
  await Promise.all(underWay)
  await expect(thread.run('count', 1)).rejects.toThrow('The thread "test" is closed')
})
