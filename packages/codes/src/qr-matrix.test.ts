import { encodeQR } from 'qr'
import { describe, expect, test } from 'vitest'
import { CodeError } from './code-error.ts'
import { qrMatrix } from './qr-matrix.ts'

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
    ['two-byte characters', 'é'],
    ['emoji', '🎉'],
  ])('takes the version that the library would, for any length of %s', (_, unit) => {
    for (let length = 1; length < 300; length += 7) {
      const text = unit.repeat(length)
      expect(qrMatrix(text, level).version).toBe(libraryVersion(text, level))
    }
  })
})

test('one byte more than the last version holds is too long, and says what to do', () => {
  for (const [level, most] of [
    ['M', 2331],
    ['H', 1273],
  ] as const) {
    expect(qrMatrix('a'.repeat(most), level)).toMatchObject({ version: 40, modules: 177 })
    expect(() => qrMatrix('a'.repeat(most + 1), level)).toThrow(CodeError)
    expect(() => qrMatrix('a'.repeat(most + 1), level)).toThrow(/dynamic/)
  }
})

test('takes a better level where the same version has room for it', () => {
  expect(qrMatrix('a'.repeat(14), 'M')).toMatchObject({ version: 1, level: 'M' })
  expect(qrMatrix('a'.repeat(11), 'M')).toMatchObject({ version: 1, level: 'Q' })
  expect(qrMatrix('a'.repeat(7), 'M')).toMatchObject({ version: 1, level: 'H' })
})
