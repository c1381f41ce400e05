import { _BYTES, _ECC_BLOCKS, _GF256, _tests, _WORDS_PER_BLOCK, type ErrorCorrection } from 'qr'

/** Bits of the header that marks the text as UTF-8 (ECI 26). */
export const UTF8_HEADER_BITS = 12

const ECI_MODE = 0b0111
const UTF_8 = 26
const BYTE_MODE = 0b0100

/**
 * The modules of a text marked as UTF-8. Without the marker scanners guess the character set: ZBar reads "é" as a Chinese
 * character. The library does not write the marker, so the codewords are arranged here; the library draws them.
 */
export function utf8Modules(
  text: string,
  version: number,
  level: ErrorCorrection,
): (x: number, y: number) => boolean {
  const symbol = _tests.drawSymbol(version, level, codewords(dataOf(text, version, level), version, level))
  return (x, y) => _tests.matGet(symbol, x, y) === 1
}

/** Header, length and bytes, padded to the capacity of the version. */
function dataOf(text: string, version: number, level: ErrorCorrection): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  const parity = _WORDS_PER_BLOCK[level][version - 1]! * _ECC_BLOCKS[level][version - 1]!
  const data = new Uint8Array(_BYTES[version - 1]! - parity)
  let bit = 0
  const push = (value: number, length: number): void => {
    for (let at = length - 1; at >= 0; at--, bit++) if ((value >> at) & 1) data[bit >> 3]! |= 128 >> (bit & 7)
  }
  push(ECI_MODE, 4)
  push(UTF_8, 8)
  push(BYTE_MODE, 4)
  push(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) push(byte, 8)
  const used = Math.ceil((bit + Math.min(4, data.length * 8 - bit)) / 8)
  for (let at = used; at < data.length; at++) data[at] = (at - used) % 2 === 0 ? 0xec : 0x11
  return data
}

/** Data and error correction, block by block, interleaved (ISO/IEC 18004, 7.6). */
function codewords(data: Uint8Array, version: number, level: ErrorCorrection): Uint8Array {
  const words = _WORDS_PER_BLOCK[level][version - 1]!
  const count = _ECC_BLOCKS[level][version - 1]!
  const length = Math.floor(data.length / count)
  const longBlocks = data.length % count
  const generator = generatorOf(words)
  const blocks = Array.from({ length: count }, (_, at) => {
    const from = at * length + Math.max(0, at - (count - longBlocks))
    return data.subarray(from, from + length + (at >= count - longBlocks ? 1 : 0))
  })
  const checks = blocks.map((block) => _tests.rsEcc(block, generator))
  const interleaved = (parts: readonly Uint8Array[], most: number): number[] =>
    Array.from({ length: most }, (_, at) => parts.flatMap((part) => part[at] ?? [])).flat()
  return Uint8Array.from([...interleaved(blocks, length + 1), ...interleaved(checks, words)])
}

/** The generator polynomial for this many error correction codewords, without its leading coefficient. */
function generatorOf(words: number): Uint8Array {
  const { exp, log } = _GF256
  let polynomial = [1]
  for (let degree = 0; degree < words; degree++) {
    const times = (value: number): number => (value === 0 ? 0 : exp[(log[value]! + degree) % 255]!)
    polynomial = [...polynomial, 0].map((value, at) => value ^ times(polynomial[at - 1] ?? 0))
  }
  return Uint8Array.from(polynomial.slice(1))
}
