import { readCsv } from '@waymark/contract/csv'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { leastNested } from './support/pages.ts'
import { get, post, sign } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const BERLIN = '81.169.145.1'
const LONDON = '81.2.69.142'

interface Share {
  value: string
  clicks: number
  label?: string | null
  rate?: number | null
}

interface Shown {
  totals: { clicks: number; uniques: number; bots: number }
  breakdown: Share[]
  breakdowns?: Record<string, Share[]>
  previous: { totals: { clicks: number } } | null
  timezone: string
}

onStack(
  'embedded',
  (waymark) => {
    let account: Account
    let campaign: { uuid: string; short_url: string }
    let code: { uuid: string; short_url: string }

    const make = async (path: string, fields: Record<string, unknown>) => {
      const { status, body } = await post(waymark(), account, path, fields)
      expect([status, body.errors]).toEqual([201, undefined])
      return body.data as { uuid: string; short_url: string }
    }
    const visit = async (url: string, address: string, agent: string, language: string) => {
      const headers = { 'x-forwarded-for': address, 'user-agent': agent, 'accept-language': language }
      expect((await fetch(url, { redirect: 'manual', headers })).status).toBe(302)
    }
    const analytics = async (query = ''): Promise<Shown> => {
      const { status, body } = await get(waymark(), account, `/v1/analytics?${query}`)
      expect([status, body.error]).toEqual([200, undefined])
      return body.data as Shown
    }
    const clicks = async (query: string): Promise<number> => (await analytics(query)).totals.clicks

    beforeAll(async () => {
      account = await waymark().account()
      campaign = await make('/v1/generate-link', {
        link: 'https://example.com/?utm_source=letter&utm_campaign=autumn',
        tags: ['first', 'season'],
        rules: [{ if: { language: ['fr'] }, to: 'https://example.com/fr' }],
      })
      code = await make('/v1/generate-qr', {
        url: 'https://example.com/scan',
        description: 'a code',
        pattern: 'squares',
        dynamic: true,
      })
      await visit(campaign.short_url, BERLIN, IPHONE, 'de-DE,de;q=0.9')
      await visit(`${campaign.short_url}?qr`, LONDON, FIREFOX, 'en-GB')
      await visit(campaign.short_url, LONDON, FIREFOX, 'fr-CA')
      await visit(code.short_url, BERLIN, IPHONE, 'de')
      await vi.waitFor(async () => expect(await clicks('')).toBe(4), { timeout: 60_000, interval: 100 })
    })

    it('counts a link, several, a tag, a domain and the account', async () => {
      expect(await clicks(`uuid=${campaign.uuid}`)).toBe(3)
      expect(await clicks(`uuid=${campaign.uuid},${code.uuid}`)).toBe(4)
      expect(await clicks(`uuid=${campaign.uuid}&uuid=${code.uuid}`)).toBe(4)
      expect(await clicks('tag=season')).toBe(3)
      expect(await clicks(`domain=${new URL(waymark().url).hostname}`)).toBe(4)
      expect(await clicks('domain=elsewhere.example')).toBe(0)
    })

    it.each([
      ['country=DE', 2],
      ['country=DE,GB&device=desktop', 2],
      ['country=GB&language=fr', 1],
      ['source=qr', 2],
      ['source=link&browser=Safari', 1],
      ['utm_source=letter&utm_campaign=autumn', 2],
      ['rule=0', 1],
      ['rule=(none)&system=Linux', 1],
      ['bot=1', 0],
      ['referrer=(none)&bot=0', 4],
    ])('filters by %s', async (filter, expected) => {
      expect(await clicks(filter)).toBe(expected)
    })

    it('breaks down by what a visit tells', async () => {
      const by = async (name: string) =>
        Object.fromEntries(
          (await analytics(`by=${name}`)).breakdown.map(({ value, clicks: n }) => [value, n]),
        )
      expect(await by('language')).toEqual({ de: 2, en: 1, fr: 1 })
      expect(await by('source')).toEqual({ link: 2, qr: 2 })
      expect(await by('utm_campaign')).toEqual({ autumn: 2, '': 2 })
      expect(await by('rule')).toEqual({ '': 3, '0': 1 })
      expect(Object.values(await by('hour_of_week')).reduce((sum, n) => sum + n)).toBe(4)
    })

    it('breaks down by several dimensions with one request', async () => {
      const several = await analytics('by=language,source&by=link')
      expect([several.breakdown, Object.keys(several.breakdowns ?? {})]).toEqual([
        [],
        ['language', 'source', 'link'],
      ])
      for (const [name, breakdown] of Object.entries(several.breakdowns ?? {}))
        expect(breakdown).toEqual((await analytics(`by=${name}`)).breakdown)
      for (const wrong of ['language,planet', 'language,', `link${',link'.repeat(16)}`]) {
        const { status, body } = await get(waymark(), account, `/v1/analytics?by=${wrong}`)
        expect([status, Object.keys(body.errors)]).toEqual([422, ['by']])
      }
    })

    it('follows a time zone and compares with the period before', async () => {
      const shown = await analytics('timezone=Asia/Kolkata&compare=1')
      expect(shown).toMatchObject({ timezone: 'Asia/Kolkata', timezone_exact: true })
      expect([shown.totals.clicks, shown.previous?.totals.clicks]).toEqual([4, 0])
      const { status, body } = await get(waymark(), account, '/v1/analytics?timezone=Nowhere')
      expect([status, body.errors]).toEqual([
        422,
        { timezone: ['Must be a time zone such as Europe/Berlin'] },
      ])
    })

    it('exports single clicks to their owner, with a signature, as CSV and NDJSON', async () => {
      const target = `/v1/export-clicks?uuid=${campaign.uuid}`
      const { status, headers, body } = await get(waymark(), account, target)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
      expect(headers.get('content-disposition')).toBe('attachment; filename="waymark-clicks.csv"')
      const rows = [...readCsv(String(body))].map(({ cells }) => cells)
      expect(rows.map((cells) => cells[5])).toEqual(['country', 'DE', 'GB', 'GB'])
      const lines = await get(waymark(), account, '/v1/export-clicks?format=ndjson&domain=localhost')
      expect([lines.status, lines.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
      const url = waymark().url + target
      const unsigned = await fetch(url, { headers: { 'x-api-key': account.apiKey } })
      expect(unsigned.status).toBe(401)
      const head = await fetch(url, { method: 'HEAD', headers: sign(account, 'HEAD', target) })
      expect([head.status, await head.text()]).toEqual([200, ''])
      const other = await waymark().account()
      expect((await get(waymark(), other, target)).status).toBe(404)
      expect((await get(waymark(), account, '/v1/export-clicks?format=xml')).status).toBe(422)
    })

    it('records each UTM parameter by itself, in characters that a filter can contain', async () => {
      const { uuid, short_url } = await make('/v1/generate-link', {
        link: 'https://example.com/',
        forward_query: true,
      })
      const rest = '&utm_medium=mail&utm_campaign=spring'
      const sources: Record<string, string> = {
        [encodeURIComponent('é'.repeat(255))]: 'é'.repeat(100),
        [encodeURIComponent('😀'.repeat(255))]: '😀'.repeat(100),
        [encodeURIComponent('a\0b\r\n\u001b[31m\u009b\u2028c')]: 'ab[31mc',
        '50%+off%': '50% off%',
      }
      for (const sent of Object.keys(sources))
        await visit(`${short_url}?utm_source=${sent}${rest}`, BERLIN, FIREFOX, 'de')
      const listed = async (name: string) =>
        (await analytics(`uuid=${uuid}&by=${name}`)).breakdown.map(({ value }) => value)
      await vi.waitFor(async () => expect(await clicks(`uuid=${uuid}`)).toBe(4), { timeout: 60_000 })
      const values = await listed('utm_source')
      expect(new Set(values)).toEqual(new Set(Object.values(sources)))
      for (const value of values)
        expect(await clicks(`uuid=${uuid}&utm_source=${encodeURIComponent(value)}`)).toBe(1)
      expect([await listed('utm_medium'), await listed('utm_campaign')]).toEqual([['mail'], ['spring']])
    })

    describe('of a page', () => {
      it('names its buttons and says how often each is clicked', async () => {
        const page = await post(waymark(), account, '/v1/generate-page', {
          ...leastNested(`shop-${Date.now()}`),
          buttons: [{ id: 1, status: 1, label: 'Buy', url: 'https://example.com/buy' }],
        })
        expect([page.status, page.body.errors]).toEqual([201, undefined])
        const { uuid, page_url, buttons } = page.body.data
        const headers = { 'user-agent': FIREFOX, 'x-forwarded-for': LONDON }
        for (let n = 0; n < 2; n++) await fetch(page_url, { headers })
        await fetch(`${waymark().url}/e/${uuid}/button/${buttons[0].id}`, { method: 'POST', headers })
        const shown = () => analytics(`uuid=${uuid}&by=button`)
        await expect.poll(async () => (await shown()).breakdown.length).toBe(1)
        await expect.poll(async () => (await shown()).totals.clicks).toBe(2)
        expect((await shown()).breakdown).toEqual([
          { value: String(buttons[0].id), clicks: 1, label: 'Buy', rate: 0.5 },
        ])
      })
    })
  },
  { TRUST_PROXY: 'on', RATE_LIMIT_READ: '10000' },
)
