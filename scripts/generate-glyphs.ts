import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Glyph, openSync, type PathCommand } from 'fontkit'

/*
 * Writes the outlines of caption letters, `packages/codes/src/glyphs*.ts`, from DejaVu. Run `npm run generate:glyphs` after
 * adding a range here; a test fails while a file differs.
 */

const FONTS = dirname(fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')))
const UNITS = 1000

type Range = readonly [first: number, last: number]

/** First and last code point of every range, which serif and monospaced captions have as well. */
const EUROPEAN: readonly Range[] = [
  // Latin with characters of European languages, Romanian and Vietnamese; no soft hyphen, which has no glyph.
  [0x20, 0x7e],
  [0xa0, 0xac],
  [0xae, 0x17f],
  [0x192, 0x192],
  [0x1a0, 0x1a1],
  [0x1af, 0x1b0],
  [0x218, 0x21b],
  [0x2c6, 0x2c7],
  [0x2d8, 0x2dd],
  [0x1e80, 0x1e85],
  [0x1e9e, 0x1e9e],
  [0x1ea0, 0x1ef9],
  // Greek and Cyrillic
  [0x386, 0x386],
  [0x388, 0x38a],
  [0x38c, 0x38c],
  [0x38e, 0x3a1],
  [0x3a3, 0x3ce],
  [0x400, 0x45f],
  [0x490, 0x493],
  [0x49a, 0x49b],
  [0x4d8, 0x4d9],
  // Punctuation and currencies
  [0x2010, 0x2015],
  [0x2018, 0x2022],
  [0x2026, 0x2026],
  [0x2030, 0x2030],
  [0x2032, 0x2033],
  [0x2039, 0x203a],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
]

const RANGES: readonly Range[] = [
  ...EUROPEAN,
  // Hebrew; Arabic and Persian as punctuation, digits and joined shapes
  [0x5be, 0x5be],
  [0x5d0, 0x5ea],
  [0x5f3, 0x5f4],
  [0x60c, 0x60c],
  [0x61b, 0x61b],
  [0x61f, 0x61f],
  [0x640, 0x640],
  [0x660, 0x66c],
  [0x6f0, 0x6f9],
  [0xfb56, 0xfb59],
  [0xfb7a, 0xfb7d],
  [0xfb8a, 0xfb95],
  [0xfbfc, 0xfbff],
  [0xfe80, 0xfefc],
  // Superscript and subscript digits, further currencies, symbols
  [0x2044, 0x2044],
  [0x2070, 0x2071],
  [0x2074, 0x208e],
  [0x20a0, 0x20ab],
  [0x20ad, 0x20b5],
  [0x20b8, 0x20ba],
  [0x20bd, 0x20bd],
  [0x2116, 0x2117],
  [0x2126, 0x2126],
  [0x2190, 0x2195],
  [0x2212, 0x2212],
  [0x2215, 0x2215],
  [0x221a, 0x221a],
  [0x221e, 0x221e],
  [0x2248, 0x2248],
  [0x2260, 0x2260],
  [0x2264, 0x2265],
  [0x25a0, 0x25a1],
  [0x25cf, 0x25cf],
  [0x2605, 0x2606],
  [0x260e, 0x260e],
  [0x2665, 0x2665],
  [0x266a, 0x266b],
  [0x2713, 0x2714],
  [0x2717, 0x2717],
]

type Point = readonly [x: number, y: number]

/** Path data in its shortest form: relative, letters only where they change, spaces only where there is no minus sign. */
class PathWriter {
  data = ''
  #letter = ''
  #at: Point = [0, 0]

  move(to: Point): void {
    const [x, y] = this.#from(to)
    this.data += `m${x}${y < 0 ? '' : ' '}${y}`
    this.#letter = ''
    this.#at = to
  }

  line(to: Point): void {
    const [x, y] = this.#from(to)
    if (x === 0 && y === 0) return
    if (y === 0) this.#write('h', [x])
    else if (x === 0) this.#write('v', [y])
    else this.#write('l', [x, y])
    this.#at = to
  }

  curve(control: Point, to: Point): void {
    this.#write('q', [...this.#from(control), ...this.#from(to)])
    this.#at = to
  }

  close(): void {
    this.data += 'z'
    this.#letter = ''
  }

  #from([x, y]: Point): Point {
    return [x - this.#at[0], y - this.#at[1]]
  }

  #write(letter: string, values: readonly number[]): void {
    const continues = letter === this.#letter
    if (!continues) this.data += letter
    for (const [index, value] of values.entries())
      this.data += (continues || index > 0) && value >= 0 ? ` ${value}` : String(value)
    this.#letter = letter
  }
}

/** Contours begin at their last point, so that the line back to the font's first point is drawn first. */
const contoursOf = (commands: readonly PathCommand[]): PathCommand[][] => {
  const contours: PathCommand[][] = []
  for (const command of commands) {
    if (command.command === 'moveTo') contours.push([command])
    else if (command.command !== 'closePath') contours.at(-1)?.push(command)
  }
  return contours
}

const entryOf = (glyph: Glyph, unitsPerEm: number): string => {
  const scaled = (value: number): number => Math.round((value * UNITS) / unitsPerEm) + 0
  const pointsOf = ({ args }: PathCommand): Point[] => {
    const points: Point[] = []
    // In fonts y points up, in pictures down.
    for (let at = 0; at < args.length; at += 2)
      points.push([scaled(args[at] ?? 0), scaled(-(args[at + 1] ?? 0))])
    return points
  }
  const path = new PathWriter()
  for (const contour of contoursOf(glyph.path.commands)) {
    path.move(contour.flatMap(pointsOf).at(-1) ?? [0, 0])
    for (const command of contour) {
      const [first = [0, 0], second] = pointsOf(command)
      if (second === undefined) path.line(first)
      else path.curve(first, second)
    }
    path.close()
  }
  // The first move is stored separately, because the caption adds the pen position of its line.
  const start = /^m(-?\d+) ?(-?\d+)/.exec(path.data)
  const advance = scaled(glyph.advanceWidth)
  return start === null
    ? `${advance},`
    : `${advance},${start[1]},${start[2]},${path.data.slice(start[0].length)}`
}

/** A generated file, with its font and letters. */
export interface GlyphFile {
  readonly file: string
  readonly font: string
  readonly ranges: readonly Range[]
}

const glyphFile = (name: string, font: string, ranges: readonly Range[]): GlyphFile => ({
  file: fileURLToPath(new URL(`../packages/codes/src/${name}.ts`, import.meta.url)),
  font,
  ranges,
})

export const GLYPH_FILES: readonly GlyphFile[] = [
  glyphFile('glyphs', 'DejaVu Sans', RANGES),
  glyphFile('glyphs-serif', 'DejaVu Serif', EUROPEAN),
  glyphFile('glyphs-mono', 'DejaVu Sans Mono', EUROPEAN),
]

/** The text of a generated file. */
export const glyphsSource = ({ font: name, ranges }: GlyphFile): string => {
  const font = openSync(join(FONTS, `${name.replaceAll(' ', '')}.ttf`))
  if (!('glyphForCodePoint' in font)) throw new Error('The font is a collection of fonts')
  const lines = ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
    .toSorted((a, b) => a - b)
    .filter((codePoint) => font.hasGlyphForCodePoint(codePoint))
    .map((codePoint) => `  ${codePoint}: '${entryOf(font.glyphForCodePoint(codePoint), font.unitsPerEm)}',`)
  return `// Generated by scripts/generate-glyphs.ts from ${name} 2.37: do not edit.
//
// Outlines of the caption's letters, 1000 units to the em, y downwards: 'advance,x,y,path', the path relative to x,y.
// The font's licence (Bitstream Vera, Arev; changes in the public domain) is in GLYPHS-LICENSE beside package.json.
// Captions are drawn as paths because a server may have no fonts at all.

/** Outline of every character that a caption can show, by code point. */
export const glyphs: Readonly<Record<number, string>> = {
${lines.join('\n')}
}
`
}

if (import.meta.main) for (const made of GLYPH_FILES) writeFileSync(made.file, glyphsSource(made))
