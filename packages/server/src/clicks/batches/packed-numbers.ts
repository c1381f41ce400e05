/** Numbers in the fewest bytes that hold the largest of them. */
export type PackedNumbers = Uint8Array | Uint16Array | Uint32Array

export type Width = 1 | 2 | 4

/** Bytes of numbers that are less than this. */
export function widthBelow(limit: number): Width {
  if (limit <= 256) return 1
  return limit <= 65_536 ? 2 : 4
}

/** A part of some bytes as numbers; `at` has to be a multiple of their width. */
export function numbersAt(buffer: ArrayBuffer, at: number, length: number, width: Width): PackedNumbers {
  if (width === 1) return new Uint8Array(buffer, at, length)
  return width === 2 ? new Uint16Array(buffer, at, length) : new Uint32Array(buffer, at, length)
}

/** Typed arrays need their bytes at multiples of their width. */
export function align(at: number, width = 4): number {
  return Math.ceil(at / width) * width
}

/** The same bytes, at a multiple of eight in memory. */
export function aligned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.byteOffset % 8 === 0 && bytes.buffer instanceof ArrayBuffer
    ? (bytes as Uint8Array<ArrayBuffer>)
    : Uint8Array.from(bytes)
}
