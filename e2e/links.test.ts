import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { answered, get, json, multipart, post, urlencoded } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

onStack('embedded', (waymark) => {
  let shared: Account | undefined
  const account = async (): Promise<Account> => (shared ??= await waymark().account())
  const create = async (fields: Record<string, unknown>, as?: Account) =>
    post(waymark(), as ?? (await account()), '/v1/generate-link', fields)
  const edit = async (fields: Record<string, unknown>) =>
    post(waymark(), await account(), '/v1/edit-links', fields)
  const visit = (code: string, init: RequestInit = {}) =>
    fetch(`${waymark().url}/${code}`, { redirect: 'manual', ...init })

  describe('generate-link', () => {
    it('answers every field of a new link', async () => {
      const { status, body } = await create({ link: 'https://EXAMPLE.com/a b', description: 'd', tag: 't' })
      expect(status).toBe(201)
      expect(body).toMatchObject({
        status: 'success',
        data: {
          link: 'https://example.com/a%20b',
          description: 'd',
          tag: 't',
          expire: null,
          customLink: null,
          domain: 'localhost',
          clicks: 0,
          last_click_at: null,
          redirect: 302,
          owner: null,
        },
      })
      expect(body.data.code).toMatch(/^[A-Za-z0-9]{7}$/)
      expect(body.data.short_url).toBe(`${waymark().url}/${body.data.code}`)
      expect(body.data.uuid).toMatch(UUID_V7)
      expect(body.data.created_at).toMatch(ISO)
    })

    it('needs only the key, and takes forms', async () => {
      const { apiKey } = await account()
      for (const body of [
        json({ link: 'https://example.com/json' }),
        urlencoded({ link: 'https://example.com/form', max_clicks: '3', description: '' }),
        multipart([{ name: 'link', value: 'https://example.com/multipart' }]),
      ]) {
        const response = await fetch(`${waymark().url}/v1/generate-link`, {
          method: 'POST',
          headers: { 'x-api-key': apiKey, 'content-type': body.type },
          body: new Uint8Array(body.bytes),
        })
        expect(response.status).toBe(201)
      }
    })

    it('keeps the day of an expiry to its end', async () => {
      const { body } = await create({ link: 'https://example.com', expire: '2099-02-28' })
      expect(body.data.expire).toBe('2099-02-28T23:59:59.999Z')
      const exact = await create({ link: 'https://example.com', expire: '2099-02-28T10:00:00+02:00' })
      expect(exact.body.data.expire).toBe('2099-02-28T08:00:00.000Z')
    })

    it('409 for a taken code, whoever has it, and case counts', async () => {
      const code = `Taken${Date.now()}`
      expect((await create({ link: 'https://example.com', customLink: code })).status).toBe(201)
      const other = await waymark().account()
      const { status, body } = await create({ link: 'https://example.com', customLink: code }, other)
      expect([status, Object.keys(body.errors)]).toEqual([409, ['customLink']])
      expect(
        (await create({ link: 'https://example.com', customLink: code.toLowerCase() }, other)).status,
      ).toBe(201)
    })

    it('422 for loops, whether the code exists or not', async () => {
      const own = waymark().url
      for (const link of [`${own}/abc`, `${own}/abc?x=1`, `${own}/abc#x`]) {
        const { status, body } = await create({ link })
        expect([link, status, Object.keys(body.errors ?? {})]).toEqual([link, 422, ['link']])
      }
      expect((await create({ link: `${own}/app` })).status).toBe(201)
      expect((await create({ link: `${own}/p/page` })).status).toBe(201)
      expect(
        (await create({ link: 'https://example.com', ios_url: `${own}/abc` })).body.errors,
      ).toHaveProperty('ios_url')
    })

    it('422 for loops through the addresses of this machine, on our own port', async () => {
      const { port } = waymark()
      for (const host of [
        '127.0.0.1',
        '[::1]',
        'localhost.',
        '0.0.0.0',
        '[::]',
        '127.9',
        '[::ffff:7f00:1]',
        hostname(),
      ]) {
        const { status, body } = await create({ link: `http://${host}:${port}/abc` })
        expect([host, status, Object.keys(body.errors ?? {})]).toEqual([host, 422, ['link']])
      }
      expect((await create({ link: `http://127.0.0.1:${port === 9 ? 10 : 9}/abc` })).status).toBe(201)
      const dotted = await create({ link: 'https://example.com./abc' })
      expect(dotted.body.data.link).toBe('https://example.com/abc')
    })

    it('422 for an unknown domain', async () => {
      const { status, body } = await create({ link: 'https://example.com', domain: 'nowhere.example' })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['domain']])
      expect((await create({ link: 'https://example.com', domain: 'localhost' })).status).toBe(201)
    })

    it('gives one of fifty the code that all ask for', async () => {
      const customLink = `race${Date.now()}`
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => create({ link: 'https://example.com', customLink })),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    })
  })

  describe('edit-links', () => {
    it('keeps what is left out, clears what is null, and renames without breaking the old code', async () => {
      const made = (
        await create({ link: 'https://example.com/1', description: 'd', tag: 't', expire: '2099-01-01' })
      ).body.data
      const renamed = await edit({
        uuid: made.uuid,
        link: 'https://example.com/2',
        customLink: `new${Date.now()}`,
      })
      expect(renamed.body.data).toMatchObject({
        description: 'd',
        tag: 't',
        expire: '2099-01-01T23:59:59.999Z',
      })
      expect(renamed.body.data.updated_at > made.created_at).toBe(true)
      for (const code of [made.code, renamed.body.data.code])
        expect((await visit(code)).headers.get('location')).toBe('https://example.com/2')
      const cleared = await edit({
        uuid: made.uuid,
        link: 'https://example.com/2',
        description: null,
        expire: null,
      })
      expect(cleared.body.data).toMatchObject({ description: null, expire: null, tag: 't' })
    })

    it('422 without link, 404 for unknown and for others', async () => {
      const { uuid } = (await create({ link: 'https://example.com' })).body.data
      expect((await edit({ uuid })).body.errors).toHaveProperty('link')
      expect((await edit({ uuid: 'nope', link: 'https://example.com' })).status).toBe(404)
      const other = await waymark().account()
      for (const path of ['/v1/edit-links', '/v1/remove-links']) {
        const theirs = await post(waymark(), other, path, { uuid, link: 'https://example.com' })
        const unknown = await post(waymark(), other, path, {
          uuid: uuid.replace(/.$/, '0'),
          link: 'https://example.com',
        })
        expect([theirs.status, theirs.body]).toEqual([404, unknown.body])
      }
    })
  })

  describe('remove-links', () => {
    it('ends the link with 410, and nobody else gets its code', async () => {
      const code = `gone${Date.now()}`
      const { uuid } = (await create({ link: 'https://example.com', customLink: code })).body.data
      expect((await visit(code)).status).toBe(302)
      expect((await post(waymark(), await account(), '/v1/remove-links', { uuid })).status).toBe(200)
      expect((await visit(code)).status).toBe(410)
      expect(
        (await create({ link: 'https://example.com', customLink: code }, await waymark().account())).status,
      ).toBe(409)
      expect((await post(waymark(), await account(), '/v1/remove-links', { uuid })).status).toBe(404)
    })
  })

  describe('links', () => {
    it('pages through newest first, stable while rows are added, with exact totals', async () => {
      const own = await waymark().account()
      for (let n = 0; n < 7; n++)
        await create({ link: `https://example.com/${n}`, tag: n % 2 ? 'odd' : 'even' }, own)
      const first = await get(waymark(), own, '/v1/links?limit=3')
      expect(first.body.meta).toMatchObject({ count: 3, total: 7 })
      expect(first.body.data.map((link: { link: string }) => link.link)).toEqual(
        [6, 5, 4].map((n) => `https://example.com/${n}`),
      )
      await create({ link: 'https://example.com/new' }, own)
      const second = await get(waymark(), own, `/v1/links?limit=3&cursor=${first.body.meta.next_cursor}`)
      expect(second.body.data.map((link: { link: string }) => link.link)).toEqual(
        [3, 2, 1].map((n) => `https://example.com/${n}`),
      )
      const last = await get(waymark(), own, `/v1/links?limit=3&cursor=${second.body.meta.next_cursor}`)
      expect(last.body.meta).toMatchObject({ count: 1, total: 8, next_cursor: null })
      const odd = await get(waymark(), own, '/v1/links?tag=odd')
      expect(odd.body.meta).toMatchObject({ count: 3, total: 3 })
      const found = await get(waymark(), own, '/v1/links?search=EXAMPLE.com%2F5')
      expect(found.body.meta).toMatchObject({ count: 1, total: 1 })
      expect((await get(waymark(), own, '/v1/links?search=%25')).body.meta.total).toBe(0)
      const tags = (await get(waymark(), own, '/v1/tags')).body
      expect(tags.data).toEqual([
        { tag: 'even', links: 4 },
        { tag: 'odd', links: 3 },
      ])
      expect(tags.meta).toEqual({ count: 2, total: 2, next_cursor: null })
    })

    it('400 for a bad cursor, 422 for a bad limit', async () => {
      const own = await account()
      expect((await get(waymark(), own, '/v1/links?cursor=nonsense')).status).toBe(400)
      for (const limit of ['0', '1001', 'x', '1.5', '0x10', '1e2', '1.0', '+5', '%205', '5&limit=5', ''])
        expect((await get(waymark(), own, `/v1/links?limit=${limit}`)).body.errors).toHaveProperty('limit')
    })
  })

  describe('redirects', () => {
    it('302 with the headers of decisions, HEAD without counting, and the click within a second', async () => {
      const { code, uuid } = (await create({ link: 'https://example.com/there' })).body.data
      const response = await visit(code, {
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/120 Safari/537.36' },
      })
      expect([
        response.status,
        response.headers.get('location'),
        response.headers.get('cache-control'),
      ]).toEqual([302, 'https://example.com/there', 'private, max-age=0'])
      expect((await visit(code, { method: 'HEAD' })).status).toBe(302)
      expect((await visit(code, { headers: { 'user-agent': 'Googlebot/2.1' } })).status).toBe(302)
      const clicks = async (): Promise<number> =>
        (await get(waymark(), await account(), `/v1/links?search=${code}`)).body.data.find(
          (link: { uuid: string }) => link.uuid === uuid,
        ).clicks
      await expect.poll(clicks).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 700))
      expect(await clicks()).toBe(1)
    })

    it('uses the status of the link', async () => {
      for (const redirect of [301, 302, 307, 308]) {
        const { code } = (await create({ link: 'https://example.com', redirect })).body.data
        expect((await visit(code)).status).toBe(redirect)
      }
    })

    it('404 for unknown and 410 for expired, as pages and as JSON', async () => {
      const soon = new Date(Date.now() + 5_000).toISOString()
      const { code } = (await create({ link: 'https://example.com', expire: soon })).body.data
      expect((await visit(code)).status).toBe(302)
      await expect.poll(async () => (await visit(code)).status).toBe(410)
      const gone = await visit(code)
      expect([gone.status, gone.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8'])
      const json404 = await answered(await visit('nothing', { headers: { accept: 'application/json' } }))
      expect([json404.status, typeof json404.body.error]).toEqual([404, 'string'])
    })

    it('sees an edit at once', async () => {
      const { code, uuid } = (await create({ link: 'https://example.com/old' })).body.data
      expect((await visit(code)).headers.get('location')).toBe('https://example.com/old')
      await edit({ uuid, link: 'https://example.com/new' })
      expect((await visit(code)).headers.get('location')).toBe('https://example.com/new')
    })

    it('goes to the dashboard from the root', async () => {
      const response = await fetch(`${waymark().url}/`, { redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([302, '/app'])
    })
  })
})
