import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf } from './support/files.ts'
import { type MemoryWatch, watchMemory } from './support/memory.ts'
import { animatedGif, hugePng, jpeg, jpegWithPlace, paddedPng, PLACE, png } from './support/pictures.ts'
import { type Answered, get, json, multipart, type Part, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

/** The peak is about 150 MB. Each decoded picture of 6,000 × 6,000 pixels would take 108 MB more. */
const MEMORY_LIMIT_MB = 250
const LIMIT = 2048 * 1024
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>'

/** Where pictures are taken: the path, the fields it needs besides, and the names of its picture. */
const places: readonly { path: string; name: string; also: Part[]; status: number }[] = [
  { path: '/v1/update-personal-info', name: 'image', also: [], status: 200 },
  { path: '/v1/update-personal-info', name: 'profile', also: [], status: 200 },
  { path: '/v1/add-feedback', name: 'image', also: [{ name: 'feedback', value: 'fine' }], status: 201 },
]

const refused: readonly (readonly [string, string, () => Buffer])[] = [
  ['text named .png', 'photo.png', () => Buffer.from('I am a photo')],
  ['nothing', 'photo.png', () => Buffer.alloc(0)],
  ['SVG', 'photo.svg', () => Buffer.from(SVG)],
  ['SVG named .png', 'photo.png', () => Buffer.from(SVG)],
  [
    'HTML behind the first bytes of a PNG',
    'photo.png',
    () => Buffer.concat([png(1).subarray(0, 8), Buffer.from('<html>')]),
  ],
  ['a PNG cut off', 'photo.png', () => png(1).subarray(0, 60)],
  ['a JPEG cut off', 'photo.jpg', () => jpeg.subarray(0, 500)],
  ['30,000 × 30,000 pixels', 'photo.png', () => hugePng(30_000)],
  ['a byte more than 2048 KB', 'photo.png', () => paddedPng(LIMIT + 1)],
  ['3 MB of a PNG', 'photo.png', () => paddedPng(3_000_000)],
]

const hashIn = (address: string): string => /\/m\/([0-9a-f]{64})\.webp$/.exec(address)?.[1] ?? 'no hash'

forEachStack((waymark, stack) => {
  let account: Account
  let memory: MemoryWatch
  beforeAll(async () => {
    account = await waymark().account()
    memory = watchMemory(waymark())
  })
  afterAll(() => memory.stop())

  const upload = (
    { path, name, also }: Pick<(typeof places)[number], 'path' | 'name' | 'also'>,
    bytes: Buffer,
    filename = 'photo.png',
  ): Promise<Answered> =>
    post(waymark(), account, path, multipart([...also, { name, value: bytes, filename, type: 'image/png' }]))
  const profile = { path: '/v1/update-personal-info', name: 'image', also: [] }
  const served = (address: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(address, { headers })
  const current = async (): Promise<string | null> =>
    (await get(waymark(), account, '/v1/profile')).body.data.image

  describe.each(places)('$path with $name', (place) => {
    it.each(refused)('422 for %s', async (name, filename, bytes) => {
      const answer = await upload(place, bytes(), filename)
      expect(answer.status).toBe(422)
      expect(answer.body.errors, name).toEqual({ [place.name]: [expect.any(String)] })
    })

    it('422 for a text where a picture belongs', async () => {
      const answer = await post(
        waymark(),
        account,
        place.path,
        multipart([...place.also, { name: place.name, value: 'x' }]),
      )
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [place.name]])
    })

    it('takes exactly 2048 KB', async () => {
      const answer = await upload(place, paddedPng(LIMIT))
      expect(answer.status).toBe(place.status)
      expect(answer.body.data.image).toMatch(/\/m\/[0-9a-f]{64}\.webp$/)
    })

    it('takes an empty file for none at all', async () => {
      const body = multipart([...place.also, { name: place.name, value: '', filename: '' }])
      const answer = await post(waymark(), account, place.path, body)
      expect([answer.status, answer.body.data.image]).toEqual([place.status, null])
    })
  })

  it('reports a wrong picture together with every other wrong field', async () => {
    const body = multipart([
      { name: 'phone', value: '123' },
      { name: 'image', value: 'no picture', filename: 'photo.png' },
      { name: 'last_name', value: 'a\0b' },
    ])
    const answer = await post(waymark(), account, '/v1/update-personal-info', body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors).sort()).toEqual(['image', 'last_name', 'phone'])
  })

  describe('what is served', () => {
    it('has the name of its content, lasts for ever and is known by its tag', async () => {
      const address = (await upload(profile, png(1, 2, 3))).body.data.image as string
      expect(address.startsWith(`${waymark().url}/m/`)).toBe(true)
      const response = await served(address)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('image/webp')
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(hashIn(address))
      const etag = response.headers.get('etag') ?? ''
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await served(address, { 'if-none-match': tag })
        expect([tag, again.status, await again.text()]).toEqual([tag, 304, ''])
      }
      expect((await served(address, { 'if-none-match': '"other"' })).status).toBe(200)
      const head = await fetch(address, { method: 'HEAD' })
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
    })

    it('tells neither where nor of what a photo was taken', async () => {
      const original = jpegWithPlace()
      expect(original.includes(PLACE)).toBe(true)
      const address = (await upload(profile, original, 'holiday.jpg')).body.data.image as string
      const bytes = Buffer.from(await (await served(address)).arrayBuffer())
      expect(bytes.subarray(8, 12).toString()).toBe('WEBP')
      for (const trace of [PLACE, 'EXIF', 'Exif', 'XMP ', 'ICCP']) expect(bytes.includes(trace)).toBe(false)
    })

    it('is the first frame of an animation', async () => {
      const address = (await upload(profile, animatedGif(), 'moving.gif')).body.data.image as string
      const bytes = Buffer.from(await (await served(address)).arrayBuffer())
      for (const trace of ['ANIM', 'ANMF']) expect(bytes.includes(trace)).toBe(false)
    })

    it('404 for what never was', async () => {
      const unknown = 'ab'.repeat(32)
      for (const name of [
        `${unknown}.webp`,
        `${unknown}.png`,
        'secret.key',
        '..%2f..%2fsecret.key',
        `${unknown}.webp%00`,
      ])
        expect([name, (await served(`${waymark().url}/m/${name}`)).status]).toEqual([name, 404])
    })
  })

  describe('a picture that is replaced or removed', () => {
    it('vanishes', async () => {
      const first = (await upload(profile, png(10))).body.data.image as string
      const second = (await upload({ ...profile, name: 'profile' }, png(20))).body.data.image as string
      expect(await current()).toBe(second)
      await expect.poll(async () => (await served(first)).status).toBe(404)
      const cleared = await post(waymark(), account, profile.path, json({ image: null }))
      expect([cleared.status, cleared.body.data.image]).toEqual([200, null])
      await expect.poll(async () => (await served(second)).status).toBe(404)
      if (stack !== 'embedded') return
      const names = await filesOf(waymark(), 'blobs')
      for (const address of [first, second]) expect(names.join()).not.toContain(hashIn(address).slice(4))
    })

    it('stays as long as somebody else has the same', async () => {
      const other = await waymark().account()
      const mine = (await upload(profile, png(30))).body.data.image as string
      const body = multipart([{ name: 'image', value: png(30), filename: 'x.png' }])
      const theirs = (await post(waymark(), other, profile.path, body)).body.data.image as string
      expect(theirs).toBe(mine)
      await post(waymark(), account, profile.path, json({ profile: null }))
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect((await served(theirs)).status).toBe(200)
      expect((await upload(profile, png(30))).body.data.image).toBe(mine)
    })

    it('stays when it is left out of an edit', async () => {
      const address = (await upload(profile, png(40))).body.data.image as string
      expect(
        (await post(waymark(), account, profile.path, json({ first_name: 'Ada' }))).body.data.image,
      ).toBe(address)
      expect((await served(address)).status).toBe(200)
    })
  })

  it('decodes nothing that no field asked for', async () => {
    const files = Array.from({ length: 20 }, (_, n) => ({
      name: `no${n}`,
      value: hugePng(6000),
      filename: 'x.png',
    }))
    const answer = await post(waymark(), account, '/v1/remove-links', multipart(files))
    expect(Object.keys(answer.body.errors)).toEqual(['uuid'])
  })

  it('leaves no temporary file behind', async () => {
    await expect.poll(() => filesOf(waymark(), 'temp')).toEqual([])
  })

  it('has kept under 250 MB throughout', () => {
    console.info(`peak of memory: ${Math.round(memory.peak())} MB`)
    expect(memory.peak()).toBeLessThan(MEMORY_LIMIT_MB)
  })

  it('decodes one large picture at a time', async () => {
    // Four at once would take four times forty megabytes and more.
    const large = hugePng(6000)
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(profile, large)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    console.info(`peak of memory with large pictures: ${Math.round(memory.peak())} MB`)
    expect(memory.peak()).toBeLessThan(MEMORY_LIMIT_MB + 100)
  })
})
