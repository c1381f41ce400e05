import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

const LONG = 60_000
const order: string[] = []
beforeEach(() => void order.splice(0))

/** Keeps the thread busy. */
const work = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}
const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}`)
describe('start', () => {
  const starting =
    (turns: Turns, ms = 0) =>
    (name: string) =>
      turns.start(() => {
        order.push(name)
        work(ms)
      })

  it('starts immediately while the turn has time', () => {
    names(40).forEach(starting(new Turns(LONG)))
    expect(order).toEqual(names(40))
  })

  it('leaves the rest to later turns, in order', async () => {
    const start = starting(new Turns(5), 3)
    names(9).forEach(start)
    const begunAtOnce = order.length
    expect(begunAtOnce).toBeLessThan(3)
    await nextTurn()
    expect(order.length).toBeGreaterThan(begunAtOnce)
    expect(order.length).toBeLessThan(9)
    start('last')
    await expect.poll(() => order).toEqual([...names(9), 'last'])
  })

  it('continues after one that throws', async () => {
    const turns = new Turns(5)
    const start = starting(turns, 6)
    const thrown = new Promise((resolve) => process.once('uncaughtException', resolve))
    start('first')
    turns.start(() => {
      throw new Error('broken')
    })
    start('last')
    expect(await thrown).toEqual(new Error('broken'))
    await expect.poll(() => order).toEqual(['first', 'last'])
  })

  it('starts nothing in a turn that accepted a connection', async () => {
    const turns = new Turns(LONG, { holdMs: LONG })
    const start = starting(turns)
    start('before')
    for (const turn of names(20)) {
      turns.noteConnection()
      start(turn)
      await nextTurn()
    }
    expect(order).toEqual(['before'])
    await nextTurn()
    expect(order).toEqual(['before', ...names(20)])
  })

  it('delays work only briefly, however many connections arrive, and again later', async () => {
    const turns = new Turns(LONG, { holdMs: 30 })
    const start = starting(turns)
    turns.noteConnection()
    start('held')
    while (order.length === 0) {
      await nextTurn()
      turns.noteConnection()
    }
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    turns.noteConnection()
    start('later')
    expect(order).toEqual(['held'])
    await expect.poll(() => order).toEqual(['held', 'later'])
  })
})
