/** A greyscale picture, one byte per pixel. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** A part of a picture, in pixels. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A picture for decoders, four bytes per pixel. */
export interface Rgba {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

export function rgbaOf({ width, height, data }: Grey): Rgba {
  const rgba = new Uint8ClampedArray(width * height * 4)
  const pixels = new Uint32Array(rgba.buffer)
  // Little-endian, like all platforms of Node: opacity is the last byte.
  for (let at = 0; at < data.length; at++) pixels[at] = 0xff000000 | (data[at]! * 0x010101)
  return { width, height, data: rgba }
}

/** A picture enlarged to twice its width and height. */
export function doubled({ width, height, data }: Grey): Grey {
  const out = new Uint8Array(4 * data.length)
  for (let y = 0, at = 0; y < 2 * height; y++)
    for (let x = 0; x < 2 * width; x++, at++) out[at] = data[(y >> 1) * width + (x >> 1)]!
  return { width: 2 * width, height: 2 * height, data: out }
}

/** A part of a picture in fewer pixels, each of which is the mean of the area that it covers. */
export function shrunk({ width, height, data }: Grey, part: Region, share: number): Grey {
  const to = { width: Math.round(part.width * share), height: Math.round(part.height * share) }
  const columns = Array.from({ length: to.width }, (_, at) =>
    cover(part.left, part.width / to.width, at, width),
  )
  const rows = Array.from({ length: to.height }, (_, at) =>
    cover(part.top, part.height / to.height, at, height),
  )
  const out = new Uint8Array(to.width * to.height)
  const sums = new Float64Array(width)
  for (const [y, row] of rows.entries()) {
    sums.fill(0)
    for (let from = row.first, n = 0; n < row.shares.length; from++, n++)
      for (let x = 0; x < width; x++) sums[x]! += data[from * width + x]! * row.shares[n]!
    for (const [x, { first, shares }] of columns.entries()) {
      let sum = 0.5
      for (let n = 0; n < shares.length; n++) sum += sums[first + n]! * shares[n]!
      out[y * to.width + x] = sum
    }
  }
  return { ...to, data: out }
}

/** The pixels of a line that a new pixel covers: the first, and the share that each has of it. */
function cover(start: number, step: number, at: number, limit: number): { first: number; shares: number[] } {
  const [from, to] = [start + at * step, Math.min(limit, start + (at + 1) * step)]
  const first = Math.floor(from)
  const shares = Array.from(
    { length: Math.ceil(to) - first },
    (_, n) => (Math.min(first + n + 1, to) - Math.max(first + n, from)) / (to - from),
  )
  return { first, shares }
}
