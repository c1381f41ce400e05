import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, test } from 'vitest'
import { actingFor, currentRequester, type GateRules } from './gate.ts'
import { admission, createAdmission, laneRules, openDownload } from './lanes.ts'

const MEGAPIXEL = 1_000_000
const guide = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8')

const amount = (units: number): string =>
  units < MEGAPIXEL ? String(units) : `${units / MEGAPIXEL} megapixels`

const cellsOf = ({ capacity, share, queue, waitMs }: GateRules): string[] => [
  amount(capacity),
  amount(share),
  ...(queue === 0 ? [] : [`${queue}, for ${waitMs / 1000} s`]),
]

test('the table in the operations guide has every lane', () => {
  const rows = guide
    .split('\n')
    .flatMap((line) => /^\| `(\w+)` \| .+? \| (.+) \|$/.exec(line)?.slice(1, 3) ?? [])
  const table = Object.fromEntries(
    rows.flatMap((kind, at) => (at % 2 === 0 ? [[kind, rows[at + 1]?.split(' | ')]] : [])),
  )
  for (const [kind, rules] of Object.entries(laneRules)) {
    const expected = cellsOf(rules)
    expect([kind, ...(table[kind]?.slice(0, expected.length) ?? [])]).toEqual([kind, ...expected])
  }
})

const rules = { capacity: 2, share: 1, queue: 4, waitMs: 1_000 }

describe('createAdmission', () => {
  it('keeps lanes separate, and counts them', async () => {
    const admission = createAdmission({ drawing: { ...rules, capacity: 1 }, hashing: rules })
    const { promise, resolve } = Promise.withResolvers<string>()
    const drawing = admission.run('drawing', () => promise)
    expect(admission.tryEnter('drawing')).toBeUndefined()
    expect(await admission.run('hashing', () => Promise.resolve('hashed'))).toBe('hashed')
    expect(admission.counts()).toEqual({
      drawing: { running: 1, waiting: 0, rejected: 0 },
      hashing: { running: 0, waiting: 0, rejected: 0 },
    })
    resolve('drawn')
    expect(await drawing).toBe('drawn')
  })

  it('counts work against the requester, unless another one is given', async () => {
    const admission = createAdmission({ hashing: rules })
    await actingFor({ address: 'a' }, async () => {
      await Promise.resolve()
      expect(currentRequester()).toEqual({ address: 'a' })
      expect(admission.tryEnter('hashing')).toBeTypeOf('function')
      expect(admission.tryEnter('hashing')).toBeUndefined()
      expect(admission.tryEnter('hashing', { requester: { address: 'b' } })).toBeTypeOf('function')
    })
    expect(currentRequester()).toEqual({})
  })
})

describe('a download', () => {
  const source = () => {
    const seen = { pieces: 0, ended: 0 }
    const pieces = (async function* () {
      try {
        for (;;) {
          seen.pieces++
          yield Buffer.alloc(16 * 1024)
        }
      } finally {
        seen.ended++
      }
    })()
    return { seen, pieces }
  }

  test('pauses while its client does not read, and ends its source when it is closed', async () => {
    const { seen, pieces } = source()
    const stream = await openDownload(pieces)
    expect([seen.pieces, admission.counts().downloads.running]).toEqual([1, 1])
    await once(stream, 'readable')
    await delay(50)
    expect(seen.pieces).toBeLessThan(20)
    stream.destroy()
    await expect.poll(() => [seen.ended, admission.counts().downloads.running]).toEqual([1, 0])
  })

  test('ends its source even if it is never read', async () => {
    const { seen, pieces } = source()
    ;(await openDownload(pieces)).destroy()
    await expect.poll(() => [seen.ended, admission.counts().downloads.running]).toEqual([1, 0])
  })

  test('is rejected if its first piece fails', async () => {
    const failing = (async function* () {
      yield* []
      throw new Error('unavailable')
    })()
    await expect(openDownload(failing)).rejects.toThrow('unavailable')
    expect(admission.counts().downloads.running).toBe(0)
  })
})
