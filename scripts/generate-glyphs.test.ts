import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { GLYPHS_FILE, glyphsSource } from './generate-glyphs.ts'

it('the outlines in the repository are what the generator makes of the font', () => {
  expect(readFileSync(GLYPHS_FILE, 'utf8')).toBe(glyphsSource())
})
