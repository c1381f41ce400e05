import { encodeQR } from 'qr'
import { describe, expect, test } from 'vitest'
import { CodeError } from './code-error.ts'
import { readQr } from './reader.ts'
import { qrMatrix, type QrMatrix } from './qr-matrix.ts'

const LIBRARY_LEVELS = { M: 'medium', Q: 'quartile', H: 'high' } as const

/** The smallest version that the library itself chooses. */
function libraryVersion(text: string, level: 'M' | 'Q' | 'H'): number {
  return (encodeQR(text, 'raw', { ecc: LIBRARY_LEVELS[level], border: 1 }).length - 2 - 17) / 4
}

describe.each(['M', 'H'] as const)('level %s', (level) => {
  test.each([
    ['digits', '7'],
    ['capitals', 'A'],
    ['bytes', 'a'],
  ])('takes the version that the library would, for any length of %s', (_, unit) => {
    for (let length = 1; length < 300; length += 7) {
      const text = unit.repeat(length)
      expect(qrMatrix(text, level).version).toBe(libraryVersion(text, level))
    }
  })
})

test('one byte more than the capacity of the last version is rejected with advice', () => {
  for (const [level, most] of [
    ['M', 2331],
    ['H', 1273],
  ] as const) {
    expect(qrMatrix('a'.repeat(most), level)).toMatchObject({ version: 40, modules: 177 })
    expect(() => qrMatrix('a'.repeat(most + 1), level)).toThrow(CodeError)
    expect(() => qrMatrix('a'.repeat(most + 1), level)).toThrow(/dynamic/)
  }
})

test('uses a better level if the same version has room for it', () => {
  expect(qrMatrix('a'.repeat(14), 'M')).toMatchObject({ version: 1, level: 'M' })
  expect(qrMatrix('a'.repeat(11), 'M')).toMatchObject({ version: 1, level: 'Q' })
  expect(qrMatrix('a'.repeat(7), 'M')).toMatchObject({ version: 1, level: 'H' })
})

test('uses a larger version for a better level, up to a limit, and never a lower level than requested', () => {
  expect(qrMatrix('a'.repeat(44), 'M', 5)).toMatchObject({ version: 5, level: 'H' })
  expect(qrMatrix('a'.repeat(47), 'M', 5)).toMatchObject({ version: 5, level: 'Q' })
  expect(qrMatrix('a'.repeat(44), 'M', 4)).toMatchObject({ version: 4, level: 'Q' })
  expect(qrMatrix('a'.repeat(45), 'H', 5)).toMatchObject({ version: 6, level: 'H' })
  expect(qrMatrix('a'.repeat(90), 'M', 5)).toMatchObject({ version: 6, level: 'M' })
})

test('text beyond ASCII is marked as UTF-8 and read back at every size', () => {
  for (let length = 1; length < 1200; length += 67) {
    const text = `é${'漢'.repeat(length % 5)}${'x'.repeat(length)}`
    for (const level of ['M', 'H'] as const) expect(readQr(pixelsOf(qrMatrix(text, level)))).toBe(text)
  }
})

/** Three pixels per module, with a quiet zone. */
function pixelsOf({ modules, cells }: QrMatrix) {
  const side = (modules + 8) * 3
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const [column, row] = [Math.floor(x / 3) - 4, Math.floor(y / 3) - 4]
      const isInside = column >= 0 && column < modules && row >= 0 && row < modules
      if (isInside && cells[row * modules + column] === 1)
        data.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3)
    }
  return { width: side, height: side, data }
}
