import sharp, { type FormatEnum } from 'sharp'
import { expect, it } from 'vitest'
import { type ImageOptions, prepareImage } from './images.ts'

/** Noise does not compress, so that every byte of the file matters. */
const noise = () =>
  sharp({
    create: {
      width: 320,
      height: 240,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })

const verdict = async (bytes: Buffer, options?: ImageOptions) => {
  const outcome = await prepareImage(bytes, options)
  return outcome.ok ? 'taken' : outcome.reason
}

it.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as (keyof FormatEnum)[])(
  'says the same of a %s that is decoded to a few pixels',
  async (format) => {
    const whole = await noise().toFormat(format).toBuffer()
    const few = (bytes: Buffer) => verdict(bytes, { maxSide: 64 })
    expect(await few(whole)).toBe('taken')
    for (const part of [0.999, 0.98, 0.9, 0.7, 0.3, 0.1]) {
      const cut = whole.subarray(0, Math.floor(whole.length * part))
      expect([part, await few(cut)]).toEqual([part, await verdict(cut)])
    }
    for (const part of [0.2, 0.5, 0.9]) {
      const bad = Buffer.from(whole)
      bad.fill(0x5a, Math.floor(bad.length * part), Math.floor(bad.length * part) + 200)
      expect([part, await few(bad)]).toEqual([part, await verdict(bad)])
    }
  },
)
