import { promisify } from 'node:util'
import { crc32, deflate, deflateSync } from 'node:zlib'
import type { Picture } from '@waymark/codes'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const FILTER_UP = 2
const PALETTE = 3
// Below this, deflating is faster than passing it to another thread.
const SYNC_BYTES = 256 * 1024

/** A plain picture as a PNG with two or three palette colours, one or two bits per pixel. */
export async function plainPng(picture: Picture, scale: number): Promise<Buffer> {
  const image = scanlines(picture, scale)
  const data = image.lines.length < SYNC_BYTES ? deflateSync(image.lines) : await deflateAsync(image.lines)
  return assemble(picture, image, data)
}

/** The same, synchronous, for small pictures. */
export function plainPngSync(picture: Picture, scale = 1): Buffer {
  const image = scanlines(picture, scale)
  return assemble(picture, image, deflateSync(image.lines))
}

const deflateAsync = promisify<Buffer, Buffer>(deflate)

interface Scanlines {
  width: number
  height: number
  bits: 1 | 2
  lines: Buffer
}

/** Each row of modules is written once; repetitions use the "up" filter, which deflates to almost nothing. */
function scanlines({ width, height, grid, color, eyeColor }: Picture, scale: number): Scanlines {
  const bits = color === eyeColor ? 1 : 2
  const image = { width: width * scale, height: height * scale, bits } as const
  const stride = 1 + Math.ceil((image.width * bits) / 8)
  const lines = Buffer.alloc(stride * image.height)
  const [left, cellWidth] = [grid.left * scale, grid.cellWidth * scale]
  const [top, cellHeight] = [grid.top * scale, grid.cellHeight * scale]
  for (let y = 0; y < image.height; y++) lines[y * stride] = FILTER_UP
  for (let row = 0; row < grid.rows; row++) {
    const line = (top + row * cellHeight) * stride
    lines[line] = 0
    let pixel = left
    for (let column = 0; column < grid.columns; column++) {
      const kind = grid.cells[row * grid.columns + column]!
      const ink = bits === 1 ? (kind === 0 ? 0 : 1) : kind
      const end = pixel + cellWidth
      if (ink === 0) pixel = end
      else for (; pixel < end; pixel++) setPixel(lines, line + 1, pixel, bits, ink)
    }
  }
  // The background below the last row begins with its own line.
  const below = (top + grid.rows * cellHeight) * stride
  if (below < lines.length) lines[below] = 0
  return { ...image, lines }
}

function setPixel(lines: Buffer, line: number, pixel: number, bits: 1 | 2, ink: number): void {
  const bit = pixel * bits
  lines[line + (bit >> 3)]! |= ink << (8 - bits - (bit & 7))
}

function assemble(picture: Picture, image: Scanlines, data: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(image.width, 0)
  header.writeUInt32BE(image.height, 4)
  header[8] = image.bits
  header[9] = PALETTE
  const colors = [picture.background, picture.color, ...(image.bits === 2 ? [picture.eyeColor] : [])]
  const palette = Buffer.from(colors.map((color) => color.slice(1)).join(''), 'hex')
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(12 + data.length)
  whole.writeUInt32BE(data.length, 0)
  whole.write(type, 4, 'latin1')
  data.copy(whole, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length)
  return whole
}
