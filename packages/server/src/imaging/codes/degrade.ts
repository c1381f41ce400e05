import { type Condition, CONDITIONS } from '@waymark/codes/conditions'
import type { Grey } from './grey.ts'

type Degrade = (picture: Grey) => Grey

/** What surrounds a code that is turned or tilted. */
const PAPER = 232

/** Three rows of three numbers: where in a picture to look, for each pixel of another. */
type Projection = readonly [number, number, number, number, number, number, number, number, number]

/** A picture as a camera sees it from another position, interpolated between pixels. */
function seen(
  { width, height, data }: Grey,
  to: Pick<Grey, 'width' | 'height'>,
  [a, b, c, d, e, f, g, h, i]: Projection,
): Grey {
  const out = new Uint8Array(to.width * to.height).fill(PAPER)
  for (let y = 0, at = 0; y < to.height; y++) {
    for (let x = 0; x < to.width; x++, at++) {
      const px = x + 0.5
      const py = y + 0.5
      const w = g * px + h * py + i
      const u = (a * px + b * py + c) / w
      const v = (d * px + e * py + f) / w
      if (u < 0 || v < 0 || u >= width || v >= height) continue
      const fromX = Math.max(0, u - 0.5)
      const fromY = Math.max(0, v - 0.5)
      const left = Math.floor(fromX)
      const top = Math.floor(fromY)
      const shareX = fromX - left
      const shareY = fromY - top
      const first = top * width + left
      const right = left + 1 < width ? 1 : 0
      const second = top + 1 < height ? first + width : first
      const above = data[first]! * (1 - shareX) + data[first + right]! * shareX
      const below = data[second]! * (1 - shareX) + data[second + right]! * shareX
      out[at] = above * (1 - shareY) + below * shareY + 0.5
    }
  }
  return { ...to, data: out }
}

const turned =
  (degrees: number): Degrade =>
  (picture) => {
    const { width, height } = picture
    const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
    const to = {
      width: Math.ceil(width * cos + height * sin),
      height: Math.ceil(width * sin + height * cos),
    }
    const [x, y] = [to.width / 2, to.height / 2]
    const left = width / 2 - cos * x - sin * y
    const top = height / 2 + sin * x - cos * y
    return seen(picture, to, [cos, sin, left, -sin, cos, top, 0, 0, 1])
  }

/** Seen from below: the upper edge is shorter, in true perspective. */
const tilted =
  (share: number): Degrade =>
  (picture) => {
    const { width, height } = picture
    const far = share / height
    return seen(picture, picture, [1, (far * width) / 2, (-share * width) / 2, 0, 1, 0, 0, far, 1 - share])
  }

const scaled =
  (share: number): Degrade =>
  (picture) => {
    const to = { width: Math.round(picture.width * share), height: Math.round(picture.height * share) }
    return seen(picture, to, [picture.width / to.width, 0, 0, 0, picture.height / to.height, 0, 0, 0, 1])
  }

/** A Gaussian blur, first of the rows and then of the columns. */
const blurred = (sigma: number): Degrade => {
  const radius = Math.ceil(2.5 * sigma)
  const bell = Array.from({ length: 2 * radius + 1 }, (_, at) =>
    Math.exp(-((at - radius) ** 2) / (2 * sigma ** 2)),
  )
  const sum = bell.reduce((total, value) => total + value, 0)
  const kernel = Float64Array.from(bell, (value) => value / sum)
  const along = (data: Uint8Array, lines: number, length: number, line: number, step: number): Uint8Array => {
    const out = new Uint8Array(data.length)
    for (let n = 0; n < lines; n++)
      for (let at = 0; at < length; at++) {
        let value = 0.5
        for (let k = -radius; k <= radius; k++) {
          const place = at + k < 0 ? 0 : at + k >= length ? length - 1 : at + k
          value += data[n * line + place * step]! * kernel[k + radius]!
        }
        out[n * line + at * step] = value
      }
    return out
  }
  return ({ width, height, data }) => ({
    width,
    height,
    data: along(along(data, height, width, width, 1), width, height, 1, width),
  })
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

const degradeOf = (condition: Condition): Degrade => {
  if ('blurPx' in condition) return blurred(condition.blurPx)
  if ('degrees' in condition) return turned(condition.degrees)
  if ('tilt' in condition) return tilted(condition.tilt)
  if ('noise' in condition) return noisy(condition.noise)
  if ('scale' in condition) return scaled(condition.scale)
  return lit(condition.contrast, condition.shadow)
}

/** Deterministic, so a picture always gets the same grade. */
export const DEGRADATIONS = CONDITIONS.map(({ condition, mild, harsh }) => ({
  condition,
  mild: degradeOf(mild),
  harsh: degradeOf(harsh),
}))
