import { beforeEach, describe, expect, it } from 'vitest'
import { nextTurn, ownTurn, TurnBudget, TurnQueue } from './loop-turns.ts'

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

describe('TurnQueue', () => {
  const order: string[] = []
  const task = (name: string, ms: number) => async (): Promise<void> => {
    // Statements of SQLite run some promises after they are asked for.
    for (let hops = 0; hops < 5; hops++) await Promise.resolve()
    work(ms)
    order.push(name)
  }
  const visit = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) {
      await nextTurn()
      order.push('visitor')
    }
  }

  beforeEach(() => void order.splice(0))

  it('runs short tasks that come together in one turn, one after another', async () => {
    const queue = new TurnQueue(60_000)
    await Promise.all([visit(1), ...['a', 'b', 'c', 'd', 'e'].map((name) => queue.run(task(name, 0)))])
    expect(order).toEqual(['a', 'b', 'c', 'd', 'e', 'visitor'])
  })

  it('lets visitors in between long ones', async () => {
    const queue = new TurnQueue(5)
    await Promise.all([visit(3), ...['a', 'b', 'c'].map((name) => queue.run(task(name, 6)))])
    expect(order).toEqual(['a', 'visitor', 'b', 'visitor', 'c', 'visitor'])
  })

  it('goes on in the next turn while a task waits for something else', async () => {
    const queue = new TurnQueue(60_000)
    let finish: (value: string) => void = () => undefined
    const slow = queue.run(() => new Promise<string>((resolve) => (finish = resolve)))
    await Promise.all([visit(1), queue.run(task('b', 0)), queue.run(task('c', 0))])
    expect(order.toSorted()).toEqual(['b', 'c', 'visitor'])
    finish('done')
    expect(await slow).toBe('done')
  })

  it('goes on after a task that fails, and says what failed', async () => {
    const queue = new TurnQueue(60_000)
    const failing = queue.run(() => Promise.reject(new Error('no such table')))
    const [failed] = await Promise.allSettled([failing, queue.run(task('b', 0))])
    expect(failed).toMatchObject({ reason: new Error('no such table') })
    expect(order).toEqual(['b'])
  })
})
