import { encodeQR } from 'qr'
import { CodeError } from './code-error.ts'
import { UTF8_HEADER_BITS, utf8Modules } from './qr-utf8.ts'

/** Error correction of a QR code: about 15, 25 or 30 % of it can be lost. */
export type QrLevel = 'M' | 'Q' | 'H'

/** The modules of a QR code, without quiet zone: 1 is dark. */
export interface QrMatrix {
  version: number
  level: QrLevel
  modules: number
  cells: Uint8Array
}

const NAMES = { M: 'medium', Q: 'quartile', H: 'high' } as const

// ISO/IEC 18004, table 7: data codewords of versions 1 to 40. With this table a single encoding is enough: the smallest
// version for the requested level, then the strongest level that fits into this version.
const CODEWORDS: Record<QrLevel, readonly number[]> = {
  M: [
    16, 28, 44, 64, 86, 108, 124, 154, 182, 216, 254, 290, 334, 365, 415, 453, 507, 563, 627, 669, 714, 782,
    860, 914, 1000, 1062, 1128, 1193, 1267, 1373, 1455, 1541, 1631, 1725, 1812, 1914, 1992, 2102, 2216, 2334,
  ],
  Q: [
    13, 22, 34, 48, 62, 76, 88, 110, 132, 154, 180, 206, 244, 261, 295, 325, 367, 397, 445, 485, 512, 568,
    614, 664, 718, 754, 808, 871, 911, 985, 1033, 1115, 1171, 1231, 1286, 1354, 1426, 1502, 1582, 1666,
  ],
  H: [
    9, 16, 26, 36, 46, 60, 66, 86, 100, 122, 140, 158, 180, 197, 223, 253, 283, 313, 341, 385, 406, 442, 464,
    514, 538, 596, 628, 661, 701, 745, 793, 845, 901, 961, 986, 1054, 1096, 1142, 1222, 1276,
  ],
}

const BEST_FIRST: readonly QrLevel[] = ['H', 'Q', 'M']

/**
 * Encodes text at the requested level, or at the best one that fits into the same version or one up to `growTo`, unless the
 * level has to be `exact`.
 */
export function qrMatrix(text: string, least: QrLevel, growTo: number | 'exact' = 0): QrMatrix {
  const payload = payloadOf(text)
  const better = growTo === 'exact' ? [] : BEST_FIRST.slice(0, BEST_FIRST.indexOf(least))
  const grown = better.map((level) => smallestVersion(payload, level) ?? Infinity)
  const version =
    grown.find((larger) => growTo !== 'exact' && larger <= growTo) ?? smallestVersion(payload, least)
  if (version === undefined) {
    const what = least === 'H' ? 'a QR code with a logo' : 'a QR code'
    throw new CodeError(
      'too_long',
      `This address is too long for ${what}: set dynamic to true to encode a short link`,
    )
  }
  const level = better.find((other) => fits(payload, version, other)) ?? least
  const modules = 17 + 4 * version
  const cells = new Uint8Array(modules * modules)
  const isDark = payload.isUtf8
    ? utf8Modules(text, version, NAMES[level])
    : plainModules(text, version, level)
  let at = 0
  for (let y = 0; y < modules; y++) for (let x = 0; x < modules; x++) cells[at++] = isDark(x, y) ? 1 : 0
  return { version, level, modules, cells }
}

/** Whether a QR code can hold a text at an error correction. */
export const fitsQr = (text: string, level: QrLevel): boolean =>
  smallestVersion(payloadOf(text), level) !== undefined

function plainModules(text: string, version: number, level: QrLevel): (x: number, y: number) => boolean {
  // The library always adds a border, of which one module is removed here.
  const rows = encodeQR(text, 'raw', { ecc: NAMES[level], version, border: 1 })
  return (x, y) => rows[y + 1]![x + 1]!
}

/** The encoding of a text: bits of data, and of the length field before it by range of versions. */
interface Payload {
  bits: number
  /** Whether the text is marked as UTF-8; ASCII needs no marker. */
  isUtf8?: true
  lengthBits: readonly [number, number, number]
}

function payloadOf(text: string): Payload {
  const { length } = text
  if (/^\d+$/.test(text)) {
    return { bits: Math.floor(length / 3) * 10 + [0, 4, 7][length % 3]!, lengthBits: [10, 12, 14] }
  }
  if (/^[0-9A-Z $%*+\-./:]+$/.test(text)) {
    return { bits: Math.floor(length / 2) * 11 + (length % 2) * 6, lengthBits: [9, 11, 13] }
  }
  const bytes = utf8Length(text)
  if (bytes === length) return { bits: 8 * bytes, lengthBits: [8, 16, 16] }
  return { bits: UTF8_HEADER_BITS + 8 * bytes, lengthBits: [8, 16, 16], isUtf8: true }
}

function smallestVersion(payload: Payload, level: QrLevel): number | undefined {
  for (let version = 1; version <= 40; version++) if (fits(payload, version, level)) return version
  return undefined
}

function fits({ bits, lengthBits }: Payload, version: number, level: QrLevel): boolean {
  const band = version < 10 ? 0 : version < 27 ? 1 : 2
  return 4 + lengthBits[band] + bits <= 8 * CODEWORDS[level][version - 1]!
}

function utf8Length(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    // Each half of a surrogate pair counts as two of its four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3
  }
  return bytes
}
