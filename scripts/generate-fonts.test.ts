import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Font, openSync } from 'fontkit'
import { expect, it } from 'vitest'
import { charactersOf, FACES, fontFile, STYLE_SHEET, styleSheet } from './generate-fonts.ts'

const words = (css: string): string => css.replaceAll(/\s+/g, ' ').trim()
/** Without the end mark of a table, which fontkit counts. */
const characters = (file: string): Set<number> =>
  new Set((openSync(file) as Font).characterSet.filter((code) => code !== 0xffff))

it('the style sheet in the repository is up to date with the generator', () => {
  expect(words(readFileSync(STYLE_SHEET, 'utf8'))).toBe(words(styleSheet()))
})

it.each(FACES)('$name has every character of its range that its source has', (face) => {
  const source = characters(fileURLToPath(import.meta.resolve(face.source)))
  const promised = charactersOf(face.ranges).filter((code) => source.has(code))
  expect(promised.length).toBeGreaterThan(50)
  expect([...characters(fontFile(face.name))].sort((one, other) => one - other)).toEqual(promised)
})

it('no character is in two files of a family', () => {
  for (const family of new Set(FACES.map((face) => face.family))) {
    const codes = FACES.filter((face) => face.family === family).flatMap((face) => charactersOf(face.ranges))
    expect(codes.length).toBe(new Set(codes).size)
  }
})
