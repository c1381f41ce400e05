import { array, assert, asyncProperty, boolean, constantFrom, integer, nat, oneof, record } from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Gate, type GateRules, type JobOptions, type Requester } from './gate.ts'

const RULES: GateRules = { capacity: 2, share: 1, queue: 8, waitMs: 1_000 }

/** Jobs that run until they are ended, with the order in which they began. */
class Jobs {
  readonly began: string[] = []
  readonly refused: string[] = []
  readonly #ends = new Map<string, () => void>()
  readonly #gate: Gate

  constructor(gate: Gate) {
    this.#gate = gate
  }

  add(name: string, requester: Requester, options?: JobOptions): void {
    const work = (): Promise<void> => {
      this.began.push(name)
      return new Promise((resolve) => this.#ends.set(name, resolve))
    }
    this.#gate.run(requester, work, options).catch((error: { status: number }) => {
      expect(error).toMatchObject({ code: 'busy', status: 503, headers: { 'retry-after': '5' } })
      this.refused.push(name)
    })
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.()
    await settle()
  }

  /** Ends running jobs, the longest running first, until none is left. */
  async endAll(): Promise<void> {
    for (let at = 0; at < this.began.length; at++) await this.end(this.began[at] ?? '')
  }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

const from = (address: string, account?: string): Requester => ({ address, account })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('Gate', () => {
  it('starts no more than its capacity, and the rest when there is room', async () => {
    const gate = new Gate(RULES)
    const jobs = new Jobs(gate)
    for (const name of ['a', 'b', 'c', 'd']) jobs.add(name, from(name))
    expect(jobs.began).toEqual(['a', 'b'])
    expect(gate.counts).toEqual({ running: 2, waiting: 2, rejected: 0 })
    await jobs.end('b')
    expect(jobs.began).toEqual(['a', 'b', 'c'])
    await jobs.endAll()
    expect(jobs.began).toEqual(['a', 'b', 'c', 'd'])
    expect(gate.counts).toEqual({ running: 0, waiting: 0, rejected: 0 })
  })

  it('keeps capacity free for others when one requester has used its share', async () => {
    const jobs = new Jobs(new Gate(RULES))
    for (const name of ['a1', 'a2', 'a3']) jobs.add(name, from('a'))
    expect(jobs.began).toEqual(['a1'])
    jobs.add('b1', from('b'))
    await settle()
    expect(jobs.began).toEqual(['a1', 'b1'])
    await jobs.endAll()
    expect(jobs.began).toEqual(['a1', 'b1', 'a2', 'a3'])
  })

  it('gives each account of an address its own share', async () => {
    const jobs = new Jobs(new Gate(RULES))
    jobs.add('one', from('a', 'one'))
    jobs.add('one again', from('a', 'one'))
    jobs.add('two', from('a', 'two'))
    await settle()
    expect(jobs.began).toEqual(['one', 'two'])
  })

  it('gives all accounts of an address a common share, if addresses have one', async () => {
    const jobs = new Jobs(new Gate({ ...RULES, capacity: 8, share: 1, addressShare: 2 }))
    for (const account of ['one', 'two', 'three']) jobs.add(account, from('a', account))
    jobs.add('elsewhere', from('b', 'four'))
    await settle()
    expect(jobs.began).toEqual(['one', 'two', 'elsewhere'])
    await jobs.end('one')
    expect(jobs.began).toEqual(['one', 'two', 'elsewhere', 'three'])
  })

  it('takes turns between addresses, then between accounts, then by arrival', async () => {
    const jobs = new Jobs(new Gate({ ...RULES, capacity: 1, queue: 32 }))
    jobs.add('first', from('x'))
    for (const name of ['a1', 'a2', 'a3']) jobs.add(`crowd ${name}`, from('crowd', 'a'))
    for (const name of ['b1', 'b2']) jobs.add(`crowd ${name}`, from('crowd', 'b'))
    for (const name of ['1', '2']) jobs.add(`alone ${name}`, from('alone', 'c'))
    await jobs.endAll()
    expect(jobs.began).toEqual([
      'first',
      'crowd a1',
      'alone 1',
      'crowd b1',
      'alone 2',
      'crowd a2',
      'crowd b2',
      'crowd a3',
    ])
  })

  it('lets a job wait for one job of another account, however many that account has', async () => {
    const jobs = new Jobs(new Gate({ ...RULES, capacity: 1, queue: 400 }))
    for (let n = 1; n <= 50; n++) jobs.add(`many ${n}`, from('a', 'many'))
    for (let n = 1; n <= 3; n++) await jobs.end(`many ${n}`)
    jobs.add('single', from('b', 'single'))
    await jobs.end('many 4')
    await jobs.end('many 5')
    expect(jobs.began.slice(4)).toEqual(['many 5', 'single'])
  })

  it('gives no more turns to an account with many addresses', async () => {
    const jobs = new Jobs(new Gate({ ...RULES, capacity: 1, queue: 400 }))
    for (let n = 1; n <= 50; n++) jobs.add(`many ${n}`, from(`address ${n}`, 'many'))
    for (const n of [1, 2]) jobs.add(`single ${n}`, from('b', 'single'))
    await jobs.endAll()
    expect(jobs.began.slice(0, 5)).toEqual(['many 1', 'many 2', 'single 1', 'many 3', 'single 2'])
  })

  it('gives those who wait their turn while others come again and again', async () => {
    const jobs = new Jobs(new Gate({ ...RULES, capacity: 1, queue: 400 }))
    jobs.add('returning 0', from('a', 'returning'))
    for (let n = 1; n <= 3; n++) jobs.add(`waiting ${n}`, from('b', 'waiting'))
    for (let n = 1; n <= 3; n++) {
      jobs.add(`returning ${n}`, from('a', 'returning'))
      await jobs.end(jobs.began.at(-1) ?? '')
      await jobs.end(jobs.began.at(-1) ?? '')
    }
    expect(jobs.began.filter((name) => name.startsWith('waiting'))).toHaveLength(3)
  })

  it('lets 16 small jobs pass a large one that does not fit, and then starts it first', async () => {
    const jobs = new Jobs(new Gate({ ...RULES, capacity: 4, share: 4, queue: 400 }))
    for (const name of ['a', 'b']) jobs.add(name, from(name))
    jobs.add('large', from('c'), { units: 4 })
    for (let n = 0; n < 40; n++) jobs.add(`small ${n}`, from(`small ${n}`))
    await jobs.endAll()
    expect([jobs.began.indexOf('large'), jobs.began.length]).toEqual([2 + 16, 43])
  })

  it('keeps reserved units for quick work, which long work cannot use up', async () => {
    const jobs = new Jobs(new Gate({ ...RULES, capacity: 3, share: 3, reserved: 1 }))
    for (const name of ['long 1', 'long 2', 'long 3']) jobs.add(name, from(name))
    expect(jobs.began).toEqual(['long 1', 'long 2'])
    for (const name of ['quick 1', 'quick 2']) jobs.add(name, from(name), { isQuick: true })
    await settle()
    expect(jobs.began).toEqual(['long 1', 'long 2', 'quick 1'])
    await jobs.end('long 1')
    expect(jobs.began.slice(3)).toEqual(['long 3'])
    await jobs.endAll()
    expect(jobs.began.slice(4)).toEqual(['quick 2'])
  })

  it('gives the place of a client that has disconnected to another job', async () => {
    const gate = new Gate({ ...RULES, capacity: 1, queue: 4 })
    const jobs = new Jobs(gate)
    let isGone = false
    jobs.add('running', from('a'))
    for (const n of [1, 2]) jobs.add(`gone ${n}`, { ...from('b'), isGone: () => isGone })
    jobs.add('rejected', from('b'))
    isGone = true
    jobs.add('waiting', from('b'))
    await settle()
    expect([jobs.refused, gate.counts.waiting]).toEqual([['rejected', 'gone 1', 'gone 2'], 1])
    await jobs.endAll()
    expect(jobs.began).toEqual(['running', 'waiting'])
  })

  it('rejects jobs that do not fit into the queue: half of it for an address, a quarter for an account', () => {
    const jobs = new Jobs(new Gate({ ...RULES, capacity: 1 }))
    jobs.add('running', from('x'))
    for (let n = 0; n < 3; n++) jobs.add(`one ${n}`, from('a', 'one'))
    for (let n = 0; n < 3; n++) jobs.add(`two ${n}`, from('a', 'two'))
    jobs.add('three', from('a', 'three'))
    for (let n = 0; n < 5; n++) jobs.add(`b ${n}`, from('b'))
    jobs.add('late', from('c'))
    vi.advanceTimersByTime(0)
    return settle().then(() => {
      expect(jobs.refused).toEqual(['one 2', 'two 2', 'three', 'b 4', 'late'])
    })
  })

  it('rejects a job that has waited too long, and frees its place', async () => {
    const gate = new Gate({ ...RULES, capacity: 1 })
    const jobs = new Jobs(gate)
    jobs.add('running', from('a'))
    jobs.add('waiting', from('b'))
    await vi.advanceTimersByTimeAsync(RULES.waitMs)
    expect(jobs.refused).toEqual(['waiting'])
    expect(gate.counts).toEqual({ running: 1, waiting: 0, rejected: 1 })
    await jobs.endAll()
    jobs.add('later', from('b'))
    expect(jobs.began).toEqual(['running', 'later'])
  })

  it('does not reject a job that has started', async () => {
    const jobs = new Jobs(new Gate({ ...RULES, capacity: 1 }))
    jobs.add('first', from('a'))
    jobs.add('second', from('b'))
    await jobs.end('first')
    await vi.advanceTimersByTimeAsync(10 * RULES.waitMs)
    expect([jobs.began, jobs.refused]).toEqual([['first', 'second'], []])
  })

  it('lets small jobs overtake large ones that do not fit, and runs oversized jobs within their share', async () => {
    const jobs = new Jobs(new Gate({ ...RULES, capacity: 50, share: 40 }))
    jobs.add('large', from('a'), { units: 40 })
    jobs.add('oversized', from('b'), { units: 900 })
    jobs.add('small', from('c'), { units: 10 })
    await settle()
    expect(jobs.began).toEqual(['large', 'small'])
    await jobs.end('large')
    expect(jobs.began).toEqual(['large', 'small', 'oversized'])
  })

  it('does not start work whose client has disconnected', async () => {
    const gate = new Gate({ ...RULES, capacity: 1 })
    const jobs = new Jobs(gate)
    let isGone = false
    jobs.add('first', from('a'))
    jobs.add('second', { address: 'b', isGone: () => isGone })
    isGone = true
    await jobs.end('first')
    expect([jobs.began, jobs.refused]).toEqual([['first'], ['second']])
    expect(gate.counts).toMatchObject({ running: 0, waiting: 0 })
  })

  it('leaves after failures as well', async () => {
    const gate = new Gate(RULES)
    await expect(gate.run({}, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(gate.counts.running).toBe(0)
  })

  it('tryEnter admits immediately or not at all', () => {
    const gate = new Gate(RULES)
    const leave = gate.tryEnter(from('a'))
    expect(gate.tryEnter(from('a'))).toBeUndefined()
    expect(gate.tryEnter(from('b'))).toBeTypeOf('function')
    expect(gate.tryEnter(from('c'))).toBeUndefined()
    leave?.()
    expect(gate.tryEnter(from('a'))).toBeTypeOf('function')
    expect(gate.counts.rejected).toBe(0)
  })
})

describe('Gate, for any order of jobs', () => {
  const job = record({
    address: constantFrom(undefined, 'a', 'b', 'c'),
    account: constantFrom(undefined, 'one', 'two'),
    units: integer({ min: 1, max: 6 }),
    isQuick: boolean(),
  })
  const step = oneof(
    job.map((added) => ({ added })),
    nat({ max: 20 }).map((ended) => ({ ended })),
  )

  it('never exceeds capacity, and leaves nothing behind', () =>
    assert(
      asyncProperty(array(step, { maxLength: 60 }), async (steps) => {
        const rules = { capacity: 5, share: 3, reserved: 1, queue: 6, waitMs: 1_000 }
        const gate = new Gate(rules)
        const running: { units: number; end: () => void }[] = []
        const all: Promise<unknown>[] = []
        for (const each of steps) {
          if ('added' in each) {
            const { units, isQuick, ...requester } = each.added
            const work = (): Promise<void> =>
              new Promise((end) => running.push({ units: Math.min(units, rules.share), end }))
            all.push(gate.run(requester, work, { units, isQuick }).catch(() => {}))
          } else running.splice(each.ended % Math.max(1, running.length), 1)[0]?.end()
          await settle()
          expect(running.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(rules.capacity)
          expect(gate.counts.running).toBe(running.length)
          expect(gate.counts.waiting).toBeLessThanOrEqual(rules.queue)
        }
        while (running.length > 0) {
          running.shift()?.end()
          await settle()
        }
        await Promise.all(all)
        expect(gate.counts).toMatchObject({ running: 0, waiting: 0 })
      }),
      { numRuns: 200 },
    ))
  it('starts no two jobs of another account while the next job of an account waits', () =>
    assert(
      asyncProperty(array(constantFrom('a', 'b', 'c', 'end'), { maxLength: 80 }), async (steps) => {
        const jobs = new Jobs(new Gate({ ...RULES, capacity: 1, queue: 1_000 }))
        const waiting: Record<string, string[]> = { a: [], b: [], c: [] }
        /** How many jobs had begun when a job became the next one of its account. */
        const nextSince = new Map<string, number>()
        let seen = 0
        const checkBegun = (): void => {
          for (; seen < jobs.began.length; seen++) {
            const [account = ''] = jobs.began[seen] ?? ''
            const mine = waiting[account] ?? []
            const passed = jobs.began.slice(nextSince.get(mine.shift() ?? ''), seen).map(([other]) => other)
            expect(passed).toEqual([...new Set(passed)])
            if (mine[0] !== undefined) nextSince.set(mine[0], seen + 1)
          }
        }
        for (const [at, step] of steps.entries()) {
          if (step === 'end') await jobs.end(jobs.began.at(-1) ?? '')
          else {
            const name = `${step}${at}`
            if (waiting[step]?.push(name) === 1) nextSince.set(name, jobs.began.length)
            jobs.add(name, from(step, step))
          }
          checkBegun()
        }
        await jobs.endAll()
        checkBegun()
      }),
      { numRuns: 300 },
    ))
})
