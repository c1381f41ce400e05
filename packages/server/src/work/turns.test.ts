import { AsyncLocalStorage } from 'node:async_hooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { nextTurn, Turns } from './turns.ts'

const LONG = 60_000
const order: string[] = []
beforeEach(() => void order.splice(0))

/** Keeps the thread busy. */
const work = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}
const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}`)
const visit = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) {
    await nextTurn()
    order.push('visitor')
  }
}

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

describe('run', () => {
  it('runs each task in the asynchronous context of its caller, also one that waited', async () => {
    const callers = new AsyncLocalStorage<string>()
    const turns = new Turns(LONG)
    const seen = names(6).map((name) =>
      callers.run(name, () =>
        turns.run(async () => {
          const before = callers.getStore()
          await Promise.resolve()
          return [before, callers.getStore()]
        }),
      ),
    )
    expect(await Promise.all(seen)).toEqual(names(6).map((name) => [name, name]))
  })

  const task = (name: string, ms: number) => async (): Promise<void> => {
    // SQLite statements run some promises after they are requested.
    for (let hops = 0; hops < 5; hops++) await Promise.resolve()
    work(ms)
    order.push(name)
  }

  it('runs short concurrent tasks in one turn, one after another', async () => {
    const turns = new Turns(LONG)
    await Promise.all([visit(1), ...names(5).map((name) => turns.run(task(name, 0)))])
    expect(order).toEqual([...names(5), 'visitor'])
  })

  it('serves visitors between long tasks', async () => {
    const turns = new Turns(5)
    await Promise.all([visit(3), ...names(3).map((name) => turns.run(task(name, 6)))])
    expect(order).toEqual(['0', 'visitor', '1', 'visitor', '2', 'visitor'])
  })

  it('continues in the next turn while a task waits for something else', async () => {
    const turns = new Turns(LONG)
    const { promise, resolve } = Promise.withResolvers<string>()
    const slow = turns.run(() => promise)
    await Promise.all([visit(1), turns.run(task('b', 0)), turns.run(task('c', 0))])
    expect(order.toSorted()).toEqual(['b', 'c', 'visitor'])
    resolve('done')
    expect(await slow).toBe('done')
  })

  it('continues after a failing task, and passes the error on', async () => {
    const turns = new Turns(LONG)
    const failing = turns.run(() => Promise.reject(new Error('no such table')))
    const [failed] = await Promise.allSettled([failing, turns.run(task('b', 0))])
    expect(failed).toMatchObject({ reason: new Error('no such table') })
    expect(order).toEqual(['b'])
  })
})

describe('rest', () => {
  const steps = async (turns: Turns, name: string, count: number, ms: number): Promise<void> => {
    for (let step = 0; step < count; step++) {
      const rest = turns.rest()
      if (rest !== undefined) await rest
      work(ms)
      order.push(name)
    }
  }

  it('takes no turn while there is time', () => {
    expect(new Turns(LONG).rest()).toBeUndefined()
  })

  it('serves visitors between steps when the time of a turn is used up', async () => {
    await Promise.all([visit(2), steps(new Turns(5), 'step', 3, 6)])
    expect(order).toEqual(['step', 'visitor', 'step', 'visitor', 'step'])
  })

  it('leaves the configured number of turns to visitors', async () => {
    await Promise.all([visit(6), steps(new Turns(5, { restTurns: 3 }), 'step', 3, 6)])
    expect(order.join(' ')).toBe('step visitor visitor visitor step visitor visitor visitor step')
  })

  it('alternates between several pieces of work', async () => {
    const turns = new Turns(5)
    await Promise.all([visit(5), ...['a', 'b'].map((name) => steps(turns, name, 3, 6))])
    expect(order.join(' ')).toBe('a visitor a visitor b visitor a visitor b visitor b')
  })
})
