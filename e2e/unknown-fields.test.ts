import { beforeAll, describe, expect, it } from 'vitest'
import { leastForm, newSlug, picture, upload } from './support/pages.ts'
import { type Encoded, get, json, multipart, post, urlencoded } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const url = 'https://example.com/'
const strict = { prefer: 'handling=strict' }

onStack('embedded', (waymark) => {
  let account: Account
  beforeAll(async () => {
    account = await waymark().account()
  })
  const send = (path: string, body: Encoded | Record<string, unknown>, headers = {}) =>
    post(waymark(), account, path, body, headers)

  describe('a field that an operation does not know', () => {
    it('is ignored and named, in every body format and in the query', async () => {
      for (const [body, target] of [
        [{ link: url, customlink: 'a' }, '/v1/generate-link'],
        [urlencoded({ link: url, customlink: 'a' }), '/v1/generate-link'],
        [
          multipart([
            { name: 'link', value: url },
            { name: 'customlink', value: 'a' },
          ]),
          '/v1/generate-link',
        ],
        [{ link: url }, '/v1/generate-link?customlink=a'],
      ] as const) {
        const { status, body: answer } = await send(target, body)
        expect([status, answer.ignored]).toEqual([201, ['customlink']])
      }
      const listed = await get(waymark(), account, '/v1/links?limit=1&offset=2')
      expect([listed.status, listed.body.ignored]).toEqual([200, ['offset']])
    })

    it('is named with dots where it is nested', async () => {
      const { body } = await send('/v1/generate-links', { links: [{ link: url }, { link: url, Tag: 'x' }] })
      expect(body.ignored).toEqual(['links.1.Tag'])
    })

    it('is not mentioned where there is none', async () => {
      const { body } = await send('/v1/generate-link', { link: url })
      expect(body).not.toHaveProperty('ignored')
    })

    it('is an error with Prefer: handling=strict, together with what else is wrong', async () => {
      const { status, body } = await send('/v1/generate-link', { link: 'no', customlink: 'a' }, strict)
      expect(status).toBe(422)
      expect(Object.keys(body.errors).toSorted()).toEqual(['customlink', 'link'])
      const listed = await get(waymark(), account, '/v1/links?offset=2', strict)
      expect([listed.status, Object.keys(listed.body.errors)]).toEqual([422, ['offset']])
      expect((await send('/v1/generate-link', { link: url }, strict)).status).toBe(201)
    })

    it('may have a name that every object has', async () => {
      const names = ['__proto__', 'constructor', 'toString']
      const sent = json(`{"link":"${url}","__proto__":{"tag":"x"},"constructor":1,"toString":null}`)
      const asForm = urlencoded({ link: url, ['__proto__']: 'x', constructor: '1', toString: '' })
      for (const body of [sent, asForm]) {
        const { status, body: answer } = await send('/v1/generate-link', body)
        expect([status, answer.ignored, answer.data.tag]).toEqual([201, names, null])
        const rejected = await send('/v1/generate-link', body, strict)
        expect([rejected.status, Object.keys(rejected.body.errors)]).toEqual([422, names])
      }
      const target = `/v1/links?${names.join('=1&')}`
      expect((await get(waymark(), account, target)).body.ignored).toEqual(names)
      const listed = await get(waymark(), account, target, strict)
      expect([listed.status, Object.keys(listed.body.errors)]).toEqual([422, names])
    })

    it('is named again when the answer is replayed', async () => {
      const once = { 'idempotency-key': `ignored-${Date.now()}` }
      const body = { link: url, customlink: 'a' }
      const [first, second] = [
        await send('/v1/generate-link', body, once),
        await send('/v1/generate-link', body, once),
      ]
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      expect(second.body).toEqual(first.body)
      expect(second.body.ignored).toEqual(['customlink'])
    })
  })

  describe('a resource that is sent back whole is accepted with strict handling', () => {
    const pictureForm = async (fields: Record<string, string>): Promise<Encoded> =>
      multipart([
        ...Object.entries(fields).map(([name, value]) => ({ name, value })),
        upload('logo', await picture()),
      ])
    const edited = async (path: string, resource: object, changes: object) => {
      const { status, body } = await send(path, { ...resource, ...changes }, strict)
      expect([status, body.errors, body.ignored]).toEqual([200, undefined, undefined])
      expect(body.data).toMatchObject(changes)
      return body.data
    }

    it('links, clicked ones and those of other resources included', async () => {
      const { data } = (await send('/v1/generate-link', { link: url, tag: 'x' })).body
      await fetch(data.short_url, {
        redirect: 'manual',
        headers: { 'user-agent': 'Mozilla/5.0 Firefox/141.0' },
      })
      await edited('/v1/edit-links', data, { title: 'new' })
      const utm = { url, source: 's', medium: 'm', campaign: 'c', content: 'x', shorten: true }
      const made = (await send('/v1/generate-utm', utm)).body.data
      await edited('/v1/edit-utm', made, { term: 'new' })
      const owned = (await get(waymark(), account, '/v1/links?limit=1')).body.data[0]
      expect(owned.owner).toEqual({ type: 'utm', uuid: made.uuid })
      await edited('/v1/edit-links', owned, { title: 'new' })
    })

    it('links that have expired meanwhile', async () => {
      const expire = new Date(Date.now() + 1500).toISOString()
      const { data } = (await send('/v1/generate-link', { link: url, expire })).body
      await expect.poll(() => Date.now() > Date.parse(expire)).toBe(true)
      const after = await edited('/v1/edit-links', data, { title: 'new' })
      expect(after.expire).toBe(expire)
      const other = { ...data, expire: '2020-01-01' }
      expect((await send('/v1/edit-links', other, strict)).body.errors).toHaveProperty('expire')
    })

    it('QR codes with a logo, and barcodes', async () => {
      const qr = (await send('/v1/generate-qr', await pictureForm({ url, pattern: 'dots' }))).body.data
      const after = await edited('/v1/edit-qr', qr, { description: 'new' })
      expect(after.logo).toBe(qr.logo)
      await edited(
        '/v1/edit-qr',
        { uuid: qr.uuid, logo: qr.logo },
        { description: 'without the other fields' },
      )
      const barcode = (await send('/v1/generate-barcode', { url, text: 'A' })).body.data
      await edited('/v1/edit-barcode', barcode, { description: 'new' })
    })

    it('pages of the form schema', async () => {
      const form = [...(await leastForm(newSlug())), upload('logo', await picture())]
      const page = (await send('/v1/generate-page', multipart(form))).body.data
      const after = await edited('/v1/edit-page', page, { title: 'new' })
      for (const part of ['theme', 'topShape', 'images', 'buttons', 'logo', 'logoStatus'])
        expect(after[part], part).toEqual(page[part])
      const theme = { ...page.theme, bg: '#0000ff', bgColor: '#0000ff' }
      expect((await edited('/v1/edit-page', page, { theme })).theme.bg).toBe('#0000ff')
    })

    it('profiles and webhooks', async () => {
      await send('/v1/update-personal-info', multipart([upload('image', await picture())]))
      const { data } = (await get(waymark(), account, '/v1/profile')).body
      const after = await edited('/v1/update-personal-info', data, { first_name: 'Ada' })
      expect(after.image).toBe(data.image)
      const hook = (await send('/v1/add-webhook', { url: 'https://hooks.example/a' })).body.data
      await edited('/v1/edit-webhook', { ...hook, secret: undefined }, { url: 'https://hooks.example/b' })
    })

    it('and a field of the answer that was changed is named', async () => {
      const { data } = (await send('/v1/generate-link', { link: url })).body
      for (const [field, value] of [
        ['short_url', 'https://example.com/other'],
        ['clicks', 1000],
        ['created_at', '2020-01-01T00:00:00.000Z'],
      ] as const) {
        const body = { ...data, [field]: value }
        const lenient = await send('/v1/edit-links', body)
        expect([lenient.status, lenient.body.ignored]).toEqual([200, [field]])
        const refused = await send('/v1/edit-links', body, strict)
        expect([refused.status, refused.body.errors]).toEqual([422, { [field]: ['This field is read only'] }])
      }
      const typo = await send('/v1/edit-links', { ...data, shorturl: 'x', clicks: 1000 }, strict)
      expect(typo.body.errors).toEqual({
        shorturl: ['This field is not known'],
        clicks: ['This field is read only'],
      })
    })
  })
})
