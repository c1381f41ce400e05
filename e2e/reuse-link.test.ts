import { describe, expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'

const link = 'https://example.com/reused'

// On both stacks and with two processes, because two requests at once must find each other in the database.
forEachStack(
  (waymark) => {
    const furnished = async () => {
      const account = await waymark().account()
      const create = async (fields: object = {}) =>
        post(waymark(), account, '/v1/generate-link', { link, ...fields })
      const reuse = async (fields: object = {}) => create({ reuse: true, ...fields })
      const edit = async (fields: object) => post(waymark(), account, '/v1/edit-links', { link, ...fields })
      const total = async (): Promise<number> =>
        (await get(waymark(), account, '/v1/links?limit=1')).body.meta.total
      return { account, create, reuse, edit, total }
    }

    describe('reuse', () => {
      it('returns the oldest plain link to the same destination, or creates one', async () => {
        const { create, reuse, total } = await furnished()
        const first = await reuse()
        expect([first.status, first.body.message]).toEqual([201, 'Short link created'])
        expect(first.body.data).not.toHaveProperty('reuse')
        await create()
        // The destination counts in its normalised form.
        const again = await reuse({ link: 'HTTPS://EXAMPLE.com:443/a/../reused' })
        expect([again.status, again.body.message]).toEqual([200, 'Short link reused'])
        expect(again.body.data).toEqual(first.body.data)
        expect((await reuse({ link: `${link}/` })).status).toBe(201)
        expect(await total()).toBe(3)
      })

      it('passes over links that have something set, are not active, or are of another account', async () => {
        const { account, create, reuse, edit, total } = await furnished()
        for (const fields of [
          { customLink: `reused-${Date.now()}` },
          { title: 'x' },
          { description: 'x' },
          { tag: 'x' },
          { archived: true },
          { starts_at: '2050-01-01' },
          { expire: '2050-01-01' },
          { redirect: 301 },
          { max_clicks: 1 },
          { password: 'x' },
          { ios_url: link },
          { android_url: link },
          { forward_query: true },
          { forward_path: true },
          { rules: [{ if: { query: ['a'] }, to: link }] },
          { variants: [{ url: link }, { url: link }] },
          { preview: { title: 'x' } },
        ])
          expect((await create(fields)).status).toBe(201)
        const utm = { url: link, source: 'a', medium: 'b', campaign: 'c', content: 'd', shorten: true }
        expect((await post(waymark(), account, '/v1/generate-utm', utm)).status).toBe(201)
        const made = await reuse()
        expect(made.status).toBe(201)
        const other = await furnished()
        expect((await other.reuse()).status).toBe(201)
        const { uuid } = made.body.data
        const before = await total()
        await edit({ uuid, title: 'x' })
        const second = await reuse()
        expect(second.status).toBe(201)
        await edit({ uuid, title: null })
        expect((await reuse()).body.data.uuid).toBe(uuid)
        await post(waymark(), account, '/v1/remove-links', { uuid })
        expect((await reuse()).body.data.uuid).toBe(second.body.data.uuid)
        expect(await total()).toBe(before)
      })

      it('gives one link to many who ask at once', async () => {
        const { reuse, total } = await furnished()
        const responses = await Promise.all(Array.from({ length: 40 }, () => reuse()))
        expect(Map.groupBy(responses, ({ status }) => status).get(201)).toHaveLength(1)
        expect(responses.filter(({ status }) => status === 200)).toHaveLength(39)
        expect(new Set(responses.map(({ body }) => body.data.uuid)).size).toBe(1)
        expect(await total()).toBe(1)
      })

      it('is 422 with any other field, and for what is no boolean', async () => {
        const { account, reuse, create, total } = await furnished()
        const mixed = await reuse({ title: 'x', customLink: 'x1', archived: false, tags: [], link: 'no' })
        expect([mixed.status, Object.keys(mixed.body.errors).toSorted()]).toEqual([
          422,
          ['archived', 'customLink', 'link', 'tags', 'title'],
        ])
        expect(mixed.body.errors.title).toEqual(['Leave this out: reuse takes only link and domain'])
        expect((await reuse({ domain: 'nowhere.example' })).body.errors).toHaveProperty('domain')
        expect((await create({ reuse: 'perhaps' })).body.errors).toHaveProperty('reuse')
        const links = [{ link }, { link, reuse: true }]
        const many = await post(waymark(), account, '/v1/generate-links', { links })
        expect([many.status, Object.keys(many.body.errors)]).toEqual([422, ['links.1.reuse']])
        expect(await total()).toBe(0)
        // Null is the default, and false asks for nothing.
        expect((await reuse({ title: null, domain: 'localhost' })).status).toBe(201)
        expect((await create({ reuse: false, title: 'x' })).status).toBe(201)
        expect(await total()).toBe(2)
      })

      it('is kept for its idempotency key', async () => {
        const { account, create } = await furnished()
        const send = () =>
          post(
            waymark(),
            account,
            '/v1/generate-link',
            { link, reuse: true },
            { 'idempotency-key': `key-${account.apiKey}` },
          )
        await create()
        const [one, two] = [await send(), await send()]
        expect([one.status, two.status, two.body]).toEqual([200, 200, one.body])
      })
    })
  },
  { WORKERS: '2' },
)
