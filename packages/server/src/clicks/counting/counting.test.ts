import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../work/times.ts'
import { clicksOf, unpackBatch } from '../batches/batch.ts'
import { dayCountsOf } from '../batches/day-counts.ts'
import { noteFirstVisits, packUserDay, UserDays } from '../batches/user-days.ts'
import { openCountries } from '../facts/countries.ts'
import { readAgent } from '../facts/user-agents.ts'
import { enrichedClick } from '../testing.ts'
import { totalsOf } from './click-totals.ts'
import { tallyOf } from './day-texts.ts'
import { type EnrichedClick, referrerHost } from './enrich.ts'
import { ALL_LINKS, scopeKey } from './scope-key.ts'
import { firstVisitId, visitId } from './visit-id.ts'

const DAY = Date.UTC(2026, 10, 15)
const LINK_A = '019a0000-0000-7000-8000-00000000000a'
const LINK_B = '019a0000-0000-7000-8000-00000000000b'
const PAGE = '019a0000-0000-7000-8000-00000000000c'
const USER = '019a0000-0000-7000-8000-00000000000f'
const click = ({
  resourceUuid = LINK_A,
  atMs = DAY + 12 * HOUR_MS,
  ...fields
}: Partial<EnrichedClick> = {}) => enrichedClick(resourceUuid, atMs, { referrer: 'example.com', ...fields })

/** What the days of a batch add up to, all of whose visits are new. */
function rollUp(clicks: EnrichedClick[]) {
  const userDays = new UserDays()
  for (const one of clicks) userDays.add(one, { userUuid: USER, ofCode: false })
  const { visits } = userDays
  visits.noteNew(visits.ids)
  const days = userDays.all.flatMap((userDay) => {
    const packed = packUserDay(userDay)
    noteFirstVisits(packed, userDay, visits)
    const batch = unpackBatch(packed)
    return dayCountsOf(batch, userDay.day).map((counts) => ({
      ...userDay,
      scopeKey: counts.scopeKey,
      counts,
    }))
  })
  return { days, visits: [...visits.ids] }
}

const dayFor = ({ days }: ReturnType<typeof rollUp>, key: number, day = DAY) => {
  const found = days.find((one) => one.scopeKey === key && one.day === day && one.userKey === 15)
  if (found === undefined) throw new Error(`nothing was counted for ${key}`)
  return found.counts
}

describe('totalsOf', () => {
  test('adds up each link and page, bots apart', () => {
    const totals = totalsOf([
      click(),
      click({ bot: true }),
      click({ resourceUuid: LINK_B }),
      click(),
      click({ kind: 'page', resourceUuid: PAGE }),
      click({ kind: 'button', resourceUuid: PAGE, detail: '0' }),
    ])
    const lastAtMs = DAY + 12 * HOUR_MS
    expect(totals).toEqual({
      links: [
        { resourceUuid: LINK_A, clicks: 2, bots: 1, lastAtMs },
        { resourceUuid: LINK_B, clicks: 1, bots: 0, lastAtMs },
      ],
      pages: [{ resourceUuid: PAGE, clicks: 1, bots: 0, lastAtMs }],
    })
  })

  test('a clock that jumps back does not make the last click an earlier one', () => {
    const totals = totalsOf([click({ atMs: 2_000 }), click({ atMs: 1_000 })])
    expect(totals.links[0]?.lastAtMs).toBe(2_000)
  })

  test('bots alone make no last click', () => {
    expect(totalsOf([click({ bot: true })]).links[0]?.lastAtMs).toBeNull()
  })
})

describe('a day', () => {
  test('counts quarters of an hour and days for the link and for the user', () => {
    const rollup = rollUp([
      click({ atMs: DAY }),
      click({ atMs: DAY + HOUR_MS - 1, visitor: 2 }),
      click({ atMs: DAY + HOUR_MS, visitor: 2 }),
      click({ atMs: DAY + DAY_MS, bot: true }),
    ])
    expect(dayFor(rollup, 10).hours).toEqual([
      { at: DAY, clicks: 1, uniques: 1, bots: 0 },
      { at: DAY + 0.75 * HOUR_MS, clicks: 1, uniques: 1, bots: 0 },
      { at: DAY + HOUR_MS, clicks: 1, uniques: 0, bots: 0 },
    ])
    expect(dayFor(rollup, 10, DAY + DAY_MS).hours).toEqual([
      { at: DAY + DAY_MS, clicks: 0, uniques: 0, bots: 1 },
    ])
    expect(tallyOf(dayFor(rollup, ALL_LINKS))).toEqual({ clicks: 3, uniques: 2, bots: 0 })
    expect(tallyOf(dayFor(rollup, ALL_LINKS, DAY + DAY_MS))).toEqual({ clicks: 0, uniques: 0, bots: 1 })
  })

  test('a visitor of two links is one for the user', () => {
    const rollup = rollUp([click(), click({ resourceUuid: LINK_B })])
    const uniques = rollup.days.map(({ scopeKey, counts }) => [scopeKey, tallyOf(counts).uniques])
    expect(Object.fromEntries(uniques)).toEqual({ 10: 1, 11: 1, [ALL_LINKS]: 1 })
    expect(rollup.visits).toHaveLength(3)
  })

  test('counts where people came from, and leaves bots out', () => {
    const rollup = rollUp([click(), click({ country: 'FR' }), click({ country: 'XX', bot: true })])
    expect(dayFor(rollup, ALL_LINKS).values.country?.entries).toEqual([
      ['DE', 1],
      ['FR', 1],
    ])
  })

  test('pages count for themselves, their buttons by name, and neither for the user', () => {
    const rollup = rollUp([
      click({ kind: 'page', resourceUuid: PAGE }),
      click({ kind: 'button', resourceUuid: PAGE, detail: '2' }),
      click({ kind: 'icon', resourceUuid: PAGE, detail: 'youtube' }),
      click({ kind: 'icon', resourceUuid: PAGE, detail: 'youtube', bot: true }),
    ])
    expect(rollup.days.map(({ scopeKey, counts }) => [scopeKey, tallyOf(counts).clicks])).toEqual([[12, 1]])
    const { values } = dayFor(rollup, 12)
    expect([values.button?.entries, values.icon?.entries]).toEqual([[['2', 1]], [['youtube', 1]]])
  })

  test('clicks on the short link of a code, and those with a mark, are scans', () => {
    const userDays = new UserDays()
    userDays.add(click(), { userUuid: USER, ofCode: true })
    userDays.add(click({ scanned: true }), { userUuid: USER, ofCode: false })
    userDays.add(click(), { userUuid: USER, ofCode: false })
    const scanned = userDays.all.flatMap((userDay) =>
      [...clicksOf(unpackBatch(packUserDay(userDay)), userDay.day)].map((one) => one.scanned),
    )
    expect(scanned).toEqual([true, true, false])
  })

  test('each visitor, day and resource is a visit, and so is each of the user', () => {
    const { visits } = rollUp([
      click({ resourceUuid: PAGE, visitor: 700, atMs: DAY + DAY_MS }),
      click({ resourceUuid: LINK_A, visitor: 900 }),
      click({ resourceUuid: LINK_B, visitor: 800 }),
      click({ resourceUuid: LINK_B, visitor: 800 }),
      click({ resourceUuid: PAGE, visitor: 700 }),
    ])
    expect(new Set(visits).size).toBe(8)
    expect(visits).toHaveLength(8)
  })
})

describe('visitId', () => {
  test('is one number for a visitor, a day and what was visited, and another for any other', () => {
    const ids = [DAY, DAY + DAY_MS].flatMap((day) =>
      [10, 2 ** 52 - 1].flatMap((visited) =>
        [0, 2 ** 48 - 1].map((visitor) => visitId(day, visited, visitor)),
      ),
    )
    expect(new Set(ids).size).toBe(8)
    expect(ids.every(Number.isSafeInteger)).toBe(true)
  })

  test('grows with the days, so that earlier ones can be cut off', () => {
    const bound = firstVisitId(DAY)
    expect(visitId(DAY - DAY_MS, 2 ** 52 - 1, 2 ** 48 - 1)).toBeLessThan(bound)
    expect(visitId(DAY, 0, 0)).toBe(bound)
    // A clock that was never set, and one that is far off.
    expect(visitId(0, 1, 1)).toBe(2)
    expect(Number.isSafeInteger(visitId(Date.UTC(2999, 0, 1), 2 ** 52 - 1, 2 ** 48 - 1))).toBe(true)
  })
})

test('scopeKey: 52 bits of a uuid, past those that its version and variant fix', () => {
  expect(scopeKey('ffffffff-ffff-ffff-fff1-23456789abcd')).toBe(0x1_23_45_67_89_ab_cd)
  expect(scopeKey('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe(2 ** 52 - 1)
  expect(scopeKey('ffffffff-ffff-ffff-fff0-000000000000')).not.toBe(ALL_LINKS)
})

describe('what is read out of a request', () => {
  const iphone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'

  test('the device', () => {
    expect(readAgent(iphone)).toEqual({ bot: false, device: 'mobile', browser: 'Safari', system: 'iOS' })
    expect(readAgent('Mozilla/5.0 (compatible; Googlebot/2.1)').bot).toBe(true)
    expect(readAgent('Invented-by-Me/1.0 (Nothing)')).toMatchObject({ browser: '', system: '' })
    expect(readAgent('')).toEqual({ bot: false, device: '', browser: '', system: '' })
    expect(() => readAgent('\u0000\uffff((((')).not.toThrow()
  })

  test.each([
    ['https://www.Example.com/private?token=1', 'example.com'],
    ['http://[::1]:8080/', '[::1]'],
    ['android-app://com.slack/', 'com.slack'],
    ['about:blank', ''],
    ['javascript:alert(1)', ''],
    ['nonsense', ''],
    [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`, `${'a'.repeat(60)}.${'b'.repeat(39)}`],
  ])('the site of %s', (referrer, host) => {
    expect(referrerHost(referrer)).toBe(host)
  })

  test('the country', () => {
    const countryOf = openCountries()
    expect(countryOf('81.2.69.142')).toBe('GB')
    expect(countryOf('2a00:1450:4001:80b::200e')).toMatch(/^[A-Z]{2}$/)
    expect([countryOf('127.0.0.1'), countryOf('nonsense'), countryOf('')]).toEqual(['', '', ''])
  })
})
