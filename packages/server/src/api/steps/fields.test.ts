import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UploadedFile } from '@waymark/contract'
import { schemas } from '@waymark/contract/schemas'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { RawBody } from '../body/read-body.ts'
import { FieldReader, isStrict, isUnchanged, readIfMatch } from './fields.ts'

const [WIDTH, HEIGHT] = [300, 200]
let folder = ''
const picture = { whole: '', damaged: '' }
let size = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-fields-test-'))
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: WIDTH, height: HEIGHT, channels: 3, background: '#888', noise } as const
  const bytes = await sharp({ create }).png().toBuffer()
  size = bytes.length
  picture.whole = join(folder, 'whole.png')
  picture.damaged = join(folder, 'damaged.png')
  await writeFile(picture.whole, bytes)
  await writeFile(picture.damaged, bytes.subarray(0, bytes.length / 2))
})

afterAll(() => rm(folder, { recursive: true }))

const form = (texts: Record<string, string>, path: string): RawBody => {
  const part = { size: 0, filename: undefined, path: '', text: Buffer.alloc(0), dropped: false }
  const parts = Object.entries(texts).map(([name, text]) => ({ ...part, name, text: Buffer.from(text) }))
  const file = { ...part, name: 'image', filename: 'a.png', path, size }
  return { kind: 'multipart', parts: [...parts, file], digest: '', dispose: () => Promise.resolve() }
}

/** Reads fields like an edit of a profile. */
async function read(raw: RawBody, present?: Record<string, unknown>) {
  let pixels = 0
  const reader = new FieldReader(schemas.updatePersonalInfo)
  const { body } = await reader.read({
    raw,
    query: {},
    strict: false,
    spendPixels: async (some) => void (pixels += some),
    present: () => Promise.resolve(present),
  })
  const { image } = (body as { image: UploadedFile }).image
  return { width: image?.width, pixels }
}

describe('a form with a picture', () => {
  it('has it in its stored form, decoded once', async () => {
    const fields = form({ first_name: 'Ada' }, picture.whole)
    expect(await read(fields)).toEqual({ width: WIDTH, pixels: WIDTH * HEIGHT })
  })

  it('reports a damaged picture together with other invalid fields', async () => {
    const rejected = read(form({ phone: '1' }, picture.damaged))
    await expect(rejected).rejects.toMatchObject({
      body: {
        errors: {
          phone: ['Must be between 10 and 20 characters'],
          image: ['Must be a whole image: this one is damaged'],
        },
      },
    })
    const alone = read(form({ phone: '1' }, picture.whole))
    await expect(alone).rejects.toMatchObject({ body: { errors: { phone: [expect.any(String)] } } })
    await expect(alone).rejects.not.toMatchObject({ body: { errors: { image: [expect.any(String)] } } })
  })

  it('with an unchanged value that would be invalid if new has the picture in its stored form', async () => {
    const fields = form({ phone: '1', email: 'ada@example.com' }, picture.whole)
    expect(await read(fields, { phone: '1', email: 'ada@example.com' })).toMatchObject({ width: WIDTH })
  })
})

const jsonBody = (fields: object): RawBody => {
  const bytes = Buffer.from(JSON.stringify(fields))
  return { kind: 'json', bytes, digest: '', dispose: () => Promise.resolve() }
}

describe('an edit that sends fields back as they are', () => {
  const present = {
    uuid: 'x',
    url: 'https://example.com/',
    logo: 'https://example.com/m/a.webp',
    size: 300,
    scans: 4,
    image_url: 'https://example.com/i/x.png',
  }
  const edit = async (fields: object) => {
    const raw = jsonBody({ uuid: 'x', ...fields })
    const reader = new FieldReader(schemas.editQr)
    const spendPixels = () => Promise.resolve()
    const sent = { raw, query: {}, strict: false, spendPixels, present: () => Promise.resolve(present) }
    return reader.read(sent).catch((error: { errors: object }) => Object.keys(error.errors))
  }

  it('leaves out those that would be invalid as new values, such as the address of a picture', async () => {
    const { logo } = present
    expect(await edit({ logo, size: 200 })).toMatchObject({ body: { uuid: 'x', size: 200 }, ignored: [] })
    expect(await edit({ logo, size: 200 })).not.toHaveProperty('body.logo')
    expect(await edit({ ...present, size: 200 })).toMatchObject({ body: { uuid: 'x', size: 200 } })
    expect(await edit({ logo: 'https://example.com/m/b.webp' })).toEqual(['logo'])
  })

  it('reports only errors of the others', async () => {
    const { logo } = present
    expect(await edit({ logo, size: 10 })).toEqual(['size'])
    expect(await edit({ ...present, size: 10 })).toEqual(['size'])
    expect(await edit({ ...present, scans: 9, size: 10 })).toEqual(['size'])
  })

  it('accepts the null that a response has inside a field', async () => {
    const page = {
      uuid: 'x',
      title: 'T',
      slug: 's',
      domain: 'localhost',
      logoStatus: 1,
      logoPosition: 'top-left',
      theme: { bgColor: '#ffffff', bggradient: null },
      buttons: [{ id: 1, status: 1, label: 'Go' }],
    }
    const editPage = async (sent: object, stored: Record<string, unknown> = page) => {
      const raw = jsonBody({ ...page, ...sent })
      const fields = { raw, query: {}, strict: false, spendPixels: () => Promise.resolve() }
      const reader = new FieldReader(schemas.editPage)
      return reader
        .read({ ...fields, present: () => Promise.resolve(stored) })
        .catch((error: { errors: object }) => Object.keys(error.errors))
    }
    expect(await editPage({ title: 'New' })).toMatchObject({ body: { title: 'New' } })
    const theme = { bgColor: '#000000', bggradient: null }
    expect(await editPage({ theme })).toMatchObject({ body: { theme } })
    expect(await editPage({ theme: { bgColor: '#000000' } })).toEqual(['theme.bggradient'])
    const withGradient = { ...page, theme: { bggradient: ['#000000', '#ffffff'] } }
    expect(await editPage({ theme }, withGradient)).toEqual(['theme.bggradient'])
  })

  it('accepts stored texts from before the rule about control characters, and no others', async () => {
    const utm = {
      uuid: 'x',
      url: 'https://example.com/',
      source: 'a\nb',
      medium: 'm',
      campaign: 'c\u001b',
      content: 'd',
    }
    const page = {
      uuid: 'x',
      title: 'T\r\nU',
      slug: 's',
      logoPosition: 'top-left',
      buttons: [
        { id: 1, label: 'Go\u0085', url: 'https://example.com/' },
        { id: 2, label: 'On', url: 'https://example.com/' },
      ],
    }
    const editOf = async (name: 'editUtm' | 'editPage', stored: Record<string, unknown>, sent: object) => {
      const raw = jsonBody({ ...stored, ...sent })
      const fields = { raw, query: {}, strict: false, spendPixels: () => Promise.resolve() }
      return new FieldReader(schemas[name])
        .read({ ...fields, present: () => Promise.resolve(stored) })
        .catch((error: { errors: object }) => Object.keys(error.errors))
    }
    expect(await editOf('editUtm', utm, { medium: 'n' })).toMatchObject({ body: { ...utm, medium: 'n' } })
    expect(await editOf('editUtm', utm, { medium: 'n\n' })).toEqual(['medium'])
    expect(await editOf('editUtm', utm, { source: 'a\nc' })).toEqual(['source'])
    const [go, on] = page.buttons
    const renamed = { buttons: [{ ...on, label: 'Off' }, go] }
    expect(await editOf('editPage', page, renamed)).toMatchObject({ body: { title: page.title, ...renamed } })
    expect(await editOf('editPage', page, { buttons: [go, { ...on, label: 'O\n' }] })).toEqual([
      'buttons.1.label',
    ])
  })

  it('applies rules about several fields to unchanged fields', async () => {
    const content = { type: 'text', text: 'x' }
    expect(await edit({ url: present.url, content })).toEqual(['content'])
  })
})

describe('a body that is one long list', () => {
  const rules = Array.from({ length: 10 }, (_, n) => ({
    if: { country: ['DE'], device: ['mobile'] },
    to: `https://example.com/${n}`,
  }))
  const link = { link: 'https://EXAMPLE.com', tags: ['one', 'two'], rules }
  const readLinks = async (links: readonly object[], more: object = {}, strict = false) => {
    const raw = jsonBody({ links, ...more })
    const reader = new FieldReader(schemas.generateLinks)
    return reader.read({ raw, query: {}, strict, spendPixels: () => Promise.resolve() })
  }
  const many = (count: number, odd: Readonly<Record<number, object>> = {}): object[] =>
    Array.from({ length: count }, (_, n) => odd[n] ?? link)

  it('is validated in steps, and other requests are served in between', async () => {
    await readLinks(many(1))
    let turns = 0
    const served = (): void => {
      turns++
      waiting = setImmediate(served)
    }
    let waiting = setImmediate(served)
    const { body, ignored } = await readLinks(many(1_000))
    clearImmediate(waiting)
    expect(turns).toBeGreaterThan(5)
    const { links } = body as { links: object[] }
    expect([links.length, links[999], ignored]).toEqual([
      1_000,
      expect.objectContaining({ link: 'https://example.com/', tags: ['one', 'two'] }),
      [],
    ])
  })

  it('reports invalid and unknown fields by their place in the whole body', async () => {
    const odd = { 3: { link: 'nowhere' }, 77: { ...link, rules: [{ if: {}, to: 'x' }] }, 99: { x: 1 } }
    await expect(readLinks(many(100, odd))).rejects.toMatchObject({
      errors: {
        'links.3.link': [expect.any(String)],
        'links.77.rules.0.to': [expect.any(String)],
        'links.99.link': ['This field is required'],
      },
    })
    const unknown = { 5: { ...link, customlink: 'a' }, 55: { ...link, x: 1 } }
    const { ignored } = await readLinks(many(60, unknown), { y: 2 })
    expect(ignored).toEqual(['links.5.customlink', 'links.55.x', 'y'])
    await expect(readLinks(many(60, unknown), {}, true)).rejects.toMatchObject({
      errors: { 'links.55.x': ['This field is not known'] },
    })
    await expect(readLinks(many(1_001))).rejects.toMatchObject({
      errors: { links: ['Must have at most 1000 items'] },
    })
  })
})

const NOON = '2026-01-01T12:00:00.000Z'
const ONE = '2026-01-01T13:00:00.000Z'

describe('a field that is sent back', () => {
  it('is unchanged when it is the same, at any depth', () => {
    const page = { short_link: { code: 'a', clicks: 3 }, warnings: ['x'], dynamic: true }
    expect(isUnchanged('page', structuredClone(page), page)).toBe(true)
    expect(isUnchanged('page', { short_link: { code: 'b', clicks: 3 } }, page)).toBe(false)
    expect(isUnchanged('page', { other: 1 }, page)).toBe(false)
    expect(isUnchanged('page', { warnings: ['x'], dynamic: true }, page)).toBe(false)
    const content = { type: 'wifi', ssid: 'A', password: '12345678' }
    expect(isUnchanged('content', { type: 'wifi', ssid: 'A' }, content)).toBe(false)
    expect(isUnchanged('content', { type: 'wifi' }, content)).toBe(true)
    expect(isUnchanged('warnings', ['x', 'y'], ['x'])).toBe(false)
    expect(isUnchanged('owner', null, { type: 'page' })).toBe(false)
  })

  it('can be a text of the same value, as in forms', () => {
    expect(isUnchanged('size', '300', 300)).toBe(true)
    expect(isUnchanged('dynamic', 'false', false)).toBe(true)
    expect(isUnchanged('size', '301', 300)).toBe(false)
  })

  it('can be an earlier value of a counter or of a time that changes by itself', () => {
    expect(isUnchanged('clicks', 2, 5)).toBe(true)
    expect(isUnchanged('clicks', 6, 5)).toBe(false)
    expect(isUnchanged('clicks', -1, 5)).toBe(false)
    expect(isUnchanged('updated_at', NOON, ONE)).toBe(true)
    expect(isUnchanged('updated_at', ONE, NOON)).toBe(false)
    expect(isUnchanged('last_click_at', null, NOON)).toBe(true)
    expect(isUnchanged('created_at', NOON, ONE)).toBe(false)
    expect(isUnchanged('size', 2, 5)).toBe(false)
  })
})

it('finds handling=strict among other preferences', () => {
  for (const header of [
    'handling=strict',
    'Handling = "strict"',
    'respond-async, handling=strict; wait=1',
    ['wait=1', 'handling=strict'],
  ])
    expect(isStrict(header), String(header)).toBe(true)
  for (const header of [
    undefined,
    '',
    'handling=lenient',
    'strict',
    'handling=stricter',
    'x; handling=strict',
  ])
    expect(isStrict(header), String(header)).toBe(false)
})

test.each([
  [undefined, undefined],
  ['*', undefined],
  ['"2026-11-15T10:00:00.000Z"', ['2026-11-15T10:00:00.000Z']],
  ['2026-11-15T10:00:00.000Z', ['2026-11-15T10:00:00.000Z']],
  ['W/"a", "b"', ['a', 'b']],
  ['', ['']],
])('%j names the versions %j', (header, versions) => expect(readIfMatch(header)).toEqual(versions))
