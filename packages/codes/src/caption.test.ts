import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { setCaption } from './caption.ts'

test.each([
  'Hello, World!',
  'Größe £5 – „déjà vu“ …',
  'Ελληνικά',
  'Привет',
  'שלום',
  'مرحبا',
  'Tiếng Việt',
  'Łódź',
  '€ ™ ½',
])('%s needs no box', (text) => expect(setCaption(text)).toMatchObject({ boxes: 0 }))

test.each([
  ['🎉', 1],
  ['👨‍👩‍👧', 1],
  ['日本', 2],
  ['🇩🇪🇫🇷', 2],
  ['☎️', 1],
  ['a\u{10FFFF}b', 1],
])('%s becomes %i boxes of one em each', (text, boxes) => {
  const line = setCaption(text)
  expect(line.boxes).toBe(boxes)
  expect(line.width).toBeGreaterThanOrEqual(boxes * 1000)
})

test('a line is as wide as its letters, whatever their order', () => {
  const width = (text: string) => setCaption(text).width
  expect(width('WW')).toBe(2 * width('W'))
  expect(width('W')).toBeGreaterThan(2 * width('i'))
  expect(width('שלום abc')).toBe(width('שלום') + width(' ') + width('abc'))
})

test('composed and decomposed letters look the same', () => {
  expect(setCaption('e\u0301')).toEqual(setCaption('é'))
})

describe('characters without a glyph', () => {
  test('line breaks and tabs become spaces, joiners and direction marks are left out', () => {
    expect(setCaption('\t')).toEqual(setCaption(' '))
    expect(setCaption('a\u200Fb')).toEqual(setCaption('ab'))
    expect(setCaption('')).toEqual({ path: '', width: 0, boxes: 0 })
  })
})

test('the path has only numbers and commands', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
      expect(setCaption(text).path).toMatch(/^[MmhvlqzZ0-9 -]*$/)
    }),
    { numRuns: 500 },
  )
})
