import sharp from 'sharp'
import { expect, it } from 'vitest'
import { createImageSizes } from './image-sizes.ts'

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

it('creates each size once, never larger than the picture', async () => {
  const source = await photo()
  let loads = 0
  const sizes = createImageSizes(() => {
    loads++
    return Promise.resolve(source)
  }, fail)
  const small = await sizes.get('a', 480, false)
  expect(await sharp(small?.bytes).metadata()).toMatchObject({ width: 480, height: 320, format: 'webp' })
  expect(await sizes.get('a', 480, false)).toBe(small)
  expect(loads).toBe(1)
  const large = await sizes.get('a', 1440, false)
  expect((await sharp(large?.bytes).metadata()).width).toBe(600)
})

it('returns WebP first, and AVIF afterwards', async () => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#f72"/><stop offset="1" stop-color="#25c"/></linearGradient></defs><rect width="900" height="600" fill="url(#g)"/><circle cx="600" cy="200" r="150" fill="#fff8"/></svg>`
  const source = await sharp(Buffer.from(drawing)).webp({ quality: 85 }).toBuffer()
  const sizes = createImageSizes(() => Promise.resolve(source), fail)
  expect((await sizes.get('a', 480, true))?.format).toBe('webp')
  await expect.poll(async () => (await sizes.get('a', 480, true))?.format).toBe('avif')
  expect((await sizes.get('a', 480, false))?.format).toBe('webp')
})

it('stays with WebP if AVIF is not smaller, and finds that out once', async () => {
  const source = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
    .webp()
    .toBuffer()
  let loads = 0
  const sizes = createImageSizes(() => {
    loads++
    return Promise.resolve(source)
  }, fail)
  const loadsOfOneMore = async (): Promise<number> => {
    const before = loads
    expect((await sizes.get('a', 480, true))?.format).toBe('webp')
    return loads - before
  }
  await expect.poll(loadsOfOneMore).toBe(0)
})

it('returns nothing for a missing picture', async () => {
  const sizes = createImageSizes(() => Promise.resolve(undefined), fail)
  expect(await sizes.get('a', 480, true)).toBeUndefined()
})
