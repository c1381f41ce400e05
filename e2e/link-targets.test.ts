import { describe, expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'

onStack(
  'embedded',
  (waymark) => {
    const furnished = async () => {
      const account = await waymark().account()
      const call = async (path: string, fields: Record<string, unknown>) =>
        post(waymark(), account, path, fields)
      const create = async (fields: Record<string, unknown>) => call('/v1/generate-link', fields)
      return { account, call, create }
    }
    const locationOf = async (code: string, init: RequestInit = {}) => {
      const { status, headers } = await fetch(`${waymark().url}/${code}`, { redirect: 'manual', ...init })
      return [status, headers.get('location')]
    }

    describe('a destination that is no web address', () => {
      it.each([
        ['mailto:me@example.com?subject=Hello there', 'mailto:me@example.com?subject=Hello%20there'],
        ['TEL:+44 1632 960001', 'tel:+441632960001'],
        ['sms:+441632960001?body=Hi', 'sms:+441632960001?body=Hi'],
        ['geo:52.5163,13.3777;u=35?q=Gate', 'geo:52.5163,13.3777;u=35?q=Gate'],
        ['whatsapp://send?text=ü<"', 'whatsapp://send?text=%C3%BC%3C%22'],
      ])('%s is stored and sent as %s', async (given, stored) => {
        const { create } = await furnished()
        const { status, body } = await create({ link: given })
        expect([status, body.data?.link]).toEqual([201, stored])
        expect(await locationOf(body.data.code)).toEqual([302, stored])
        const preview = await (await fetch(`${waymark().url}/${body.data.code}+`)).text()
        expect(preview).not.toContain(`href="${stored.slice(0, 3)}`)
      })

      it.each([
        'javascript:alert(1)',
        ' JavaScript:alert(1)',
        'java\tscript:alert(1)',
        'data:text/html,x',
        'vbscript:x',
        'blob:https://example.com/x',
        'file:///etc/passwd',
        'ftp://example.com/',
        'mailto:',
        'tel:call me',
        'geo:91,0',
        'geo:0,181',
        'geo:somewhere',
        'whatsapp:',
        'mailto:a@example.com\r\nset-cookie: a=b',
      ])('%j is rejected', async (link) => {
        const { create } = await furnished()
        const rules = [{ if: {}, to: link }]
        const variants = [{ url: link }, { url: 'https://example.com/' }]
        const { status, body } = await create({ link, ios_url: link, android_url: link, rules, variants })
        expect([status, Object.keys(body.errors).toSorted()]).toEqual([
          422,
          ['android_url', 'ios_url', 'link', 'rules.0.to', 'variants.0.url'],
        ])
      })

      it('works for devices, rules and variants, and asks for a password first', async () => {
        const { create } = await furnished()
        const link = 'https://example.com/'
        const { code } = (await create({ link, ios_url: 'sms:+441632960001' })).body.data
        const iphone = { headers: { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)' } }
        expect(await locationOf(code, iphone)).toEqual([302, 'sms:+441632960001'])
        expect(await locationOf(code)).toEqual([302, link])
        const made = await create({ link, rules: [{ if: { query: ['call'] }, to: 'tel:+441632960001' }] })
        expect(await locationOf(`${made.body.data.code}?call`)).toEqual([302, 'tel:+441632960001'])
        const locked = (await create({ link: 'whatsapp://send', password: 'open' })).body.data
        const form = await fetch(`${waymark().url}/${locked.code}`)
        // Browsers apply it to the redirect after the form, too.
        expect(form.headers.get('content-security-policy')).toMatch(
          /form-action [^;]* geo: whatsapp: slack:$/,
        )
        const body = new URLSearchParams({ password: 'open' })
        expect(await locationOf(locked.code, { method: 'POST', body })).toEqual([303, 'whatsapp://send'])
      })

      it('forwards nothing, and is always a 302', async () => {
        const { create, call } = await furnished()
        const link = 'tel:+441632960001'
        const wrong = await create({ link, redirect: 301, forward_path: true, forward_query: true })
        expect([wrong.status, Object.keys(wrong.body.errors).toSorted()]).toEqual([
          422,
          ['forward_path', 'forward_query', 'redirect'],
        ])
        const { uuid } = (await create({ link: 'https://example.com/', redirect: 308 })).body.data
        const edited = await call('/v1/edit-links', { uuid, link })
        expect([edited.status, Object.keys(edited.body.errors)]).toEqual([422, ['redirect']])
        expect((await call('/v1/edit-links', { uuid, link, redirect: 302 })).status).toBe(200)
      })

      it('is not accepted where only web addresses make sense', async () => {
        const { create, call } = await furnished()
        const expired = await create({ link: 'https://example.com/', expired_url: 'tel:+441632960001' })
        expect([expired.status, Object.keys(expired.body.errors)]).toEqual([422, ['expired_url']])
        expect((await call('/v1/generate-qr', { url: 'tel:+441632960001' })).status).toBe(422)
      })
    })

    describe('expired_url', () => {
      it('is where visitors go once the link has expired, without being counted', async () => {
        const { account, create, call } = await furnished()
        const expired_url = 'https://example.com/over'
        const made = await create({ link: 'https://example.com/', expired_url, max_clicks: 1 })
        const { code, uuid } = made.body.data
        expect(made.body.data.expired_url).toBe(expired_url)
        expect(await locationOf(code)).toEqual([302, 'https://example.com/'])
        const bot = { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } }
        for (const init of [{}, bot, { method: 'HEAD' }, { headers: { accept: 'application/json' } }])
          expect(await locationOf(code, init)).toEqual([302, expired_url])
        const simulated = (await call('/v1/simulate-link', { uuid })).body.data
        expect(simulated).toMatchObject({ status: 302, url: expired_url, reason: 'expired' })
        const soon = new Date(Date.now() + 1_500).toISOString()
        const dated = (await create({ link: 'https://example.com/', expired_url, expire: soon })).body.data
        await new Promise((resolve) => setTimeout(resolve, 1_600))
        expect(await locationOf(dated.code)).toEqual([302, expired_url])
        const listed = await get(waymark(), account, `/v1/links?uuid=${dated.uuid}`)
        expect(listed.body.data[0].clicks).toBe(0)
      })

      it('is held to the loop rule', async () => {
        const { create } = await furnished()
        const { status, body } = await create({
          link: 'https://example.com/',
          expired_url: `${waymark().url}/abc`,
        })
        expect([status, Object.keys(body.errors)]).toEqual([422, ['expired_url']])
      })
    })
  },
  { LINK_SCHEMES: 'whatsapp, slack' },
)
