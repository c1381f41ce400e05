import { describe, expect, it } from 'vitest'
import { post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'

const link = 'https://example.com/'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1'
const rules = [
  { if: { country: ['DE'], device: ['mobile'], after: '2030-01-01T00:00:00.000Z' }, to: `${link}future` },
  { if: { language: ['fr'] }, to: `${link}fr` },
  { if: { query: ['a=ö'] }, to: `${link}query` },
]
const variants = [{ url: `${link}a` }, { url: `${link}b` }]

onStack('embedded', (waymark) => {
  const furnished = async (fields: object) => {
    const account = await waymark().account()
    const { data } = (await post(waymark(), account, '/v1/generate-link', { link, ...fields })).body
    const simulate = async (visitor: object = {}) =>
      post(waymark(), account, '/v1/simulate-link', { uuid: data.uuid, ...visitor })
    return { data, simulate }
  }

  describe('simulate-link', () => {
    it('says where a described visitor would be sent, and why', async () => {
      const { simulate } = await furnished({ rules, ios_url: `${link}ios`, forward_query: true })
      const told = async (visitor: object) => (await simulate(visitor)).body.data
      const nothing = { rule: null, variant: null, forwarded: false }
      expect(await told({})).toEqual({ ...nothing, status: 302, url: link, reason: 'link' })
      expect(await told({ country: 'de', device: 'mobile', language: 'fr', at: '2031-01-01' })).toEqual({
        ...nothing,
        status: 302,
        url: `${link}future`,
        reason: 'rule',
        rule: 0,
      })
      expect(await told({ language: 'fr-CA', query: 'b=1' })).toMatchObject({
        url: `${link}fr?b=1`,
        rule: 1,
        forwarded: true,
      })
      expect(await told({ query: '?a=ö' })).toMatchObject({ rule: 2 })
      expect(await told({ os: 'ios' })).toMatchObject({ url: `${link}ios`, rule: 'ios' })
      expect(await told({ user_agent: IPHONE })).toMatchObject({ rule: 'ios' })
    })

    it('knows start, expiry, password and variants', async () => {
      const soon = { starts_at: '2050-01-01', expire: '2051-01-01', password: 'open', variants }
      const { simulate } = await furnished(soon)
      const told = async (visitor: object) => (await simulate(visitor)).body.data
      expect(await told({})).toMatchObject({ status: 404, url: null, reason: 'not_active_yet' })
      expect(await told({ at: '2052-01-01' })).toMatchObject({ status: 410, reason: 'expired' })
      expect(await told({ at: '2050-06-01' })).toMatchObject({ status: 200, reason: 'password' })
      expect(await told({ at: '2050-06-01', password: true })).toMatchObject({
        status: 303,
        reason: 'variant',
        variant: expect.stringMatching(/^[AB]$/) as string,
      })
    })

    it('agrees with real visits', async () => {
      const { data, simulate } = await furnished({ rules, variants, forward_query: true })
      for (let n = 0; n < 12; n++) {
        const visitor = {
          user_agent: n % 3 === 0 ? IPHONE : `Mozilla/5.0 agent-${n}`,
          language: n % 4 === 0 ? 'fr;q=0.9, en;q=0.8' : 'en',
          query: n % 5 === 0 ? 'a=%C3%B6' : `n=${n}`,
        }
        const real = await fetch(`${data.short_url}?${visitor.query}`, {
          redirect: 'manual',
          headers: { 'user-agent': visitor.user_agent, 'accept-language': visitor.language },
        })
        const { body } = await simulate({ ...visitor, address: '127.0.0.1' })
        expect([body.data.status, body.data.url]).toEqual([real.status, real.headers.get('location')])
      }
    })

    it('rejects what is no visitor, and links of others', async () => {
      const { simulate } = await furnished({})
      const { status, body } = await simulate({
        country: 'XX',
        device: 'fridge',
        at: 'soon',
        address: 'here',
      })
      expect([status, Object.keys(body.errors).sort()]).toEqual([422, ['address', 'at', 'country', 'device']])
      expect((await simulate({ uuid: 'unknown' })).status).toBe(404)
    })
  })
})
