import { expect, it } from 'vitest'
import { TaskThread } from './task-thread.ts'

/** A thread that says how many tasks it has had, dies over a negative one, and never ends zero. */
const file = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    let tasks = 0
    parentPort.on('message', (n) => {
      if (n < 0) throw new Error('no')
      if (n > 0) parentPort.postMessage([n, ++tasks])
    })`)}`,
)

it('keeps its thread from task to task', async () => {
  const thread = new TaskThread<number, number[]>(file, { name: 'test', idleMs: 60_000, limitMs: 60_000 })
  expect([await thread.run(7), await thread.run(8)]).toEqual([
    [7, 1],
    [8, 2],
  ])
})

it('starts another one when the thread has died', async () => {
  const thread = new TaskThread<number, number[]>(file, { name: 'test', idleMs: 60_000, limitMs: 60_000 })
  await thread.run(1)
  await expect(thread.run(-1)).rejects.toThrow('no')
  expect(await thread.run(1)).toEqual([1, 1])
})

it('ends a thread that is idle', async () => {
  const thread = new TaskThread<number, number[]>(file, { name: 'test', idleMs: 1, limitMs: 60_000 })
  await thread.run(1)
  await expect.poll(() => thread.run(1)).toEqual([1, 1])
})

it('ends a task that takes too long', async () => {
  const thread = new TaskThread<number, number[]>(file, { name: 'slow', idleMs: 60_000, limitMs: 50 })
  await expect(thread.run(0)).rejects.toThrow('The thread "slow" ended during its task')
})
