import { expect, it } from 'vitest'
import { Subscribers } from './outbox.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

it('knows existing subscribers, new ones, and those added while it reads', async () => {
  let version = 1
  let rows = ['a']
  const read: string[] = []
  const subscribers = new Subscribers({
    version: () => Promise.resolve(version),
    subscribers: async () => {
      const found = [...rows]
      read.push(found.join())
      await pause(20)
      return found
    },
  })
  await subscribers.refresh()
  expect(['a', 'b'].map((user) => subscribers.has(user))).toEqual([true, false])
  await subscribers.refresh()
  expect(read).toEqual(['a'])

  version = 2
  const reading = subscribers.refresh()
  await pause(5)
  subscribers.add('b')
  await reading
  expect(['a', 'b'].map((user) => subscribers.has(user))).toEqual([true, true])

  rows = []
  version = 3
  await subscribers.refresh()
  expect([subscribers.has('a'), subscribers.any]).toEqual([false, false])
})
