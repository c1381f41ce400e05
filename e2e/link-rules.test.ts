import { describe, expect, it } from 'vitest'
import { get, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'

const link = 'https://example.com/'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1'

onStack('embedded', (waymark) => {
  const furnished = async () => {
    const account = await waymark().account()
    const create = async (fields: object) =>
      post(waymark(), account, '/v1/generate-link', { link, ...fields })
    const edit = async (fields: object) => post(waymark(), account, '/v1/edit-links', { link, ...fields })
    const list = async (query: Record<string, string> = {}) =>
      get(waymark(), account, `/v1/links?${new URLSearchParams(query)}`)
    return { account, create, edit, list }
  }
  const visit = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${waymark().url}/${path}`, { redirect: 'manual', headers })
  const locationOf = async (path: string, headers: Record<string, string> = {}) =>
    (await visit(path, headers)).headers.get('location')

  describe('rules', () => {
    it('send visitors by language, device, referrer, query and time, the first that matches', async () => {
      const { create, edit } = await furnished()
      const rules = [
        { if: { before: '2000-01-01T00:00:00.000Z' }, to: `${link}past` },
        { if: { language: ['fr'], device: ['mobile'] }, to: `${link}fr-mobile` },
        { if: { language: ['fr'] }, to: `${link}fr` },
        { if: { referrer: ['news.example'] }, to: `${link}news` },
        { if: { query: ['a=b'] }, to: `${link}query` },
        { if: { os: ['ios'], browser: ['Safari'] }, to: `${link}ios-safari` },
      ]
      const created = (await create({ rules, android_url: `${link}android` })).body.data
      expect(created.rules).toEqual(rules)
      const { code, uuid } = created
      expect(await locationOf(code, { 'accept-language': 'fr-CA,en;q=0.5', 'user-agent': IPHONE })).toBe(
        `${link}fr-mobile`,
      )
      expect(await locationOf(code, { 'accept-language': 'fr' })).toBe(`${link}fr`)
      expect(await locationOf(code, { referer: 'https://www.news.example/today' })).toBe(`${link}news`)
      expect(await locationOf(`${code}?x&a=b`)).toBe(`${link}query`)
      expect(await locationOf(code, { 'user-agent': IPHONE })).toBe(`${link}ios-safari`)
      expect(await locationOf(code, { 'user-agent': 'Mozilla/5.0 (Linux; Android 14)' })).toBe(
        `${link}android`,
      )
      expect(await locationOf(code)).toBe(link)
      expect((await visit(code)).headers.get('vary')).toBe('user-agent, accept-language, referer')
      await edit({ uuid, rules: null, android_url: null })
      expect(await locationOf(code, { 'accept-language': 'fr' })).toBe(link)
      expect((await visit(code)).headers.get('vary')).toBe(null)
    })

    it('are held to the loop rule, each by its name', async () => {
      const { create } = await furnished()
      const own = `${waymark().url}/anything`
      const { status, body } = await create({
        rules: [{ if: {}, to: own }],
        variants: [{ url: link }, { url: own }],
      })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['rules.0.to', 'variants.1.url']])
    })
  })

  describe('variants', () => {
    it('take the place of link, and a visitor keeps his', async () => {
      const { create } = await furnished()
      const variants = [
        { url: `${link}a`, weight: 1, name: 'A' },
        { url: `${link}b`, weight: 1, name: 'B' },
      ]
      const { data } = (await create({ variants })).body
      expect(data.variants).toEqual(variants)
      const seen = new Set<string | null>()
      for (let n = 0; n < 40; n++) {
        const headers = { 'user-agent': `Mozilla/5.0 agent-${n}` }
        const first = await locationOf(data.code, headers)
        expect(await locationOf(data.code, headers)).toBe(first)
        seen.add(first)
      }
      expect(seen).toEqual(new Set([`${link}a`, `${link}b`]))
    })
  })

  describe('forward_query', () => {
    it('adds what the destination has not', async () => {
      const { create } = await furnished()
      const { code } = (await create({ link: `${link}?own=1#f`, forward_query: true })).body.data
      expect(await locationOf(`${code}?own=2&utm_source=x`)).toBe(`${link}?own=1&utm_source=x#f`)
      expect(await locationOf(`${code}?${'q'.repeat(7_000)}`)).toContain('&qqq')
      const long = (await create({ link: `${link}?${'x'.repeat(2_020)}`, forward_query: true })).body.data
      expect(await locationOf(`${long.code}?q=${'y'.repeat(8_000)}`)).toBe(long.link)
    })
  })

  describe('starts_at', () => {
    it('is a page that does not say when, until it is due', async () => {
      const { create, edit } = await furnished()
      const { data } = (await create({ starts_at: '2099-05-06' })).body
      expect(data.starts_at).toBe('2099-05-06T00:00:00.000Z')
      const early = await visit(data.code)
      expect([early.status, early.headers.get('cache-control')]).toEqual([404, 'no-store'])
      const page = await early.text()
      expect(page).toContain('This link is not active yet')
      expect(page).not.toContain('2099')
      await edit({ uuid: data.uuid, starts_at: '2020-01-01' })
      expect((await visit(data.code)).status).toBe(302)
      expect(
        (await edit({ uuid: data.uuid, starts_at: '2098-01-01', expire: '2097-01-01' })).body.errors,
      ).toEqual({
        starts_at: ['Must be before expire'],
      })
    })
  })

  describe('tags', () => {
    it('are found, counted, and cleared', async () => {
      const { account, create, edit, list } = await furnished()
      const { data } = (await create({ tags: ['one', 'two'], archived: true })).body
      expect(data).toMatchObject({ tag: 'one', tags: ['one', 'two'], archived: true, imported_clicks: 0 })
      expect((await list({ tag: 'two' })).body.data).toMatchObject([{ uuid: data.uuid }])
      expect((await get(waymark(), account, '/v1/tags')).body.data).toEqual([
        { tag: 'one', links: 1 },
        { tag: 'two', links: 1 },
      ])
      expect((await edit({ uuid: data.uuid, tag: 'three' })).body.data.tags).toEqual(['three', 'two'])
      expect((await create({ tag: 'a', tags: ['b'] })).body.errors).toEqual({
        tag: ['Must be the first of tags'],
      })
      expect((await edit({ uuid: data.uuid, tag: null })).body.data).toMatchObject({ tag: null, tags: [] })
      expect((await list({ tag: 'two' })).body.meta.total).toBe(0)
    })
  })

  it('a link that is sent back as it was returned stays as it is', async () => {
    const { create, edit } = await furnished()
    const { data } = (
      await create({
        tags: ['a,b', 'c'],
        rules: [{ if: { country: ['DE'], query: ['x="y"'] }, to: link }],
        variants: [{ url: link }, { url: `${link}b`, name: 'Größer' }],
        forward_query: true,
        starts_at: '2020-01-01',
        expire: new Date(Date.now() + 700_000_000).toISOString(),
      })
    ).body
    const { updated_at, ...kept } = data
    const { status, body } = await edit(data)
    expect([status, body.data]).toEqual([200, { ...kept, updated_at: expect.not.stringMatching(updated_at) }])
  })
})
