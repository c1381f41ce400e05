import { describe, expect, it } from 'vitest'
import { BROWSER, until, wrongFields } from './support/pages.ts'
import { get, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const tags = { source: 'google', medium: 'cpc', campaign: 'spring', content: 'banner' }
const required = ['campaign', 'content', 'medium', 'source', 'url']

onStack('embedded', (waymark) => {
  let shared: Account | undefined
  const account = async (): Promise<Account> => (shared ??= await waymark().account())
  const call = async (path: string, body: Record<string, unknown>, as?: Account) =>
    post(waymark(), as ?? (await account()), path, body)
  const create = (fields: Record<string, unknown> = {}, as?: Account) =>
    call('/v1/generate-utm', { url: 'https://example.com/', ...tags, ...fields }, as)
  const edit = (fields: Record<string, unknown>) =>
    call('/v1/edit-utm', { url: 'https://example.com/', ...tags, ...fields })
  const warningsOf = async (fields: Record<string, unknown>, as?: Account): Promise<string> =>
    ((await create(fields, as)).body.data.warnings as string[]).join('\n')

  it('answers every field of a new UTM link', async () => {
    const { status, body } = await create({ url: 'https://example.com/a?x=1#top', term: 'shoes' })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      url: 'https://example.com/a?x=1#top',
      ...tags,
      term: 'shoes',
      shorten: false,
      utm_url:
        'https://example.com/a?x=1&utm_source=google&utm_medium=cpc&utm_campaign=spring&utm_term=shoes&utm_content=banner#top',
      short_url: null,
      clicks: 0,
      warnings: [],
    })
    const listed = await get(waymark(), await account(), '/v1/utm?search=SHOES')
    expect(listed.body.data).toEqual([body.data])
  })

  it('replaces the tags that were there, and keeps every other byte', async () => {
    const url =
      'https://example.com/p%61th/?a=%20+&&b&utm_source=old&utm_id=7&c=%E4&UTM_Source=kept&d=1;2&utm_medium#/x?y=1#z'
    const { body } = await create({ url })
    expect(body.data.utm_url).toBe(
      'https://example.com/p%61th/?a=%20+&&b&c=%E4&UTM_Source=kept&d=1;2&utm_source=google&utm_medium=cpc&utm_campaign=spring&utm_content=banner#/x?y=1#z',
    )
    expect(body.data.warnings).toEqual([
      'The address already has utm_source, utm_id, utm_medium: UTM parameters of the address are replaced by those given here',
    ])
  })

  it.each([
    'a&b=c#d',
    'a b+c',
    '100%',
    'ünï 日本 🎉',
    '"<script>\'',
    '%20',
    '\\',
    'a/b?c',
    "it's (a) *test*!",
  ])('%j comes back as typed', async (value) => {
    const { body } = await create({
      source: value,
      medium: value,
      campaign: value,
      content: value,
      term: value,
    })
    const query = new URL(body.data.utm_url).searchParams
    for (const name of ['source', 'medium', 'campaign', 'content', 'term'])
      expect(query.get(`utm_${name}`)).toBe(value)
    expect(body.data).toMatchObject({ source: value, term: value })
  })

  it('refuses what is missing or no address, all at once', async () => {
    expect(wrongFields(await call('/v1/generate-utm', {}))).toEqual(required)
    const empty = Object.fromEntries(required.map((field) => [field, '']))
    expect(wrongFields(await call('/v1/generate-utm', empty))).toEqual(required)
    const wrong = {
      url: 'javascript:alert(1)',
      source: 1,
      medium: null,
      campaign: 'x'.repeat(2049),
      content: '\0',
    }
    expect(wrongFields(await call('/v1/generate-utm', wrong))).toEqual(required)
    expect(wrongFields(await call('/v1/edit-utm', {}))).toEqual([...required, 'uuid'].toSorted())
    expect((await edit({ uuid: crypto.randomUUID() })).status).toBe(404)
    expect((await call('/v1/remove-utm', { uuid: 'x' })).status).toBe(404)
  })

  describe('shorten', () => {
    it('makes a tracked short link, which edits move and removing removes', async () => {
      const made = (await create({ shorten: true })).body.data
      expect(made).toMatchObject({ shorten: true, clicks: 0 })
      const follow = () => fetch(made.short_url, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
      expect((await follow()).headers.get('location')).toBe(made.utm_url)
      const links = await get(waymark(), await account(), '/v1/links?limit=1')
      expect(links.body.data[0]).toMatchObject({
        owner: { type: 'utm', uuid: made.uuid },
        link: made.utm_url,
      })
      const { uuid: linkUuid } = links.body.data[0]
      expect((await call('/v1/remove-links', { uuid: linkUuid })).status).toBe(409)
      expect((await call('/v1/edit-links', { uuid: linkUuid, link: 'https://example.com/x' })).status).toBe(
        409,
      )

      const moved = (await edit({ uuid: made.uuid, campaign: 'autumn' })).body.data
      expect(moved).toMatchObject({ short_url: made.short_url, shorten: true })
      expect((await follow()).headers.get('location')).toContain('utm_campaign=autumn')
      const clicks = async () =>
        (await get(waymark(), await account(), '/v1/utm?search=autumn')).body.data[0].clicks as number
      expect(await until(clicks, (count) => count >= 2)).toBe(2)
      await call('/v1/remove-utm', { uuid: made.uuid })
      expect((await follow()).status).toBe(410)
    })

    it('can be asked for later, and taken back', async () => {
      const { uuid } = (await create()).body.data
      const shortened = (await edit({ uuid, shorten: true })).body.data
      expect(shortened.short_url).toMatch(/^http/)
      for (const shorten of [false, null]) {
        const made = (await create({ shorten: true })).body.data
        const taken = (await edit({ uuid: made.uuid, shorten })).body.data
        expect(taken).toMatchObject({ shorten: false, short_url: null })
        expect((await fetch(made.short_url, { redirect: 'manual' })).status).toBe(410)
      }
    })

    it('refuses to lead in circles or further than a link can', async () => {
      const { short_url } = (await create({ shorten: true })).body.data
      expect(wrongFields(await create({ url: short_url, shorten: true }))).toEqual(['url'])
      expect(wrongFields(await create({ content: 'x'.repeat(2048), shorten: true }))).toEqual(['shorten'])
      expect((await create({ content: 'x'.repeat(2048) })).status).toBe(201)
    })
  })

  it('keeps term when it is left out, and clears it with null', async () => {
    const { uuid } = (await create({ term: 't' })).body.data
    expect((await edit({ uuid })).body.data.term).toBe('t')
    expect((await edit({ uuid, term: null })).body.data).toMatchObject({ term: null })
  })

  describe('warnings', () => {
    it('say what people who run campaigns would want to know', async () => {
      const own = await waymark().account()
      expect(await warningsOf({ source: 'Newsletter' }, own)).toContain('capital letters')
      expect(await warningsOf({ campaign: 'two words' }, own)).toContain('spaces')
      expect(await warningsOf({ source: 'cpc', medium: 'google' }, own)).toContain('swapped')
      expect(await warningsOf({ source: 'kiosk', medium: 'banana' }, own)).toContain('Unassigned')
      expect(await warningsOf({ url: 'https://example.com/#utm_source=a' }, own)).toContain('after the #')
      expect(await warningsOf({ url: `${waymark().url}/abc1234` }, own)).toContain('own short links')
    })

    it('know how a value was written before, by the same account', async () => {
      const [own, other] = [await waymark().account(), await waymark().account()]
      await create({ campaign: 'BlackFriday' }, own)
      expect(await warningsOf({ campaign: 'blackfriday' }, own)).toContain('"BlackFriday" before')
      expect(await warningsOf({ campaign: 'blackfriday' }, other)).toBe('')
      expect(await warningsOf({ campaign: 'blackfridays' }, own)).toBe('')
      await create({ campaign: 'ÜBER' }, own)
      expect(await warningsOf({ campaign: 'über' }, own)).toContain('"ÜBER" before')
    })

    it('are made anew by an edit, which does not hold a link against itself', async () => {
      const own = await waymark().account()
      const { uuid } = (await create({ campaign: 'Solo' }, own)).body.data
      const { data } = (
        await call('/v1/edit-utm', { uuid, url: 'https://example.com/', ...tags, campaign: 'solo' }, own)
      ).body
      expect(data.warnings).toEqual([])
      const listed = await get(waymark(), own, '/v1/utm')
      expect(listed.body.data[0].warnings).toEqual([])
    })
  })

  it('is not open to other accounts', async () => {
    const other = await waymark().account()
    const { uuid } = (await create()).body.data
    expect((await call('/v1/edit-utm', { uuid, url: 'https://example.com', ...tags }, other)).status).toBe(
      404,
    )
    expect((await call('/v1/remove-utm', { uuid }, other)).status).toBe(404)
    expect((await get(waymark(), other, '/v1/utm')).body.meta.total).toBe(0)
  })

  it('lists page by page, and totals follow', async () => {
    const own = await waymark().account()
    for (let n = 0; n < 5; n++) await create({ campaign: `c${n}` }, own)
    const first = await get(waymark(), own, '/v1/utm?limit=3')
    expect(first.body.meta).toMatchObject({ count: 3, total: 5 })
    const rest = await get(waymark(), own, `/v1/utm?limit=3&cursor=${first.body.meta.next_cursor}`)
    expect(rest.body.meta).toEqual({ count: 2, total: 5, next_cursor: null })
    await call('/v1/remove-utm', { uuid: rest.body.data[0].uuid }, own)
    expect((await get(waymark(), own, '/v1/utm')).body.meta.total).toBe(4)
  })
})
