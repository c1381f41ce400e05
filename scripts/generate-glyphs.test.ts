import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { GLYPH_FILES, glyphsSource } from './generate-glyphs.ts'

it.each(GLYPH_FILES)('the outlines in the repository are what the generator makes of $font', (made) => {
  expect(readFileSync(made.file, 'utf8')).toBe(glyphsSource(made))
})
