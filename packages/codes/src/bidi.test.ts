import { expect, test } from 'vitest'
import { visualOrder } from './bidi.ts'

const shown = (text: string) => visualOrder(text).join('')

test.each([
  ['left to right stays', 'Menu (2) – ok', 'Menu (2) – ok'],
  ['Hebrew is turned round', 'שלום', 'םולש'],
  ['numbers within Hebrew keep their order', 'חדר 123', '123 רדח'],
  ['Latin within Hebrew keeps its order', 'שלום world עולם', 'םלוע world םולש'],
  ['Hebrew within Latin is turned in its place', 'say שלום now', 'say םולש now'],
  ['brackets around Latin in Hebrew open towards the reader', 'שלום (world) 123', '123 (world) םולש'],
  ['brackets around Hebrew in Hebrew are mirrored', '(שלום)', '(םולש)'],
])('%s', (_, text, expected) => expect(shown(text)).toBe(expected))

test('a family emoji is one cluster', () => {
  expect(visualOrder('a👨‍👩‍👧b')).toEqual(['a', '👨‍👩‍👧', 'b'])
})

test('Arabic letters join: initial, medial, final; lam and alef are one', () => {
  expect(shown('بيت')).toBe('\uFE96\uFEF4\uFE91')
  expect(shown('لا')).toBe('\uFEFB')
  // Dal joins nothing that follows it.
  expect(shown('دب')).toBe('\uFE8F\uFEA9')
})
