import { crc32, deflateSync } from 'node:zlib'

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const header = (width: number, height: number, bits: number, kind: number): Buffer => {
  const bytes = Buffer.alloc(13)
  bytes.writeUInt32BE(width, 0)
  bytes.writeUInt32BE(height, 4)
  bytes.set([bits, kind], 8)
  return chunk('IHDR', bytes)
}

/** A PNG of one colour; every colour is a file of its own. */
export function png(red: number, green = 0, blue = 0, side = 8): Buffer {
  const row = Buffer.from([0, ...Array.from({ length: side }, () => [red, green, blue]).flat()])
  const rows = Buffer.concat(Array.from({ length: side }, () => row))
  return Buffer.concat([
    PNG_SIGNATURE,
    header(side, side, 8, 2),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The same PNG, made exactly that long by a chunk that every decoder leaves alone. */
export function paddedPng(bytes: number, red = 9): Buffer {
  const plain = png(red)
  const end = plain.length - 12
  const padding = chunk('paDd', Buffer.alloc(bytes - plain.length - 12))
  return Buffer.concat([plain.subarray(0, end), padding, plain.subarray(end)])
}

/** A small file that is a picture of side × side pixels: one bit each, all the same. */
export function hugePng(side: number): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(side / 8))
  const rows = Buffer.concat(Array.from({ length: side }, () => row))
  return Buffer.concat([
    PNG_SIGNATURE,
    header(side, side, 1, 0),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Two frames of one pixel, red and blue. */
export function animatedGif(): Buffer {
  const frame = (data: string): string => `21f90400 0a000000 2c000000 00010001 0000 0202${data}00`
  const hex = [
    Buffer.from('GIF89a').toString('hex'),
    '01000100 800000',
    'ff0000 0000ff',
    `21ff0b${Buffer.from('NETSCAPE2.0').toString('hex')}0301000000`,
    frame('4401'),
    frame('4c01'),
    '3b',
  ]
  return Buffer.from(hex.join('').replaceAll(' ', ''), 'hex')
}

/** A JPEG of 48 × 32 pixels. */
export const jpeg = Buffer.from(
  [
    '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUX',
    'Fx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAgADADASIAAhEB',
    'AxEB/8QAGAABAQEBAQAAAAAAAAAAAAAAAwIBBAD/xAAvEAACAQIEBAQEBwAAAAAAAAABAhESIQADIoIxMkFxE2FygSMzQmIEUVKRkpOi',
    '/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABkRAQEBAQEBAAAAAAAAAAAAAPAAEXEBgf/aAAwDAQACEQMRAD8AEUgEU/DXiosKYmCfQzDb',
    'hAGIpLAmaauChuWfPUqHdj34gkZgzXXiKiHMwRJIj+0ftjAPpZvtrbj0WQO3hthBsocQMymV5gGECLtAHY5i+2NzcstllZlhZWc8SIUG',
    'B0+W2JVmqrAIzCagDdpu0eWoOPfCKFGmTTEGLsViJnpoZTtwGclzBxAzKZXmAYQIu0AdjmL7YQD6Wb7a249FkDt4bYhq8vNNvihpjmJa',
    'S0Dcrj3xqhRpk0xBi7FYiZ6aGU7cBnIPkmbXQWAHioaoUVGqb39Skb8AoUaZNMQYuxWImemhlO3HUAxFJYEzTVwUNyz56lQ7scgpAIp+',
    'GvFRYUxME+hmG3CTLWTAtmHiF/VPU+tf9YtSlNhOUL0iwpibnroZhtwQDEUlgTNNXBQ3LPnqVDuwgcQMymV5gGECLtAHY5i+2A2DntOe',
    'r1KVJLnSSogFgbX/ACqUfzxClKbCcoXpFhTE3PXQzDbhs3LLZZWZYWVnPEiFBgdPltgA4gZlMrzAMIEXaAOxzF9sJf/Z',
  ].join(''),
  'base64',
)

/** The text that stands beside the place in `jpegWithPlace`. */
export const PLACE = 'The back door of number eleven'

const entry = (tag: number, type: number, count: number, value: number): Buffer => {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16LE(tag, 0)
  bytes.writeUInt16LE(type, 2)
  bytes.writeUInt32LE(count, 4)
  bytes.writeUInt32LE(value, 8)
  return bytes
}

/** The same JPEG with Exif: where it was taken, and a description. */
export function jpegWithPlace(): Buffer {
  const text = Buffer.from(`${PLACE}\0`)
  const [ASCII, LONG, RATIONAL] = [2, 4, 5]
  const gpsAt = 8 + 2 + 2 * 12 + 4
  const latitudeAt = gpsAt + 2 + 2 * 12 + 4
  const textAt = latitudeAt + 24
  const degrees = Buffer.alloc(24)
  for (const [index, value] of [51, 1, 30, 1, 26, 1].entries()) degrees.writeUInt32LE(value, index * 4)
  const none = Buffer.alloc(4)
  const tiff = Buffer.concat([
    Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0]),
    Buffer.from([2, 0]),
    entry(0x010e, ASCII, text.length, textAt),
    entry(0x8825, LONG, 1, gpsAt),
    none,
    Buffer.from([2, 0]),
    entry(1, ASCII, 2, 'N'.charCodeAt(0)),
    entry(2, RATIONAL, 3, latitudeAt),
    none,
    degrees,
    text,
  ])
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(exif.length + 2)
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, exif, jpeg.subarray(2)])
}
