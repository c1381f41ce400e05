import type { Sharp } from 'sharp'
import { imageLibrary } from '../image-library.ts'

/** A greyscale picture, one byte per pixel. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

type Degrade = (picture: Grey) => Promise<Grey> | Grey

const PAPER = 232
const BACKGROUND = { r: PAPER, g: PAPER, b: PAPER }

const through =
  (change: (image: Sharp, picture: Grey) => Sharp): Degrade =>
  async (picture) => {
    const sharp = await imageLibrary()
    const { width, height, data } = picture
    const image = sharp(data, { raw: { width, height, channels: 1 } })
    const done = await change(image, picture).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
    return { width: done.info.width, height: done.info.height, data: done.data }
  }

const blurred = (sigma: number) => through((image) => image.blur(sigma))
const turned = (degrees: number) => through((image) => image.rotate(degrees, { background: BACKGROUND }))
const scaled = (share: number) =>
  through((image, { width }) => image.resize({ width: Math.round(width * share) }))

/** Seen from below: the upper edge is shorter, in true perspective. */
const tilted =
  (share: number): Degrade =>
  ({ width, height, data }) => {
    const sheet = new Uint8Array(data.length).fill(PAPER)
    for (let y = 0; y < height; y++) {
      const far = 1 - share * (1 - y / height)
      const top = Math.floor(y / far)
      if (top >= height) continue
      for (let x = 0; x < width; x++) {
        const left = Math.floor((x - width / 2) / far + width / 2)
        if (left >= 0 && left < width) sheet[y * width + x] = data[top * width + left]!
      }
    }
    return { width, height, data: sheet }
  }

/** Deterministic noise: the sum of the four bytes of a xorshift generator's next number, per pixel. */
const noisy =
  (level: number): Degrade =>
  (picture) => {
    let state = 20_261_118
    const data = new Uint8Array(picture.data.length)
    for (let at = 0; at < data.length; at++) {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      const sum = (state & 255) + ((state >> 8) & 255) + ((state >> 16) & 255) + (state >>> 24)
      data[at] = Math.max(0, Math.min(255, picture.data[at]! + (sum / 256 - 2) * level))
    }
    return { ...picture, data }
  }

/** Less contrast, and a shadow over one side. */
const lit =
  (contrast: number, shadow: number): Degrade =>
  (picture) => {
    const data = new Uint8Array(picture.data.length)
    for (let at = 0; at < data.length; at++) {
      const across = (at % picture.width) / picture.width
      data[at] = (128 + (picture.data[at]! - 128) * contrast) * (1 - shadow * across)
    }
    return { ...picture, data }
  }

/** Twelve conditions in which codes are scanned. They are deterministic, so a picture always gets the same grade. */
export const DEGRADATIONS: readonly { condition: string; degrade: Degrade }[] = [
  { condition: 'blurred', degrade: blurred(1) },
  { condition: 'blurred', degrade: blurred(1.6) },
  { condition: 'turned', degrade: turned(9) },
  { condition: 'turned', degrade: turned(38) },
  { condition: 'tilted', degrade: tilted(0.08) },
  { condition: 'tilted', degrade: tilted(0.15) },
  { condition: 'noisy', degrade: noisy(15) },
  { condition: 'noisy', degrade: noisy(26) },
  { condition: 'small', degrade: scaled(0.75) },
  { condition: 'small', degrade: scaled(0.5) },
  { condition: 'in poor light', degrade: lit(0.6, 0.2) },
  { condition: 'in poor light', degrade: lit(0.8, 0.5) },
]
