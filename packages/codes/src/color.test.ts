import { describe, expect, test } from 'vitest'
import { CodeError } from './code-error.ts'
import { contrastRatio, hexColor, redReflectance } from './color.ts'

describe('hexColor', () => {
  test('expands three digits and converts to lower case', () => {
    expect(hexColor('#aBc')).toBe('#aabbcc')
    expect(hexColor('#ABCDEF')).toBe('#abcdef')
  })

  test.each(['#12', '#1234', '#12345', '#GGGGGG', '123456', '', '#1234567', '#fff"/><script>'])(
    'refuses %j',
    (value) => expect(() => hexColor(value)).toThrow(CodeError),
  )
})

test('contrast is that of WCAG, in either order', () => {
  expect(contrastRatio('#000', '#fff')).toBeCloseTo(21, 5)
  expect(contrastRatio('#fff', '#000')).toBeCloseTo(21, 5)
  expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrastRatio('#abc', '#abc')).toBe(1)
})

test('red light distinguishes blue from white, but not red', () => {
  expect(redReflectance('#ff0000')).toBe(1)
  expect(redReflectance('#0000ff')).toBe(0)
})
