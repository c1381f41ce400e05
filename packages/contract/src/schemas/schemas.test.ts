import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dimensions } from '../dimensions.ts'
import { UploadedFile } from '../uploads.ts'
import { schemas } from './index.ts'
import { validate } from './validate.ts'

const png = (source: 'png' | 'webp' = 'png', size = 100): UploadedFile => {
  const file = new UploadedFile({ path: '/nowhere', size, filename: 'a.png' })
  file.image = { format: 'webp', source, width: 1, height: 1, bytes: new Uint8Array(), hash: 'x' }
  return file
}

it('every list has its length', () => {
  // A create returns the created resources, which are not a list.
  const reads = Object.values(schemas).filter((entry) => !('body' in entry))
  const lists = reads
    .map(({ response }) => (response instanceof z.ZodObject ? response.shape : {}) as Record<string, unknown>)
    .filter(({ data }) => data instanceof z.ZodArray)
  expect(lists.length).toBeGreaterThan(15)
  expect(lists.filter((shape) => !('meta' in shape))).toEqual([])
})

type Case = [name: string, body: Record<string, unknown>, wrongFields: string[]]

const check = (name: keyof typeof schemas, cases: Case[]): void => {
  describe(name, () => {
    it.each(cases)('%s', (_, body, wrong) => {
      const entry = schemas[name]
      if (!('body' in entry)) throw new Error('no body')
      const result = validate(entry.body, body)
      expect(result.ok ? [] : Object.keys(result.errors).toSorted()).toEqual(wrong.toSorted())
    })
  })
}

const link = { link: 'https://example.com' }
check('generateLink', [
  ['plain', link, []],
  ['missing', {}, ['link']],
  ['empty', { link: '' }, ['link']],
  ['ftp', { link: 'ftp://example.com' }, ['link']],
  ['javascript', { link: 'javascript:alert(1)' }, ['link']],
  ['no host', { link: 'http://' }, ['link']],
  ['credentials', { link: 'https://a:b@example.com' }, ['link']],
  ['line break', { link: 'https://example.com/\r\nx: y' }, ['link']],
  ['2048 characters', { link: `https://example.com/${'a'.repeat(2028)}` }, []],
  ['2049 characters', { link: `https://example.com/${'a'.repeat(2029)}` }, ['link']],
  ['NUL', { ...link, description: 'a\0' }, ['description']],
  ['lone surrogate', { ...link, tag: '\ud800' }, ['tag']],
  ['past', { ...link, expire: '2020-01-01' }, ['expire']],
  ['30 February', { ...link, expire: '2099-02-30' }, ['expire']],
  ['no date', { ...link, expire: 'soon' }, ['expire']],
  ['a year of five digits', { ...link, expire: '9999-12-31T23:59:59-12:00' }, ['expire']],
  ['reserved', { ...link, customLink: 'v1' }, ['customLink']],
  ['dot', { ...link, customLink: 'a.b' }, ['customLink']],
  ['65 characters', { ...link, customLink: 'a'.repeat(65) }, ['customLink']],
  ['redirect', { ...link, redirect: 303 }, ['redirect']],
  [
    'all wrong at once',
    { link: 'x', expire: 'x', customLink: '!', redirect: 1 },
    ['link', 'expire', 'customLink', 'redirect'],
  ],
  [
    'nulls are defaults',
    { ...link, description: null, tag: null, expire: null, customLink: null, redirect: null },
    [],
  ],
])

const qr = { url: 'https://example.com', pattern: 'squares' }
check('generateQr', [
  ['plain', qr, []],
  ['no pattern', { url: qr.url }, ['pattern']],
  ['stars', { ...qr, pattern: 'stars' }, ['pattern']],
  ['199', { ...qr, size: 199 }, ['size']],
  ['200', { ...qr, size: 200 }, []],
  ['500', { ...qr, size: 500 }, []],
  ['501', { ...qr, size: 501 }, ['size']],
  ['250.5', { ...qr, size: 250.5 }, ['size']],
  ['text size', { ...qr, size: '300' }, ['size']],
  ['#12', { ...qr, color: '#12' }, ['color']],
  ['#123', { ...qr, color: '#123' }, []],
  ['#1234', { ...qr, color: '#1234' }, ['color']],
  ['#12345', { ...qr, eye_color: '#12345' }, ['eye_color']],
  ['#GGGGGG', { ...qr, color: '#GGGGGG' }, ['color']],
  ['logo', { ...qr, logo: png() }, []],
  ['logo of webp', { ...qr, logo: png('webp') }, ['logo']],
  ['logo too large', { ...qr, logo: png('png', 2048 * 1024 + 1) }, ['logo']],
  ['logo at the limit', { ...qr, logo: png('png', 2048 * 1024) }, []],
  ['logo forged in JSON', { ...qr, logo: { path: '/etc/passwd', size: 1, image: {} } }, ['logo']],
])
check('editQr', [
  ['uuid alone', { uuid: 'x' }, []],
  ['null url and pattern keep', { uuid: 'x', url: null, pattern: null }, []],
  ['nothing', {}, ['uuid']],
])
check('generateBarcode', [
  ['9', { url: qr.url, size: 9 }, ['size']],
  ['10', { url: qr.url, size: 10 }, []],
  ['300', { url: qr.url, size: 300 }, []],
  ['301', { url: qr.url, size: 301 }, ['size']],
  ['50 emoji', { url: qr.url, text: '😀'.repeat(50) }, []],
  ['51 emoji', { url: qr.url, text: '😀'.repeat(51) }, ['text']],
  ['text size', { url: qr.url, text_size: 81, text_position: 'left' }, ['text_size', 'text_position']],
  ['value', { value: '4006381333931', symbology: 'ean13', dynamic: false }, []],
  ['neither url nor value', { size: 9 }, ['url', 'size']],
  ['both url and value', { url: qr.url, value: 'a' }, ['value']],
  ['empty value', { value: '' }, ['value']],
  ['dynamic value', { value: 'a', dynamic: true }, ['dynamic']],
  ['unknown symbology', { url: qr.url, symbology: 'qr' }, ['symbology']],
])
check('editBarcode', [
  ['uuid alone', { uuid: 'x' }, []],
  ['null url and value keep', { uuid: 'x', url: null, value: null }, []],
  ['both url and value', { uuid: 'x', url: qr.url, value: 'a' }, ['value']],
])
check('updatePassword', [
  ['right', { old_password: 'x', password: 'Abcdef1!', confirm_password: 'Abcdef1!' }, []],
  ['weak', { old_password: 'x', password: 'abcdefgh', confirm_password: 'abcdefgh' }, ['password']],
  [
    'different and nothing else',
    { password: 'Abcdef1!', confirm_password: 'x' },
    ['old_password', 'confirm_password'],
  ],
])
check('updatePersonalInfo', [
  ['9 characters', { phone: '123456789' }, ['phone']],
  ['10 characters', { phone: '1234567890' }, []],
  ['20 characters', { phone: '1'.repeat(20) }, []],
  ['21 characters', { phone: '1'.repeat(21) }, ['phone']],
  ['no image', { image: 'x', profile: 'y' }, ['image', 'profile']],
])

const page = {
  title: 'T',
  slug: 'my-page',
  logoPosition: 'top-left',
  images: [png()],
  buttons: [{ label: 'Go', url: 'https://example.com' }],
}
const image = { id: 1, src: 'https://example.com/a.png', status: 1 }
const nested = {
  title: 'T',
  slug: 'my-page',
  domain: 'localhost',
  logoStatus: 1,
  logoPosition: 'top-left',
  theme: { bggradient: ['#fff', '#000'] },
  images: [image],
  buttons: [{ id: 1, status: 1, label: 'Go' }],
}
check('generatePage', [
  ['form', page, []],
  ['nested', nested, []],
  ['form required set', { socialAlign: 'left' }, ['title', 'slug', 'logoPosition', 'images', 'buttons']],
  ['nested required set', { logoStatus: 1 }, ['title', 'slug', 'domain', 'logoPosition', 'theme']],
  ['nested gradient', { ...nested, theme: { bg: '#fff' } }, ['theme.bggradient']],
  ['gradient in one of several', { ...nested, theme: [{ bg: '#fff' }, nested.theme] }, []],
  [
    'gradient in none of several',
    { ...nested, theme: [{ bg: '#fff' }, { text: 'url(x)' }] },
    ['theme.1.text', 'theme.bggradient'],
  ],
  ['no theme in the list', { ...nested, theme: [] }, ['theme.bggradient']],
  ['blank gradient', { ...nested, theme: { bggradient: ['', null] } }, []],
  ['gradient of 3', { ...nested, theme: { bggradient: ['#fff', '#000', '#111'] } }, ['theme.bggradient']],
  [
    'string numbers in nested',
    { ...nested, logoStatus: '1', buttons: [{ id: '1', status: '1', label: 'x' }] },
    ['logoStatus', 'buttons.0.id', 'buttons.0.status'],
  ],
  ['no buttons', { ...page, buttons: [] }, ['buttons']],
  ['button without label', { ...page, buttons: [{ url: 'https://example.com' }] }, ['buttons.0.label']],
  ['button of script', { ...page, buttons: [{ label: 'x', url: 'javascript:alert(1)' }] }, ['buttons.0.url']],
  ['21 images', { ...page, images: Array.from({ length: 21 }, () => png()) }, ['images']],
  ['text as image', { ...page, images: ['x'] }, ['images.0']],
  ['image title of 2048', { ...page, images: [{ ...image, title: '😀'.repeat(2048) }] }, []],
  ['image title of 2049', { ...page, images: [{ ...image, title: '😀'.repeat(2049) }] }, ['images.0.title']],
  ['nested image title of 2048', { ...nested, images: [{ ...image, title: '😀'.repeat(2048) }] }, []],
  ['icon outside the five', { ...page, socialIcons: [{ name: 'myspace' }] }, ['socialIcons.0.name']],
  ['icon without name', { ...page, socialIcons: [{ link: 'https://example.com' }] }, ['socialIcons.0.name']],
  ['generic icon in nested', { ...nested, socialIcons: [{ icon: 'myspace' }] }, []],
  ['theme as list', { ...page, theme: [{ bgColor: '#fff' }, { borderRadius: '12px' }] }, []],
  ['theme closes the style', { ...page, theme: { bgColor: '#fff}</style>' } }, ['theme.bgColor']],
  ['theme fetches', { ...page, theme: { boxShadow: 'url(https://evil.example)' } }, ['theme.boxShadow']],
  ['shadow', { ...page, theme: { boxShadow: '0 2px 8px rgba(0, 0, 0, 0.2), inset 0 0 1px #000' } }, []],
  ['shadow with more', { ...page, theme: { boxShadow: '0 2px 8px red; color: blue' } }, ['theme.boxShadow']],
  ['bare radius', { ...page, theme: { borderRadius: '12' } }, []],
  [
    'clip',
    { ...nested, topShape: { clip: 'polygon(0 0, 100% 0, 100% 80%, 0 100%)', height: 10, color: '#abc' } },
    [],
  ],
  ['clip by url', { ...nested, topShape: { clip: 'url(#x)' } }, ['topShape.clip']],
  ['slug with a dot', { ...page, slug: 'a.b' }, ['slug']],
  ['slug of 255', { ...page, slug: 'a'.repeat(255) }, []],
  ['slug of 256', { ...page, slug: 'a'.repeat(256) }, ['slug']],
  ['reserved slug', { ...page, slug: 'app' }, ['slug']],
])

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
check('generateToken', [
  ['no end', { expires_at: 'never' }, []],
  ['366 days', { expires_at: inDays(366) }, []],
  ['the day in 366 days', { expires_at: inDays(366).slice(0, 10) }, []],
  ['a minute more', { expires_at: inDays(366 + 1 / 1440) }, ['expires_at']],
  ['367 days', { expires_at: inDays(367).slice(0, 10) }, ['expires_at']],
])
check('createWorkspace', [
  ['60 characters', { name: '😀'.repeat(60) }, []],
  ['61 characters', { name: '😀'.repeat(61) }, ['name']],
  ['empty', { name: '' }, ['name']],
  ['blank', { name: ' \t' }, ['name']],
  ['a URL', { name: 'Shop, see www.example.com' }, ['name']],
])

describe('sentences', () => {
  const faults = (buttons: unknown) => {
    const result = validate(schemas.generatePage.body, { ...page, buttons })
    return result.ok ? {} : result.errors
  }

  it('lists every type of button', () => {
    expect(faults([{ label: 'x', type: 'nope' }])).toEqual({
      'buttons.0.type': ['Must be one of: link, heading, text, divider, image, video, contact'],
    })
    expect(faults([{ label: 'x', type: 5 }])).toEqual({
      'buttons.0.type': ['Must be one of: link, heading, text, divider, image, video, contact'],
    })
  })

  it('counts one item', () => expect(faults([])).toEqual({ buttons: ['Must have at least 1 item'] }))
})

describe('numbers of a query', () => {
  const { query } = schemas.links
  const limit = (value: unknown) => {
    const result = validate(query, { limit: value })
    return result.ok ? result.value : result.errors
  }

  it('are decimal digits', () => {
    expect([limit('1'), limit('1000'), limit('0010')]).toEqual([{ limit: 1 }, { limit: 1000 }, { limit: 10 }])
    expect(limit('0')).toEqual({ limit: ['Must be at least 1'] })
    expect(limit('-1')).toEqual({ limit: ['Must be at least 1'] })
    expect(limit('1001')).toEqual({ limit: ['Must be at most 1000'] })
  })

  it.each([
    '',
    ' ',
    ' 10',
    '10 ',
    '+10',
    '1.0',
    '1e2',
    '0x10',
    '0b1',
    '1_0',
    '१०',
    'NaN',
    'Infinity',
    '9'.repeat(400),
  ])('are not %j', (value) =>
    expect(limit(value)).toEqual({ limit: ['Must be a whole number from 1 to 1000'] }),
  )
})

describe('dimensions of a breakdown', () => {
  const by = (given: unknown): unknown => {
    const result = validate(schemas.analytics.query, { by: given })
    return result.ok ? result.value.by : result.errors
  }
  const wrong = { by: [`Must be one of: ${dimensions.join(', ')}`] }

  it.each([
    ['country', ['country']],
    ['country,device', ['country', 'device']],
    [
      ['country', 'device'],
      ['country', 'device'],
    ],
    ['country,country', ['country']],
    [dimensions.join(','), [...dimensions]],
    ['', wrong],
    ['planet', wrong],
    ['country,', wrong],
    ['country, device', wrong],
    [['country', 'planet'], wrong],
    [1, wrong],
    [[], wrong],
    [Array.from({ length: 17 }, () => 'link').join(','), { by: ['Must have at most 16 items'] }],
  ])('%j', (given, expected) => expect(by(given)).toEqual(expected))
})

describe('results', () => {
  it('are normalised', () => {
    expect(
      validate(schemas.generateLink.body, { link: 'HTTPS://MÜNCHEN.example:443/a b?q=ü' }),
    ).toMatchObject({
      value: { link: 'https://xn--mnchen-3ya.example/a%20b?q=%C3%BC' },
    })
    expect(validate(schemas.generateLink.body, { link: 'https://example.com.:8443/a.' })).toMatchObject({
      value: { link: 'https://example.com:8443/a.' },
    })
    expect(validate(schemas.generateLink.body, { ...link, expire: '2099-12-31' })).toMatchObject({
      value: { expire: Date.parse('2099-12-31T23:59:59.999Z') },
    })
    expect(validate(schemas.generateQr.body, { ...qr, color: '#AbC' })).toMatchObject({
      value: { color: '#aabbcc' },
    })
    expect(validate(schemas.generatePage.body, { ...page, slug: 'My-Page' })).toMatchObject({
      value: { slug: 'my-page' },
    })
  })
})

const webhook = { url: 'https://example.com/hook' }
check('addWebhook', [
  ['plain', webhook, []],
  ['http', { url: 'http://example.com/' }, []],
  ['missing', {}, ['url']],
  ['all events', { ...webhook, events: null }, []],
  ['some events, one twice', { ...webhook, events: ['link.created', 'utm.removed', 'link.created'] }, []],
  ['no event', { ...webhook, events: [] }, ['events']],
  ['an event that is none', { ...webhook, events: ['link.seen'] }, ['events.0']],
  ['255 characters', { ...webhook, description: '🐌'.repeat(255) }, []],
  ['256 characters', { ...webhook, description: '🐌'.repeat(256) }, ['description']],
])
check('editWebhook', [
  ['nothing else', { uuid: 'x' }, []],
  ['without uuid', { enabled: true }, ['uuid']],
  ['enabled', { uuid: 'x', enabled: 'yes' }, ['enabled']],
])
