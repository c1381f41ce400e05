import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, expect, it } from 'vitest'
import { KeptPictures } from '../../storage/kept-pictures.ts'
import { createImageSizes } from './image-sizes.ts'
import { IMAGE_WIDTHS, keptSize } from './kept-sizes.ts'

const photo = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 600,
      height: 400,
      channels: 3,
      background: '#884422',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .blur(2)
    .webp({ quality: 90 })
    .toBuffer()

const fail = (error: unknown): never => {
  throw error
}

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const HASH = 'a'.repeat(64)

/** Sizes of one picture, and how often it was loaded. */
const sizesOf = (source: Buffer | undefined) => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-sizes-'))
  folders.push(folder)
  const kept = new KeptPictures(folder)
  const counts = { loads: 0 }
  const load = () => {
    counts.loads++
    return Promise.resolve(source)
  }
  return { kept, counts, sizes: createImageSizes(load, kept, fail) }
}

it('creates each size once, never larger than the picture', async () => {
  const { sizes, counts } = sizesOf(await photo())
  const small = await sizes.get(HASH, 480, false)
  expect(await sharp(small?.bytes).metadata()).toMatchObject({ width: 480, height: 320, format: 'webp' })
  expect(await sizes.get(HASH, 480, false)).toEqual(small)
  expect(counts.loads).toBe(1)
  const large = await sizes.get(HASH, 1440, false)
  expect((await sharp(large?.bytes).metadata()).width).toBe(600)
})

it('returns WebP first, and AVIF afterwards', async () => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#f72"/><stop offset="1" stop-color="#25c"/></linearGradient></defs><rect width="900" height="600" fill="url(#g)"/><circle cx="600" cy="200" r="150" fill="#fff8"/></svg>`
  const { sizes } = sizesOf(await sharp(Buffer.from(drawing)).webp({ quality: 85 }).toBuffer())
  expect((await sizes.get(HASH, 480, true))?.format).toBe('webp')
  await expect.poll(async () => (await sizes.get(HASH, 480, true))?.format).toBe('avif')
  expect((await sizes.get(HASH, 480, false))?.format).toBe('webp')
})

it('stays with WebP if AVIF is not smaller, and finds that out once', async () => {
  const { sizes, kept, counts } = sizesOf(
    await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
      .webp()
      .toBuffer(),
  )
  await sizes.get(HASH, 480, true)
  await expect.poll(() => kept.has(`${HASH}-480.avif`)).toBe(true)
  expect((await sizes.get(HASH, 480, true))?.format).toBe('webp')
  expect(counts.loads).toBe(1)
})

it('makes all sizes of an upload before it is asked for any', async () => {
  const source = await photo()
  const { sizes, kept, counts } = sizesOf(source)
  await sizes.prepare(HASH, source)
  for (const as of [...IMAGE_WIDTHS, 'shared'] as const)
    expect(await keptSize(kept, HASH, as, false)).toMatchObject({ format: as === 'shared' ? 'jpeg' : 'webp' })
  expect(counts.loads).toBe(0)
})

it('returns nothing for a missing picture', async () => {
  const { sizes } = sizesOf(undefined)
  expect(await sizes.get(HASH, 480, true)).toBeUndefined()
})
