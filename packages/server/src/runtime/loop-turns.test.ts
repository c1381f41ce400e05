import { describe, expect, it } from 'vitest'
import { nextTurn, ownTurn, TurnBudget } from './loop-turns.ts'

/** Keeps the thread busy. */
const work = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('TurnBudget', () => {
  it('lets others run once the time of a turn is used up', async () => {
    const budget = new TurnBudget(5)
    const order: string[] = []
    budget.begin()
    expect(budget.rest()).toBeUndefined()
    setImmediate(() => order.push('other'))
    work(6)
    await budget.rest()
    order.push('work')
    expect(order).toEqual(['other', 'work'])
    expect(new TurnBudget(60_000).rest()).toBeUndefined()
  })
})

describe('ownTurn', () => {
  it('gives every caller a turn of its own, in the order they came', async () => {
    const turns: number[] = []
    let turn = 0
    const counting = { on: true }
    const count = (): void => {
      turn++
      if (counting.on) setImmediate(count)
    }
    setImmediate(count)
    await nextTurn()
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        await ownTurn()
        turns.push(turn)
      }),
    )
    counting.on = false
    expect(new Set(turns).size).toBe(5)
    expect(turns).toEqual(turns.toSorted((a, b) => a - b))
  })
})
