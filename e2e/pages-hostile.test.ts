import { describe, expect, it } from 'vitest'
import { leastForm, leastNested, newSlug, picture, upload, wrongFields } from './support/pages.ts'
import { multipart, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const markup = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '<!--',
  ']]>',
  '&lt;script&gt;',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202etxt.exe',
]

const addresses = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.example/x',
  '/relative',
  'http:/evil.example',
  'https://',
  'https://user:secret@example.com',
  'ftp://example.com',
  'blob:https://example.com/x',
]

const styles = [
  'red;background:url(https://evil.example)',
  'url(https://evil.example/x)',
  '</style><script>alert(1)</script>',
  '#fff}body{background:red',
  'expression(alert(1))',
  'var(--x)',
  '#ff',
  '#gggggg',
  'rgb(1,2,3)',
  '/**/#fff',
  '#fff\n',
  '\\23 fff',
  'red',
]

const colorFields = [
  'bgColor',
  'textColor',
  'subTextColor',
  'buttonBgColor',
  'buttonTextColor',
  'logoBgColor',
  'borderColor',
  'socialIconColor',
  'bodyBg',
  'bg',
  'text',
  'subtext',
  'buttonBg',
  'buttonText',
  'logoBg',
  'socialColor',
]

onStack('embedded', (waymark) => {
  let shared: Account | undefined
  const account = async (): Promise<Account> => (shared ??= await waymark().account())
  const call = async (path: string, body: Parameters<typeof post>[3]) =>
    post(waymark(), await account(), path, body)
  const create = (fields: Record<string, unknown> = {}) =>
    call('/v1/generate-page', { ...leastNested(newSlug()), ...fields })

  it.each(markup)('%j is text wherever it stands', async (text) => {
    const made = await create({
      title: text,
      subtitle: text,
      logoText: Array.from(text).slice(0, 50).join(''),
      images: [{ id: 1, src: 'https://example.com/x.png', status: 1, title: text }],
      buttons: [{ id: 1, status: 1, label: text, url: `https://example.com/?q=${encodeURIComponent(text)}` }],
      socialIcons: [{ icon: Array.from(text).slice(0, 50).join(''), link: 'https://example.com' }],
    })
    expect([made.status, made.body.data?.title]).toEqual([201, text])
    const html = await (await fetch(made.body.data.page_url)).text()
    const scripts = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
    expect(scripts).toEqual(['<script src="/e/clicks.js" defer>'])
    expect(html.match(/<(?:style|title)>/g)).toHaveLength(2)
    // What stands between double quotes is a value, as long as no quote is among it.
    const bones = html.replaceAll(/"[^"]*"/g, '""')
    expect(bones).not.toMatch(/<[a-z][^<>]*\son[a-z]+\s*=|<!--/i)
    expect(
      [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].every(([, href]) => href?.startsWith('https://')),
    ).toBe(true)
  })

  it.each(addresses)('%j is no address', async (url) => {
    const refused = await create({
      images: [{ id: 1, src: url, status: 1 }],
      buttons: [{ id: 1, status: 1, label: 'x', url }],
      socialIcons: [{ icon: 'facebook', link: url }],
    })
    expect(refused.status).toBe(422)
    expect(wrongFields(refused)).toEqual(['buttons.0.url', 'images.0.src', 'socialIcons.0.link'])
  })

  it.each(styles)('%j is no colour', async (value) => {
    const refused = await create({
      theme: {
        bggradient: [value, '#000'],
        ...Object.fromEntries(colorFields.map((field) => [field, value])),
      },
      topShape: { color: value },
      socialIcons: [{ icon: 'facebook', bg: value }],
    })
    expect(refused.status).toBe(422)
    expect(wrongFields(refused)).toEqual(
      [
        ...colorFields.map((field) => `theme.${field}`),
        'theme.bggradient.0',
        'topShape.color',
        'socialIcons.0.bg',
      ].toSorted(),
    )
  })

  it.each([
    'calc(1px + 1px)',
    '1px;color:red',
    'url(https://evil.example)',
    '1px}',
    '100vmax',
    '1px solid red',
    'expression(1)',
  ])('%j is no length, radius, shadow or clip path', async (value) => {
    const refused = await create({
      theme: { bggradient: ['#000', '#fff'], borderWidth: value, borderRadius: value, boxShadow: value },
      topShape: { clip: value },
    })
    expect(wrongFields(refused)).toEqual([
      'theme.borderRadius',
      'theme.borderWidth',
      'theme.boxShadow',
      'topShape.clip',
    ])
  })

  it('refuses a clip path that fetches, and shadows with more than colours in them', async () => {
    for (const clip of ['url(#x)', 'path("M0 0")', 'polygon(0 0, 100% 0, url(x))', 'inset(0) url(x)'])
      expect([clip, wrongFields(await create({ topShape: { clip } }))]).toEqual([clip, ['topShape.clip']])
    for (const boxShadow of ['0 0 5px url(x)', '0 0 5px red;x', '0 0 1px #000, 0 0 1px }'])
      expect(wrongFields(await create({ theme: { bggradient: ['#000', '#fff'], boxShadow } }))).toEqual([
        'theme.boxShadow',
      ])
  })

  describe('slugs', () => {
    it.each([
      'a.b',
      'a/b',
      '../x',
      'a b',
      'ä',
      '🎉',
      'a_b',
      'a%2fb',
      'x'.repeat(256),
      '',
      'app',
      'V1',
      'docs',
    ])('%j is refused', async (slug) => {
      const refused = await create({ slug })
      expect([refused.status, wrongFields(refused)]).toEqual([422, ['slug']])
    })

    it('are lower-cased, and may have 255 characters', async () => {
      const slug = `${newSlug()}-${'X'.repeat(255)}`.slice(0, 255)
      const made = await create({ slug })
      expect([made.status, made.body.data?.slug]).toEqual([201, slug.toLowerCase()])
      expect((await fetch(made.body.data.page_url)).status).toBe(200)
      expect((await create({ slug: slug.toLowerCase() })).status).toBe(409)
    })
  })

  it('refuses 200 buttons and 21 images, in words', async () => {
    const buttons = Array.from({ length: 200 }, (_, id) => ({ id, status: 1, label: `b${id}` }))
    const many = await create({ buttons })
    expect([many.status, wrongFields(many)]).toEqual([422, ['buttons']])
    const file = await picture()
    const parts = (await leastForm(newSlug())).filter(({ name }) => name !== 'images[]')
    const uploads = Array.from({ length: 21 }, () => upload('images[]', file))
    const refused = await call('/v1/generate-page', multipart([...parts, ...uploads]))
    expect([refused.status, wrongFields(refused)]).toEqual([422, ['images']])
    expect(refused.body.errors.images[0]).toMatch(/20/)
    const accepted = await call('/v1/generate-page', multipart([...parts, ...uploads.slice(1)]))
    expect([accepted.status, accepted.body.data?.images?.length]).toEqual([201, 20])
  })

  it('wants numbers as numbers in JSON', async () => {
    const refused = await create({
      logoStatus: '1',
      topShape: { height: '90' },
      images: [{ id: '1', src: 'https://example.com', status: '1' }],
      buttons: [{ id: '1', status: '0', label: 'x' }],
    })
    expect(wrongFields(refused)).toEqual([
      'buttons.0.id',
      'buttons.0.status',
      'images.0.id',
      'images.0.status',
      'logoStatus',
      'topShape.height',
    ])
  })

  it('holds a mixture of both descriptions to the nested one', async () => {
    const { body } = await create({
      subtext: 'form',
      subtitle: 'nested',
      theme: { bggradient: ['#000', '#fff'], bgColor: '#111111', bg: '#222222', textColor: '#333333' },
      socialIcons: [{ name: 'facebook', icon: 'youtube' }],
    })
    expect(body.data).toMatchObject({
      subtext: 'nested',
      theme: { bgColor: '#222222', textColor: '#333333' },
      socialIcons: [{ name: 'youtube' }],
    })
    const half = await call('/v1/generate-page', {
      title: 'x',
      slug: newSlug(),
      logoPosition: 'top-left',
      logoStatus: 1,
      buttons: [{ label: 'x' }],
    })
    expect(wrongFields(half)).toEqual(['buttons.0.id', 'buttons.0.status', 'domain', 'theme'])
  })

  it('refuses the same id twice, unknown networks in the form schema, and other enums', async () => {
    const twice = await create({
      buttons: [
        { id: 1, status: 1, label: 'a' },
        { id: 1, status: 1, label: 'b' },
      ],
    })
    expect([twice.status, wrongFields(twice)]).toEqual([422, ['buttons.1.id']])
    const form = await call('/v1/generate-page', {
      title: 'x'.repeat(256),
      subtext: 'x'.repeat(501),
      slug: newSlug(),
      logoPosition: 'middle',
      logoText: 'x'.repeat(51),
      socialAlign: 'justify',
      socialIcons: [{ name: 'myspace' }],
      images: [{ src: 'https://example.com/x.png' }],
      buttons: [{ label: 'x'.repeat(256) }],
    })
    expect(wrongFields(form)).toEqual([
      'buttons.0.label',
      'logoPosition',
      'logoText',
      'socialAlign',
      'socialIcons.0.name',
      'subtext',
      'title',
    ])
  })

  it('refuses uploads that are no pictures, each by its place', async () => {
    const parts = (await leastForm(newSlug())).filter(({ name }) => name !== 'images[]')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const refused = await call(
      '/v1/generate-page',
      multipart([
        ...parts,
        upload('logo', svg),
        upload('images[]', await picture()),
        upload('images[]', Buffer.from('<html>')),
        upload('images[]', Buffer.alloc(2048 * 1024 + 1)),
      ]),
    )
    expect([refused.status, wrongFields(refused)]).toEqual([422, ['images.1', 'images.2', 'logo']])
  })

  it('refuses a domain that is not there', async () => {
    for (const domain of ['nobody.example', 'localhost:3000', 'http://localhost'])
      expect([domain, wrongFields(await create({ domain }))]).toEqual([domain, ['domain']])
  })
})
