import { describe, expect, test } from 'vitest'
import type { Target } from './decide.ts'
import { testTools } from './target.testing.ts'
import { batchedLookup, LookupOverloadedError } from './batched-lookup.ts'
import type { Lookup, TargetFound } from './lookup.ts'
import { TargetFinder } from './target-finder.ts'

const target = (url: string): Target => ({
  linkId: 'a',
  url,
  status: 302,
  expiresAtMs: null,
  removed: false,
  extras: null,
})

/** A database that responds on command. */
function slowLookup() {
  const asked: { shortCode: string; done: TargetFound }[] = []
  const lookup: Lookup = { find: (_domain, shortCode, done) => asked.push({ shortCode, done }) }
  return { asked, lookup }
}

describe('TargetFinder', () => {
  test('queries a code once for any number of callers', async () => {
    const { asked, lookup } = slowLookup()
    const finder = new TargetFinder(lookup)
    const answers = Promise.all([finder.find('', 'a'), finder.find('', 'a'), finder.find('', 'b')])
    expect(asked.map(({ shortCode }) => shortCode)).toEqual(['a', 'b'])
    for (const { shortCode, done } of asked) done(null, target(`https://example.com/${shortCode}`))
    expect((await answers).map((found) => found?.url)).toEqual([
      'https://example.com/a',
      'https://example.com/a',
      'https://example.com/b',
    ])
    expect(finder.known('', 'a')?.url).toBe('https://example.com/a')
  })

  test('does not cache a link that changed while it was being read', async () => {
    const { asked, lookup } = slowLookup()
    const finder = new TargetFinder(lookup)
    const early = finder.find('', 'a')
    finder.forget('', 'a')
    const late = finder.find('', 'a')
    expect(asked).toHaveLength(2)
    asked[0]?.done(null, target('https://old.example/'))
    expect((await early)?.url).toBe('https://old.example/')
    expect(finder.known('', 'a')).toBeUndefined()
    asked[1]?.done(null, target('https://new.example/'))
    expect((await late)?.url).toBe('https://new.example/')
    expect(finder.known('', 'a')?.url).toBe('https://new.example/')
  })

  test('does not cache it either when everything is forgotten', async () => {
    const { asked, lookup } = slowLookup()
    const finder = new TargetFinder(lookup)
    const early = finder.find('', 'a')
    finder.forgetAll()
    asked[0]?.done(null, target('https://old.example/'))
    await early
    expect(finder.known('', 'a')).toBeUndefined()
  })

  test('passes an error to all waiting callers, and does not cache it', async () => {
    const { asked, lookup } = slowLookup()
    const finder = new TargetFinder(lookup)
    const both = Promise.allSettled([finder.find('', 'a'), finder.find('', 'a')])
    asked[0]?.done(new Error('away'), null)
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(finder.known('', 'a')).toBeUndefined()
    expect(finder.counts.faults).toBe(1)
  })
})

describe('TargetFinder without a database', () => {
  const limits = { maxEntries: 10, maxBytes: 10_000, ttlMs: 1_000 }
  const make = (timeoutMs: number) => {
    let nowMs = 0
    const { asked, lookup } = slowLookup()
    const options = { found: limits, missing: limits, clock: () => nowMs, timeoutMs }
    const finder = new TargetFinder(lookup, options)
    return { asked, finder, at: (ms: number) => (nowMs = ms) }
  }
  const warm = async ({ asked, finder }: ReturnType<typeof make>): Promise<void> => {
    const found = finder.find('', 'a')
    asked.shift()?.done(null, target('https://example.com/a'))
    await found
  }

  test('serves an expired target while the database is down, and queries again', async () => {
    const made = make(60_000)
    await warm(made)
    made.at(5_000)
    const found = made.finder.find('', 'a')
    made.asked.shift()?.done(new Error('away'), null)
    expect((await found)?.url).toBe('https://example.com/a')
    const again = made.finder.find('', 'a')
    made.asked.shift()?.done(null, target('https://new.example/'))
    expect((await again)?.url).toBe('https://new.example/')
    expect(made.finder.counts).toMatchObject({ faults: 1, stale: 1 })
  })

  test('does not wait long for a database that does not respond', async () => {
    const made = make(1)
    await warm(made)
    made.at(5_000)
    expect((await made.finder.find('', 'a'))?.url).toBe('https://example.com/a')
    expect((await made.finder.find('', 'a'))?.url).toBe('https://example.com/a')
    expect(made.asked).toHaveLength(1)
    made.asked.shift()?.done(null, target('https://new.example/'))
    expect(made.finder.known('', 'a')?.url).toBe('https://new.example/')
  })

  test('never serves a changed target from the cache', async () => {
    const made = make(60_000)
    await warm(made)
    made.at(5_000)
    made.finder.forget('', 'a')
    const found = made.finder.find('', 'a')
    made.asked.shift()?.done(new Error('away'), null)
    await expect(found).rejects.toThrow('away')
  })

  test('reads possibly changed targets again, and serves cached ones while the database is down', async () => {
    const made = make(60_000)
    await warm(made)
    made.finder.expireAll()
    expect(made.finder.known('', 'a')).toBeUndefined()
    const found = made.finder.find('', 'a')
    // Expire again while it is being read: the result is not cached, but on an error the old value is still served.
    made.finder.expireAll()
    made.asked.shift()?.done(new Error('away'), null)
    expect((await found)?.url).toBe('https://example.com/a')
    const again = made.finder.find('', 'a')
    made.asked.shift()?.done(null, target('https://new.example/'))
    expect((await again)?.url).toBe('https://new.example/')
    expect(made.finder.known('', 'a')?.url).toBe('https://new.example/')
  })

  test('an unknown code is cached only for a while', async () => {
    const made = make(60_000)
    const nowhere = made.finder.find('', 'b')
    made.asked.shift()?.done(null, null)
    expect(await nowhere).toBeNull()
    made.at(5_000)
    const found = made.finder.find('', 'b')
    made.asked.shift()?.done(new Error('away'), null)
    await expect(found).rejects.toThrow('away')
  })
})

describe('batchedLookup', () => {
  test('sends one statement per turn, and limits concurrent ones', async () => {
    const statements: { shortCodes: string[]; answer: () => void }[] = []
    const query = (_text: string, values: readonly unknown[]) =>
      new Promise<unknown[][]>((resolve) => {
        const shortCodes = values[1] as string[]
        const rows = shortCodes.map((shortCode, i) => [
          i + 1,
          false,
          `id-${shortCode}`,
          `https://example.com/${shortCode}`,
          302,
          ...Array<null>(7).fill(null),
          0,
          null,
          null,
          'user',
          null,
        ])
        // Not in the order of the query: databases guarantee none.
        statements.push({ shortCodes, answer: () => resolve(rows.reverse()) })
      })
    const lookup = batchedLookup(query, () => 'hash', testTools, {
      maxBatch: 3,
      maxStatements: 2,
      maxWaiting: 100,
    })
    const found: string[] = []
    for (const shortCode of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      lookup.find('', shortCode, (_error, target) => found.push(`${shortCode}=${target?.url}`))
    }
    expect(statements).toHaveLength(0)
    await turns(3)
    expect(statements.map(({ shortCodes }) => shortCodes)).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ])
    statements[1]?.answer()
    await turns(3)
    expect(statements[2]?.shortCodes).toEqual(['g'])
    statements[0]?.answer()
    statements[2]?.answer()
    await turns(3)
    expect(found.sort()).toEqual(
      'abcdefg'.split('').map((shortCode) => `${shortCode}=https://example.com/${shortCode}`),
    )
  })

  test('rejects look-ups when too many are waiting', async () => {
    const lookup = batchedLookup(
      () => new Promise(() => {}),
      () => 'hash',
      testTools,
      {
        maxBatch: 1,
        maxStatements: 1,
        maxWaiting: 2,
      },
    )
    const errors: unknown[] = []
    for (const shortCode of ['a', 'b', 'c']) lookup.find('', shortCode, (error) => errors.push(error))
    await turns(2)
    expect(errors).toEqual([expect.any(LookupOverloadedError)])
  })

  test('a failed statement fails all waiting look-ups, and the next statement is sent', async () => {
    let calls = 0
    const query = () => (++calls === 1 ? Promise.reject(new Error('away')) : Promise.resolve([]))
    const lookup = batchedLookup(query, () => 'hash', testTools, {
      maxBatch: 2,
      maxStatements: 1,
      maxWaiting: 10,
    })
    const answers: unknown[] = []
    for (const shortCode of ['a', 'b', 'c'])
      lookup.find('', shortCode, (error, found) => answers.push(error ?? found))
    await turns(3)
    expect(answers).toEqual([new Error('away'), new Error('away'), new Error('away')])
    lookup.find('', 'd', (error, found) => answers.push(error ?? found))
    await turns(3)
    expect([calls, answers.at(-1)]).toEqual([2, null])
  })
})

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}
