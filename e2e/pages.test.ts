import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import {
  leastNested,
  newSlug,
  pageForm,
  picture,
  upload,
  statusOnceGone,
  wrongFields,
} from './support/pages.ts'
import { get, multipart, type Part, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

onStack('embedded', (waymark) => {
  let shared: Account | undefined
  const account = async (): Promise<Account> => (shared ??= await waymark().account())
  const call = async (path: string, body: Parameters<typeof post>[3], as?: Account) =>
    post(waymark(), as ?? (await account()), path, body)
  const createForm = async (slug: string, more: readonly Part[] = []) =>
    call('/v1/generate-page', await pageForm(slug, more))
  const createNested = (fields: Record<string, unknown> = {}) =>
    call('/v1/generate-page', { ...leastNested(newSlug()), ...fields })
  const total = async (path: string): Promise<number> =>
    (await get(waymark(), await account(), path)).body.meta.total as number

  describe('generate-page', () => {
    it('makes the page, a short link to it and a QR code of that', async () => {
      const slug = newSlug()
      const { status, body } = await createForm(slug, [{ name: 'subtext', value: 'under it' }])
      expect(status).toBe(201)
      const { data } = body
      expect(data).toMatchObject({
        title: 'A page',
        subtext: 'under it',
        subtitle: 'under it',
        slug,
        domain: 'localhost',
        logoText: null,
        logoStatus: 1,
        logoPosition: 'top-left',
        logo: null,
        socialAlign: 'center',
        socialIcons: [],
        topShape: { color: null, height: null, clip: null },
        buttons: [{ id: 1, status: 1, label: 'Go', url: null }],
        images: [{ id: 1, status: 1, title: null }],
        page_url: `${waymark().url}/p/${slug}`,
        views: 0,
      })
      expect(data.short_link).toMatchObject({ link: data.page_url, owner: { type: 'page', uuid: data.uuid } })
      expect(data.qr_code.encodes).toBe(data.short_link.short_url)
      const redirect = await fetch(data.short_link.short_url, { redirect: 'manual' })
      expect(redirect.headers.get('location')).toBe(data.page_url)
      expect((await fetch(data.page_url)).status).toBe(200)
      expect((await fetch(data.images[0].src)).headers.get('content-type')).toBe('image/webp')
      const listed = await get(waymark(), await account(), `/v1/pages?search=${slug}`)
      expect(listed.body.data).toEqual([data])
      expect(listed.body.meta).toEqual({ count: 1, total: 1, next_cursor: null })
    })

    it('takes every field of the form schema with bracket names', async () => {
      const logo = await picture('#00aa88')
      const { status, body } = await createForm(newSlug(), [
        { name: 'logoText', value: 'Logo' },
        upload('logo', logo),
        { name: 'socialAlign', value: 'right' },
        { name: 'socialIcons[][name]', value: 'facebook' },
        { name: 'socialIcons[][link]', value: 'https://example.com/f' },
        { name: 'socialIcons[][bg]', value: '#ABC' },
        { name: 'socialIcons[][name]', value: 'youtube' },
        upload('images[]', await picture('#111111')),
        upload('images[]', await picture('#222222')),
        { name: 'buttons[][label]', value: 'One' },
        { name: 'buttons[][url]', value: 'https://example.com/1' },
        { name: 'buttons[][label]', value: 'Two' },
        { name: 'theme[][bgColor]', value: '#FFF' },
        { name: 'theme[][borderWidth]', value: '2' },
        { name: 'theme[][boxShadow]', value: '0 2px 8px rgba(0, 0, 0, 0.2)' },
        { name: 'theme[][socialIconColor]', value: '' },
      ])
      expect(status).toBe(201)
      expect(body.data).toMatchObject({
        logoText: 'Logo',
        logo: expect.stringMatching(/\/m\/[0-9a-f]{64}\.webp$/) as string,
        socialAlign: 'right',
        socialIcons: [
          { name: 'facebook', icon: 'facebook', link: 'https://example.com/f', bg: '#aabbcc' },
          { name: 'youtube', icon: 'youtube', link: null, bg: null },
        ],
        images: [{ id: 1 }, { id: 2 }],
        buttons: [
          { id: 1, status: 1, label: 'One', url: 'https://example.com/1' },
          { id: 2, status: 1, label: 'Two', url: null },
        ],
        theme: { bgColor: '#ffffff', bg: '#ffffff', borderWidth: '2px', socialIconColor: null },
      })
    })

    it('takes the nested structure as JSON, and answers the union of both', async () => {
      const { status, body } = await createNested({
        subtitle: 'sub',
        logoText: 'L',
        logoStatus: 0,
        theme: { bggradient: ['#000', '#fff'], bg: '#123456', text: '#654321', bodyBg: '#abcdef' },
        topShape: { color: '#ff0000', height: 120, clip: 'polygon(0 0, 100% 0, 100% 80%, 0 100%)' },
        socialIcons: [{ icon: 'mastodon', link: 'https://example.com/m' }],
        images: [{ id: 7, src: 'https://pictures.example.org/a.jpg', status: 0, title: 'A' }],
        buttons: [{ id: 9, status: 0, label: 'Hidden', url: 'https://example.com' }],
      })
      expect(status).toBe(201)
      expect(body.data).toMatchObject({
        subtext: 'sub',
        subtitle: 'sub',
        logoStatus: 0,
        theme: {
          bg: '#123456',
          bgColor: '#123456',
          text: '#654321',
          textColor: '#654321',
          bodyBg: '#abcdef',
          bggradient: ['#000000', '#ffffff'],
        },
        topShape: { color: '#ff0000', height: 120, clip: 'polygon(0 0, 100% 0, 100% 80%, 0 100%)' },
        socialIcons: [{ name: 'mastodon', icon: 'mastodon', link: 'https://example.com/m', bg: null }],
        images: [{ id: 7, src: 'https://pictures.example.org/a.jpg', status: 0, title: 'A' }],
        buttons: [{ id: 9, status: 0, label: 'Hidden', url: 'https://example.com/' }],
      })
    })

    it('takes the nested structure as multipart with nested names and numbers as text', async () => {
      const { status, body } = await call(
        '/v1/generate-page',
        multipart([
          { name: 'title', value: 'Nested' },
          { name: 'slug', value: newSlug() },
          { name: 'domain', value: 'localhost' },
          { name: 'logoStatus', value: '1' },
          { name: 'logoPosition', value: 'top-center' },
          { name: 'theme[bggradient][]', value: '#111' },
          { name: 'theme[bggradient][]', value: '#222' },
          { name: 'topShape[height]', value: '90' },
          { name: 'images[0][id]', value: '3' },
          { name: 'images[0][src]', value: 'https://example.org/x.png' },
          { name: 'images[0][status]', value: '1' },
          upload('images[1]', await picture()),
          { name: 'buttons[0][id]', value: '5' },
          { name: 'buttons[0][status]', value: '1' },
          { name: 'buttons[0][label]', value: 'B' },
        ]),
      )
      expect([status, body.error]).toEqual([201, undefined])
      expect(body.data).toMatchObject({
        logoPosition: 'top-center',
        topShape: { height: 90 },
        theme: { bggradient: ['#111111', '#222222'] },
        images: [
          { id: 3, src: 'https://example.org/x.png' },
          { id: 1, src: expect.stringContaining('/m/') as string },
        ],
        buttons: [{ id: 5, label: 'B' }],
      })
    })

    it('lays several themes over each other, the later on top', async () => {
      const { body } = await createForm(newSlug(), [
        { name: 'theme[0][bgColor]', value: '#111111' },
        { name: 'theme[0][textColor]', value: '#222222' },
        { name: 'theme[1][bg]', value: '#333333' },
      ])
      expect(body.data.theme).toMatchObject({ bgColor: '#333333', textColor: '#222222' })
    })

    it('has one of the fonts, which its own host serves', async () => {
      const theme = { bggradient: [null, null] }
      const wrong = await createNested({ theme: { ...theme, font: 'Papyrus; }' } })
      expect([wrong.status, wrongFields(wrong)]).toEqual([422, ['theme.font']])
      const { data } = (await createNested({ theme: { ...theme, font: 'overpass' } })).body
      expect(data.theme.font).toBe('overpass')
      const page = await fetch(data.page_url)
      expect(page.headers.get('content-security-policy')).toContain("font-src 'self'")
      const paths = [...(await page.text()).matchAll(/url\((\/[^)]+\.woff2)\)/g)].map(([, path]) => path)
      expect(paths).toHaveLength(3)
      for (const path of paths) {
        const font = await fetch(waymark().url + path)
        expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2'])
        expect(
          Buffer.from(await font.arrayBuffer())
            .subarray(0, 4)
            .toString(),
        ).toBe('wOF2')
      }
    })

    it('asks for the required set of the kind of request', async () => {
      const form = await call('/v1/generate-page', multipart([{ name: 'subtext', value: 'x' }]))
      expect(form.status).toBe(422)
      expect(wrongFields(form)).toEqual(['buttons', 'images', 'logoPosition', 'slug', 'title'])
      const nested = await call('/v1/generate-page', { logoStatus: 1 })
      expect(nested.status).toBe(422)
      expect(wrongFields(nested)).toEqual(['domain', 'logoPosition', 'slug', 'theme', 'title'])
      const items = await createNested({ images: [{}], buttons: [{}], socialIcons: [{}] })
      expect(wrongFields(items)).toEqual([
        'buttons.0.id',
        'buttons.0.label',
        'buttons.0.status',
        'images.0.id',
        'images.0.src',
        'images.0.status',
        'socialIcons.0.icon',
      ])
    })

    it('leaves nothing behind when it is refused', async () => {
      const slug = newSlug()
      const unique = await picture('#0a0b0c', 61, 43)
      const first = await createForm(slug, [upload('images[]', unique)])
      const { src } = first.body.data.images[0]
      expect((await call('/v1/remove-page', { uuid: first.body.data.uuid })).status).toBe(200)
      const before = await Promise.all(['/v1/pages', '/v1/links', '/v1/qrcode'].map(total))
      expect((await createForm(slug, [upload('images[]', unique)])).status).toBe(409)
      expect(await Promise.all(['/v1/pages', '/v1/links', '/v1/qrcode'].map(total))).toEqual(before)
      expect(await statusOnceGone(src)).toBe(410)
    })

    it('gives one slug to one of fifty requests at once', async () => {
      const slug = newSlug()
      const before = await Promise.all(['/v1/pages', '/v1/links', '/v1/qrcode'].map(total))
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => createNested({ slug, title: `Page ${n}` })),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      const refused = answers.filter(({ status }) => status === 409)
      expect(refused).toHaveLength(49)
      for (const { body } of refused) expect(body.errors).toEqual({ slug: ['This slug is taken'] })
      const after = await Promise.all(['/v1/pages', '/v1/links', '/v1/qrcode'].map(total))
      expect(after).toEqual(before.map((count) => count + 1))
    })

    it('is not open to other accounts', async () => {
      const other = await waymark().account()
      const { body } = await createNested()
      const { uuid } = body.data
      for (const path of ['/v1/edit-page', '/v1/remove-page'])
        expect(
          (await call(path, { uuid, title: 'x', logoPosition: 'top-left', buttons: [{ label: 'x' }] }, other))
            .status,
        ).toBe(404)
      expect((await get(waymark(), other, '/v1/pages')).body.data).toEqual([])
    })
  })

  it('keeps the sizes of pictures for the page, and serves smaller ones', async () => {
    const large = await sharp({
      create: {
        width: 1500,
        height: 900,
        channels: 3,
        background: '#884422',
        noise: { type: 'gaussian', mean: 120, sigma: 30 },
      },
    })
      .jpeg()
      .toBuffer()
    const { body } = await createForm(newSlug(), [upload('images[]', large)])
    const html = await (await fetch(body.data.page_url)).text()
    expect(html).toMatch(/width="1500" height="900"/)
    for (const width of [480, 960, 1440]) {
      expect(html).toContain(`?w=${width} ${width}w`)
      const sized = await fetch(`${body.data.images[0].src}?w=${width}`, {
        headers: { accept: 'image/webp' },
      })
      expect(sized.headers.get('content-type')).toBe('image/webp')
      expect(sized.headers.get('vary')).toBe('Accept')
      expect((await sharp(Buffer.from(await sized.arrayBuffer())).metadata()).width).toBe(width)
    }
    expect((await fetch(`${body.data.images[0].src}?w=500`)).status).toBe(404)
    await call('/v1/remove-page', { uuid: body.data.uuid })
    expect(await statusOnceGone(`${body.data.images[0].src}?w=480`)).toBe(410)
  })
})
