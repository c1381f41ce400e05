import { describe, expect, it } from 'vitest'
import { get, multipart, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'

const link = 'https://example.com/longer'
let names = 0
const newName = (): string => `n${process.pid}-${++names}`

// On both stacks: each database has a look-up of its own, and the processes learn of a domain's first longer code by message.
forEachStack(
  (waymark) => {
    const furnished = async () => {
      const account = await waymark().account()
      const call = async (path: string, fields: Record<string, unknown>) =>
        post(waymark(), account, path, fields)
      const create = async (fields: Record<string, unknown>) => call('/v1/generate-link', { link, ...fields })
      return { account, call, create }
    }
    const visit = async (path: string, init: RequestInit = {}) => {
      const { status, headers } = await fetch(`${waymark().url}/${path}`, { redirect: 'manual', ...init })
      return [status, headers.get('location')]
    }

    describe('a short code of several segments', () => {
      it('redirects at once, also with a slash or plus at its end', async () => {
        const { create } = await furnished()
        const customLink = `${newName()}/road-map/a_1`
        expect(await visit(customLink)).toEqual([404, null])
        const { status, body } = await create({ customLink })
        expect([status, body.data.code, body.data.short_url]).toEqual([
          201,
          customLink,
          `${waymark().url}/${customLink}`,
        ])
        expect(await visit(customLink)).toEqual([302, link])
        expect(await visit(`${customLink}/?x=1`)).toEqual([302, link])
        expect(await visit(customLink, { method: 'HEAD' })).toEqual([302, link])
        const preview = await fetch(`${waymark().url}/${customLink}+`)
        expect([preview.status, await preview.text()]).toEqual([
          200,
          expect.stringContaining(`href="/${customLink}"`),
        ])
        for (const other of [
          `${customLink}/b`,
          `${customLink}//`,
          `${customLink}%2f`,
          customLink.slice(0, -4),
        ])
          expect([other, (await visit(other))[0]]).toEqual([other, 404])
      })

      it('wins over forward_path, which takes all other paths', async () => {
        const { create, call } = await furnished()
        const first = newName()
        expect((await create({ customLink: first, forward_path: true })).status).toBe(201)
        expect(await visit(`${first}/plan`)).toEqual([302, `${link}/plan`])
        const made = await create({ customLink: `${first}/plan`, link: 'https://example.org/' })
        expect(await visit(`${first}/plan`)).toEqual([302, 'https://example.org/'])
        expect(await visit(`${first}/plan/b`)).toEqual([302, `${link}/plan/b`])
        expect(await visit(`${first}/${'x'.repeat(80)}`)).toEqual([302, `${link}/${'x'.repeat(80)}`])
        const { uuid } = made.body.data
        await call('/v1/edit-links', { uuid, link: 'https://example.net/' })
        expect(await visit(`${first}/plan`)).toEqual([302, 'https://example.net/'])
        const forwarding = await call('/v1/edit-links', { uuid, link, forward_path: true })
        expect([forwarding.status, Object.keys(forwarding.body.errors)]).toEqual([422, ['forward_path']])
      })

      it('asks for a password, and has a click limit', async () => {
        const { create } = await furnished()
        const customLink = `${newName()}/secret`
        await create({ customLink, password: 'open', max_clicks: 1 })
        expect(await (await fetch(`${waymark().url}/${customLink}`)).text()).toContain('password')
        const body = () => new URLSearchParams({ password: 'open' })
        expect(await visit(customLink, { method: 'POST', body: body() })).toEqual([303, link])
        expect((await visit(customLink, { method: 'POST', body: body() }))[0]).toBe(410)
      })

      it('follows the rules of one segment: unique, renamed, removed, restored, never reused', async () => {
        const { account, create, call } = await furnished()
        const first = newName()
        const customLink = `${first}/one`
        const { uuid } = (await create({ customLink })).body.data
        const again = await create({ customLink })
        expect([again.status, Object.keys(again.body.errors)]).toEqual([409, ['customLink']])
        await call('/v1/edit-links', { uuid, link, customLink: `${first}/two/three` })
        expect([await visit(customLink), await visit(`${first}/two/three`)]).toEqual([
          [302, link],
          [302, link],
        ])
        const found = await get(waymark(), account, `/v1/links?code=${encodeURIComponent(customLink)}`)
        expect(found.body.data.map((each: { uuid: string }) => each.uuid)).toEqual([uuid])
        const state = await get(waymark(), account, `/v1/short-code?code=${encodeURIComponent(customLink)}`)
        expect(state.body.data).toMatchObject({ state: 'taken', uuid })
        await call('/v1/remove-links', { uuid })
        expect((await visit(customLink))[0]).toBe(410)
        await call('/v1/restore', { uuids: [uuid] })
        expect(await visit(customLink)).toEqual([302, link])
        await call('/v1/remove-links', { uuid, permanent: true })
        expect([(await visit(customLink))[0], (await create({ customLink })).status]).toEqual([410, 409])
      })

      it('has at most five segments and 64 characters, and no reserved word first', async () => {
        const { create } = await furnished()
        const first = newName()
        const statusOf = async (customLink: string) => (await create({ customLink })).status
        expect(await statusOf(`${first}/b/c/d/e`)).toBe(201)
        expect(await statusOf(`${first}/${'x'.repeat(63 - first.length)}`)).toBe(201)
        expect(await statusOf(`rest-${first}/v4/api/app`)).toBe(201)
        for (const wrong of [
          `${first}/b/c/d/e/f`,
          `${first}/${'x'.repeat(64 - first.length)}`,
          `${first}//b`,
          `/${first}`,
          `${first}/`,
          `${first}/b+`,
          'app/x',
          'v1/links',
          'login/x',
          'P/x',
        ])
          expect([wrong, await statusOf(wrong)]).toEqual([wrong, 422])
      })

      it('is a loop as a destination, whether it exists or not', async () => {
        const { create } = await furnished()
        const { status, body } = await create({ link: `${waymark().url}/team/any/thing` })
        expect([status, Object.keys(body.errors)]).toEqual([422, ['link']])
        expect((await create({ link: `${waymark().url}/p/a-page` })).status).toBe(201)
      })

      it('survives an export and import, together with earlier ones', async () => {
        const { account, create, call } = await furnished()
        const first = newName()
        const { uuid } = (await create({ customLink: `${first}/now` })).body.data
        await call('/v1/edit-links', { uuid, link, customLink: `${first}/later` })
        const { body } = await get(waymark(), account, '/v1/export-links')
        expect(body).toContain(`,/${first}/now`)
        const value = String(body).replaceAll(first, `${first}x`)
        const file = multipart([{ name: 'file', value, filename: 'links.csv', type: 'text/csv' }])
        const imported = await post(waymark(), account, '/v1/import-links', file)
        expect([imported.status, imported.body.data[0].code]).toEqual([201, `${first}x/later`])
        expect(await visit(`${first}x/now`)).toEqual([302, link])
      })

      it('is created with many others, and simulated', async () => {
        const { call } = await furnished()
        const first = newName()
        const links = [{ link, customLink: `${first}/m1` }, { link, customLink: first }, { link }]
        const made = await call('/v1/generate-links', { links })
        expect(made.status).toBe(201)
        expect(await visit(`${first}/m1`)).toEqual([302, link])
        const { uuid } = made.body.data[0]
        expect((await call('/v1/simulate-link', { uuid })).body.data).toMatchObject({
          status: 302,
          url: link,
        })
      })
    })
  },
  { WORKERS: '2' },
)
