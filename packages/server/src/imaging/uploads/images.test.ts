import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { crc32, createDeflate } from 'node:zlib'
import { UploadedFile } from '@waymark/contract'
import sharp, { type FormatEnum } from 'sharp'
import { describe, expect, it } from 'vitest'
import { prepareImage, prepareUploads, type ImageOptions } from './images.ts'

const picture = (width: number, height: number, background = '#c0ffee') =>
  sharp({ create: { width, height, channels: 4, background } })

/** Noise does not compress, so truncating the file truncates pixels. */
const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })

const prepared = async (bytes: Buffer, options?: ImageOptions) => {
  const outcome = await prepareImage(bytes, options)
  if (!outcome.ok) throw new Error(outcome.reason)
  return { ...outcome, bytes: Buffer.from(outcome.bytes) }
}

const refusal = async (bytes: Buffer) => {
  const outcome = await prepareImage(bytes)
  return outcome.ok ? 'taken' : outcome.reason
}

const pixelAt = async (bytes: Buffer, left: number, top: number) => [
  ...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
]

describe('accepted uploads', () => {
  it.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
    'encodes %s anew as WebP, named by its content',
    async (format) => {
      const outcome = await prepared(await picture(30, 20).toFormat(format).toBuffer())
      expect(outcome).toMatchObject({ width: 30, height: 20, format: 'webp', source: format })
      expect(outcome.hash).toBe(createHash('sha256').update(outcome.bytes).digest('hex'))
      expect(await sharp(outcome.bytes).metadata()).toMatchObject({ format: 'webp', width: 30, height: 20 })
    },
  )

  it('keeps every pixel as PNG on request', async () => {
    const original = await noise(40, 40).png().toBuffer()
    const outcome = await prepared(original, { as: 'png' })
    expect(outcome.format).toBe('png')
    expect(await sharp(outcome.bytes).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer())
  })

  it('returns equal bytes for equal pictures', async () => {
    const bytes = await noise(50, 50).jpeg().toBuffer()
    expect((await prepared(bytes)).hash).toBe((await prepared(bytes)).hash)
  })

  it('shrinks to the longest side and never enlarges', async () => {
    const wide = await picture(5120, 100).png().toBuffer()
    expect(await prepared(wide)).toMatchObject({ width: 2560, height: 50 })
    expect(await prepared(wide, { as: 'png', maxSide: 512 })).toMatchObject({ width: 512, height: 10 })
    expect(await prepared(wide, { maxSide: 9999 })).toMatchObject({ width: 2560 })
    expect(await prepared(await picture(1, 1).png().toBuffer())).toMatchObject({ width: 1, height: 1 })
  })

  it('stores at most 4 megapixels, and a wide picture at its full width', async () => {
    const sizes = { square: [3000, 3000], wide: [2560, 1440] } as const
    const square = await prepared(await onePixelColourPng(...sizes.square))
    expect([square.width, square.height]).toEqual([2000, 2000])
    const wide = await prepared(await onePixelColourPng(...sizes.wide))
    expect([wide.width, wide.height]).toEqual([...sizes.wide])
  })

  it('keeps transparency', async () => {
    const clear = await prepared(await picture(8, 8, '#00000000').png().toBuffer())
    expect(await pixelAt(clear.bytes, 4, 4)).toEqual([0, 0, 0, 0])
    const half = await prepared(await picture(8, 8, '#ff000080').png().toBuffer(), { as: 'png' })
    expect(await pixelAt(half.bytes, 4, 4)).toEqual([255, 0, 0, 128])
  })

  it('keeps the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((colour) => picture(10, 10, colour).png().toBuffer()),
    )
    const animated = await sharp(frames, { join: { animated: true } })
      .gif({ loop: 0 })
      .toBuffer()
    expect((await sharp(animated).metadata()).pages).toBe(2)
    const outcome = await prepared(animated)
    expect(outcome).toMatchObject({ width: 10, height: 10, source: 'gif' })
    expect((await sharp(outcome.bytes).metadata()).pages).toBeUndefined()
    expect((await pixelAt(outcome.bytes, 5, 5)).slice(0, 3)).toEqual([255, 0, 0])
  })

  it.each(['webp', 'png'] as const)('converts CMYK, greyscale and 16 bits to 8-bit sRGB %s', async (as) => {
    const odd = [
      await noise(20, 20).toColourspace('cmyk').jpeg().toBuffer(),
      await noise(20, 20).toColourspace('b-w').png().toBuffer(),
      await noise(20, 20).toColourspace('rgb16').png().toBuffer(),
    ]
    expect(await Promise.all(odd.map(async (bytes) => (await sharp(bytes).metadata()).space))).toEqual([
      'cmyk',
      'b-w',
      'rgb16',
    ])
    for (const bytes of odd) {
      const metadata = await sharp((await prepared(bytes, { as })).bytes).metadata()
      expect(metadata).toMatchObject({ space: 'srgb', depth: 'uchar' })
    }
  })

  it('turns the picture upright and removes its location', async () => {
    const exif = {
      IFD0: { Copyright: 'secretcopyright' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    }
    const bytes = await picture(40, 20).jpeg().withExif(exif).withIccProfile('p3').keepMetadata().toBuffer()
    const sideways = await sharp(bytes).keepMetadata().withMetadata({ orientation: 6 }).toBuffer()
    const before = await sharp(sideways).metadata()
    expect(before).toMatchObject({ orientation: 6, width: 40 })
    expect(before.exif?.includes('secretcopyright')).toBe(true)
    for (const as of ['webp', 'png'] as const) {
      const outcome = await prepared(sideways, { as })
      expect(outcome).toMatchObject({ width: 20, height: 40 })
      const after = await sharp(outcome.bytes).metadata()
      expect([after.exif, after.icc, after.xmp, after.iptc, after.orientation]).toEqual(
        Array(5).fill(undefined),
      )
      expect(outcome.bytes.includes('secretcopyright')).toBe(false)
    }
  })

  it('removes data hidden behind or inside a picture', async () => {
    const script = Buffer.from('<script>alert(1)</script>')
    const png = await picture(9, 9).png().toBuffer()
    const jpeg = await picture(9, 9).jpeg().toBuffer()
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), script])
    const polyglots = [
      Buffer.concat([png, script]),
      Buffer.concat([jpeg, script]),
      Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]),
      Buffer.concat([await picture(9, 9).gif().toBuffer(), script]),
    ]
    for (const bytes of polyglots) expect((await prepared(bytes)).bytes.includes('script')).toBe(false)
  })
})

describe('rejected uploads', () => {
  const noImage = 'Must be an image: PNG, JPEG, GIF, WebP or AVIF'
  const damaged = 'Must be a whole image: this one is damaged'

  it.each([
    ['nothing', ''],
    ['text', 'just text, named a.png'],
    [
      'SVG',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    ],
    ['SVG behind a declaration', '\ufeff<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['PDF', '%PDF-1.7\n'],
    ['HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['BMP', 'BM\x36\0\0\0'],
    ['a short box', '\0\0\0\x08ftypavif'],
  ])('refuses %s', async (_, text) => {
    expect(await refusal(Buffer.from(text, 'latin1'))).toBe(noImage)
  })

  it('rejects TIFF, which the decoder supports', async () => {
    expect(await refusal(await picture(9, 9).tiff().toBuffer())).toBe(noImage)
  })

  it('rejects valid first bytes followed by nothing, or by another format', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    for (const magic of [
      '\x89PNG\r\n\x1a\n',
      '\xff\xd8\xff',
      'GIF89a',
      'RIFF\x40\0\0\0WEBP',
      '\0\0\0\x18ftypavif\0\0\0\0mif1avif',
    ]) {
      expect(await refusal(Buffer.from(magic, 'latin1'))).toBe(damaged)
      expect(await refusal(Buffer.concat([Buffer.from(magic, 'latin1'), svg]))).toBe(damaged)
    }
  })

  it.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as (keyof FormatEnum)[])(
    'refuses a %s that is cut off anywhere',
    async (format) => {
      const whole = await noise(200, 200).toFormat(format).toBuffer()
      expect(await refusal(whole)).toBe('taken')
      for (const part of [0.98, 0.7, 0.3, 0.1]) {
        expect(await refusal(whole.subarray(0, Math.floor(whole.length * part)))).toBe(damaged)
      }
    },
  )

  it('rejects more than 40 megapixels by the header, even in a small file', async () => {
    const bomb = await onePixelColourPng(30_000, 30_000)
    expect(bomb.length).toBeLessThan(200_000)
    expect(await refusal(bomb)).toBe('Must have at most 40 megapixels')
    expect(await refusal(await onePixelColourPng(6400, 6250))).toBe('taken')
    expect(await refusal(await onePixelColourPng(6400, 6251))).toBe('Must have at most 40 megapixels')
  })

  it('rejects more than 2048 kilobytes, by the actual size', async () => {
    const png = await picture(9, 9).png().toBuffer()
    const padded = Buffer.concat([png, Buffer.alloc(2048 * 1024 - png.length)])
    expect(await refusal(padded)).toBe('taken')
    expect(await refusal(Buffer.concat([padded, Buffer.alloc(1)]))).toBe('Must be at most 2048 kilobytes')
    const cut = new UploadedFile({ path: '/nowhere', size: 2049 * 1024, filename: 'a.png' })
    expect(await prepareImage(cut)).toEqual({ ok: false, reason: 'Must be at most 2048 kilobytes' })
  })
})

describe('prepareUploads', () => {
  it('processes every file, also if many run at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-images-test-'))
    const path = join(folder, '0')
    const png = await picture(9, 7).png().toBuffer()
    await writeFile(path, png)
    const good = Array.from({ length: 23 }, () => new UploadedFile({ path, size: png.length, filename: 'a' }))
    const empty = new UploadedFile({ path: '', size: 0, filename: 'b' })
    const late = new UploadedFile({ path, size: png.length, filename: 'c' })
    await Promise.all([
      prepareUploads([...good, empty, late], { as: 'png' }),
      prepareUploads([]),
      prepareImage(path),
    ])
    expect(new Set(good.map((file) => `${file.image?.format} ${file.image?.width} ${file.fault}`))).toEqual(
      new Set(['png 9 undefined']),
    )
    expect([empty.image, empty.fault]).toEqual([undefined, 'Must be an image: PNG, JPEG, GIF, WebP or AVIF'])
    expect([late.image, late.fault]).toEqual([undefined, 'Too many files'])
    await rm(folder, { recursive: true })
  })

  it('decodes two files at a time, and stops when the pixel budget is used up', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-images-test-'))
    const path = join(folder, '0')
    const png = await picture(9, 7).png().toBuffer()
    await writeFile(path, png)
    const files = Array.from({ length: 6 }, () => new UploadedFile({ path, size: png.length, filename: 'a' }))
    const asked: (() => void)[] = []
    const first = Promise.withResolvers<void>()
    const spend = async (): Promise<void> => {
      await new Promise<void>((resolve) => {
        asked.push(resolve)
        if (asked.length === 2) first.resolve()
      })
      throw new Error('used up')
    }
    const preparing = prepareUploads(files, { spend })
    await first.promise
    expect(asked).toHaveLength(2)
    for (const goOn of asked) goOn()
    await expect(preparing).rejects.toThrow('used up')
    expect(asked).toHaveLength(2)
    await rm(folder, { recursive: true })
  })
})

/** A valid PNG of one colour, one bit per pixel, created without holding its pixels in memory. */
async function onePixelColourPng(width: number, height: number): Promise<Buffer> {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const row = Buffer.alloc(1 + Math.ceil(width / 8))
  const rows = Readable.from(Array.from({ length: height }, () => row))
  const pixels = await buffer(rows.pipe(createDeflate()))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
