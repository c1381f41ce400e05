import { describe, expect, test } from 'vitest'
import { openCountries } from '../attributes/countries.ts'
import { readAgent } from '../attributes/headers.ts'
import { storedClick } from '../testing.ts'
import { DAY_MS, HOUR_MS } from '../../work/times.ts'
import { Batch, clicksOf } from '../batches/packed-batch.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import { referrerHost } from './click-reader.ts'
import type { Owner } from './click-store.ts'
import { prepareBatch, totalsOf, withoutWorkspaces } from './prepared-batch.ts'

const DAY = Date.UTC(2026, 10, 15)
const LINK_A = '019a0000-0000-7000-8000-00000000000a'
const LINK_B = '019a0000-0000-7000-8000-00000000000b'
const PAGE = '019a0000-0000-7000-8000-00000000000c'
const [ONE, OTHER] = ['019a0000-0000-7000-8000-00000000000e', '019a0000-0000-7000-8000-00000000000f']
const click = ({ resourceUuid = LINK_A, atMs = DAY + 12 * HOUR_MS, ...fields }: Partial<StoredClick> = {}) =>
  storedClick(resourceUuid, atMs, { referrer: 'example.com', ...fields })

const owner = (workspaceUuid: string, ofCode = false): Owner => ({
  workspaceUuid,
  ofCode,
  domain: '',
  name: 'x',
})
const prepare = (clicks: readonly StoredClick[], owners: Record<string, Owner>) =>
  prepareBatch({ clicks }, totalsOf(clicks), new Map(Object.entries(owners)), async (day) => `salt of ${day}`)

describe('totalsOf', () => {
  test('adds up clicks of each link and page, bots separately', () => {
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

  test('keeps the latest click if the clock jumps back', () => {
    const totals = totalsOf([click({ atMs: 2_000 }), click({ atMs: 1_000 })])
    expect(totals.links[0]?.lastAtMs).toBe(2_000)
  })

  test('bots do not set the last click', () => {
    expect(totalsOf([click({ bot: true })]).links[0]?.lastAtMs).toBeNull()
  })
})

describe('prepareBatch', () => {
  test('builds a row per workspace and day, without links that do not exist', async () => {
    const clicks = [
      click(),
      click({ resourceUuid: LINK_B }),
      click({ atMs: DAY + DAY_MS }),
      click({ resourceUuid: PAGE }),
    ]
    const { rows, counted, totals } = await prepare(clicks, { [LINK_A]: owner(ONE), [LINK_B]: owner(OTHER) })
    expect(rows.map(({ workspaceUuid, day, clicks: count }) => [workspaceUuid, day, count])).toEqual([
      [ONE, DAY, 1],
      [OTHER, DAY, 1],
      [ONE, DAY + DAY_MS, 1],
    ])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
    expect([counted, totals.links.length]).toEqual([3, 2])
  })

  test('numbers a visitor differently in each workspace, but equally for all links of one', async () => {
    const clicks = [LINK_A, LINK_B, PAGE].map((resourceUuid) => click({ resourceUuid, visitor: 7 }))
    const owners = { [LINK_A]: owner(ONE), [LINK_B]: owner(ONE), [PAGE]: owner(OTHER) }
    const { rows } = await prepare(clicks, owners)
    const visitors = rows.flatMap(({ data, day }) =>
      [...clicksOf(new Batch(data), day)].map(({ visitor }) => visitor),
    )
    expect(visitors[0]).toBe(visitors[1])
    expect(new Set([7, ...visitors]).size).toBe(3)
    const again = await prepare(clicks.slice(2), owners)
    expect([...clicksOf(new Batch(again.rows[0]!.data), DAY)][0]?.visitor).toBe(visitors[2])
  })

  test('clicks on the short link of a code, and clicks marked as scanned, are scans', async () => {
    const clicks = [click(), click({ resourceUuid: LINK_B, scanned: true }), click({ resourceUuid: LINK_B })]
    const { rows } = await prepare(clicks, { [LINK_A]: owner(ONE, true), [LINK_B]: owner(ONE) })
    const scanned = [...clicksOf(new Batch(rows[0]!.data), DAY)].map((one) => one.scanned)
    expect(scanned).toEqual([true, true, false])
  })

  test('drops rows of a workspace that was erased after the batch was prepared', async () => {
    const clicks = [click(), click({ resourceUuid: LINK_B }), click({ resourceUuid: LINK_B })]
    const prepared = await prepare(clicks, { [LINK_A]: owner(ONE), [LINK_B]: owner(OTHER) })
    expect([prepared.counted, prepared.workspaceUuids]).toEqual([3, new Set([ONE, OTHER])])
    const left = withoutWorkspaces(prepared, new Set([OTHER]))
    expect(left).toMatchObject({ counted: 1, workspaceUuids: new Set([ONE]) })
    expect(left.rows.map(({ workspaceUuid }) => workspaceUuid)).toEqual([ONE])
    expect([left.totals.links.length, [...left.owners.keys()]]).toEqual([1, [LINK_A]])
  })
})

describe('attributes of a request', () => {
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
    [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`, `${'a'.repeat(60)}.${'b'.repeat(60)}.example`],
    // No host name is longer than 253 characters: a piece of it would name another host.
    [`https://${'a.'.repeat(140)}example/`, ''],
    [`https://${'é.'.repeat(60)}example/`, ''],
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
