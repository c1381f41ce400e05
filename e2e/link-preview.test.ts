import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { png } from './support/pictures.ts'
import { get, multipart, type Part, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const link = 'https://example.com/secret-place'
const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0'
const preview = { title: 'A <b>"title"</b>', description: "What it's about" }

onStack('embedded', (waymark) => {
  let account: Account
  beforeAll(async () => {
    account = await waymark().account()
  })
  const call = (path: string, fields: Parameters<typeof post>[3]) => post(waymark(), account, path, fields)
  const create = async (fields: object) => (await call('/v1/generate-link', { link, ...fields })).body.data
  const visit = (path: string, agent = SLACK, method = 'GET') =>
    fetch(`${waymark().url}/${path}`, { redirect: 'manual', method, headers: { 'user-agent': agent } })
  const card = async (code: string) => (await visit(code)).text()
  const imageIn = (html: string): string =>
    /<meta property="og:image" content="([^"]+)">/.exec(html)?.[1] ?? 'no image'
  const form = (...parts: Part[]) => multipart([{ name: 'link', value: link }, ...parts])
  const upload = (value: Buffer, name = 'preview[image]'): Part => ({
    name,
    value,
    filename: 'photo.png',
    type: 'image/png',
  })

  describe('the preview of a link', () => {
    it('is shown to preview fetchers as text, and everyone else is redirected', async () => {
      const created = await create({ preview })
      expect(created.preview).toEqual({ ...preview, image: null })
      const { code, short_url, uuid } = created
      // The first of them finds the link in no cache.
      for (const agent of [SLACK, 'WhatsApp/2.23.20.0 A', 'TelegramBot (like TwitterBot)', SLACK]) {
        const shown = await visit(code, agent)
        const html = await shown.text()
        expect([shown.status, shown.headers.get('location')]).toEqual([200, null])
        expect(html).toContain('<meta property="og:title" content="A &lt;b&gt;&quot;title&quot;&lt;/b&gt;">')
        expect(html).toContain('<meta name="twitter:card" content="summary_large_image">')
        expect(html).toContain(`<meta property="og:url" content="${short_url}">`)
        expect(html).not.toMatch(/secret-place|<b>|<script/)
        expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
        expect(shown.headers.get('cache-control')).toBe('no-store')
        expect(shown.headers.get('x-robots-tag')).toBe('noindex')
      }
      const head = await visit(code, SLACK, 'HEAD')
      expect([head.status, head.headers.get('x-robots-tag'), await head.text()]).toEqual([200, 'noindex', ''])
      const sent = await visit(code, BROWSER)
      expect([sent.status, sent.headers.get('location'), sent.headers.get('vary')]).toEqual([
        302,
        link,
        'user-agent',
      ])
      const simulated = { uuid, user_agent: SLACK }
      expect((await call('/v1/simulate-link', simulated)).body.data).toMatchObject({
        status: 200,
        url: null,
        reason: 'preview',
      })
      const listed = async () => (await get(waymark(), account, `/v1/links?uuid=${uuid}`)).body.data[0]
      await expect.poll(async () => (await listed()).clicks).toBe(1)
      expect((await listed()).preview).toEqual(created.preview)
      await call('/v1/edit-links', { uuid, link, preview: null })
      expect((await visit(code)).headers.get('location')).toBe(link)
    })

    it('comes after the start, the expiry and the click limit, and before the password', async () => {
      const kept = await create({ preview, password: 'sesame', max_clicks: 1 })
      expect(await card(kept.code)).toContain('og:title')
      const early = await create({ preview, starts_at: '2099-01-01' })
      expect((await visit(early.code)).status).toBe(404)
      const few = await create({ preview, max_clicks: 1 })
      for (let n = 0; n < 3; n++) expect((await visit(few.code)).status).toBe(200)
      expect((await visit(few.code, BROWSER)).status).toBe(302)
      expect((await visit(few.code)).status).toBe(410)
      const image = new URL(imageIn(await card(kept.code)))
      await call('/v1/remove-links', { uuid: kept.uuid })
      expect([(await visit(kept.code)).status, (await fetch(image)).status]).toEqual([410, 410])
    })

    it('has a picture that is drawn from its text', async () => {
      const { code, uuid } = await create({ preview })
      const before = imageIn(await card(code))
      expect(before).toContain(`${waymark().url}/o/links/${code}.png?v=`)
      const served = await fetch(before)
      expect([
        served.status,
        served.headers.get('content-type'),
        served.headers.get('cache-control'),
      ]).toEqual([200, 'image/png', 'public, max-age=31536000, immutable'])
      const { width, height } = await sharp(await served.bytes()).metadata()
      expect([width, height]).toEqual([1200, 630])
      await call('/v1/edit-links', { uuid, link, preview: { title: 'Another' } })
      expect(imageIn(await card(code))).not.toBe(before)
      const plain = await create({})
      expect((await fetch(`${waymark().url}/o/links/${plain.code}.png`)).status).toBe(404)
    })

    it('has an uploaded picture, which is kept by its URL, replaced and removed', async () => {
      const first = await call('/v1/generate-link', form(upload(png(200))))
      expect(first.status).toBe(201)
      const { uuid, code, short_url, preview: shown } = first.body.data
      expect(shown).toEqual({ title: null, description: null, image: imageIn(await card(code)) })
      expect(await card(code)).toContain(
        `<meta property="og:title" content="${short_url.replace(/^https?:\/\//, '')}">`,
      )
      const served = await fetch(shown.image)
      expect(served.headers.get('content-type')).toBe('image/jpeg')
      expect((await sharp(await served.bytes()).metadata()).format).toBe('jpeg')
      const kept = await call('/v1/edit-links', { uuid, link, preview: { ...shown, title: 'Kept' } })
      expect(kept.body.data.preview).toEqual({ title: 'Kept', description: null, image: shown.image })
      const other = await call(
        '/v1/edit-links',
        form({ name: 'uuid', value: uuid }, upload(png(0, 200)), { name: 'preview[title]', value: 'New' }),
      )
      expect(other.body.data.preview).toMatchObject({ title: 'New', description: null })
      expect(other.body.data.preview.image).not.toBe(shown.image)
      await expect.poll(async () => (await fetch(shown.image)).status).toBe(410)
      const none = await call('/v1/edit-links', { uuid, link, preview: { image: null } })
      expect(none.body.data.preview).toEqual({ title: 'New', description: null, image: null })
    })

    it('is created with many links at once, and travels in CSV files without its picture', async () => {
      const many = await call(
        '/v1/generate-links',
        multipart([
          { name: 'links[0][link]', value: link },
          { name: 'links[0][customLink]', value: `card-${Date.now()}` },
          { name: 'links[0][preview][description]', value: 'of many' },
          upload(png(0, 0, 200), 'links[0][preview][image]'),
        ]),
      )
      expect(many.status).toBe(201)
      const [{ code, preview: shown }] = many.body.data
      expect(shown).toMatchObject({ description: 'of many', image: expect.stringMatching(/\.jpg$/) })
      const csv = (await get(waymark(), account, `/v1/export-links?search=${code}`)).body
      const other = await waymark().account()
      const imported = await post(
        waymark(),
        other,
        '/v1/import-links',
        multipart([
          { name: 'file', value: Buffer.from(String(csv)), filename: 'links.csv', type: 'text/csv' },
          { name: 'on_taken', value: 'rename' },
        ]),
      )
      expect(imported.status).toBe(201)
      const [copy] = (await get(waymark(), other, '/v1/links')).body.data
      expect(copy.preview).toEqual({ title: null, description: 'of many', image: null })
    })

    it('rejects what is no text, no picture, or another picture', async () => {
      const faults = async (fields: object) => {
        const { status, body } = await call('/v1/generate-link', { link, preview: fields })
        return [status, Object.keys(body.errors)]
      }
      expect(await faults({ title: 1, description: 'x'.repeat(2049) })).toEqual([
        422,
        ['preview.title', 'preview.description'],
      ])
      expect(await faults({ image: 'https://example.com/a.png' })).toEqual([422, ['preview.image']])
      const huge = { create: { width: 6400, height: 6407, channels: 3, background: '#336699' } } as const
      for (const bytes of [await sharp(huge).png().toBuffer(), Buffer.from('<svg/>')]) {
        const { status, body } = await call('/v1/generate-link', form(upload(bytes)))
        expect([status, Object.keys(body.errors)]).toEqual([422, ['preview.image']])
      }
    })
  })
})
