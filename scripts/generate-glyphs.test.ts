import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { GLYPH_FILES, glyphsSource } from './generate-glyphs.ts'

it.each(GLYPH_FILES)('the outlines of $font in the repository are up to date with the generator', (made) => {
  expect(readFileSync(made.file, 'utf8')).toBe(glyphsSource(made))
})
