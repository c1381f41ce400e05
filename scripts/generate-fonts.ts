import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Splits the fonts of the dashboard into characters that nearly every screen needs and those that only some texts need, in the
 * used weights, and writes their style sheet. Run `npm run generate:fonts` after a change here.
 */

const SUBSETTER = 'subset-font@2.9.0'

type Range = readonly [first: number, last: number]

/**
 * ASCII, and the other characters in texts of the dashboard. Without U+00B7, which Overpass declares a combining mark, so that
 * browsers give it no width. The system's font draws it instead.
 */
const COMMON: readonly Range[] = [
  [0x20, 0x7e],
  [0xa0, 0xa0],
  [0xd7, 0xd7],
  [0x2013, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2022, 0x2022],
  [0x2026, 0x2026],
  [0x2191, 0x2191],
  [0x2193, 0x2193],
  [0x2212, 0x2212],
]
/** The rest of Latin-1, and related characters. Each character is in only one file, so that browsers load no second one. */
const LATIN: readonly Range[] = [
  [0xa1, 0xb6],
  [0xb8, 0xd6],
  [0xd8, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2c6],
  [0x2da, 0x2da],
  [0x2dc, 0x2dc],
  [0x304, 0x304],
  [0x308, 0x308],
  [0x329, 0x329],
  [0x2000, 0x2012],
  [0x2015, 0x2017],
  [0x201a, 0x201b],
  [0x201e, 0x2021],
  [0x2023, 0x2025],
  [0x2027, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2215, 0x2215],
]
const LATIN_EXTENDED: readonly Range[] = [
  [0x100, 0x130],
  [0x132, 0x151],
  [0x154, 0x2ba],
  [0x2bd, 0x2c5],
  [0x2c7, 0x2cc],
  [0x2ce, 0x2d7],
  [0x2dd, 0x2ff],
  [0x1d00, 0x1dbf],
  [0x1e00, 0x1e9f],
  [0x1ef2, 0x1eff],
  [0x20a0, 0x20ab],
  [0x20ad, 0x20c0],
  [0x2113, 0x2113],
  [0x2c60, 0x2c7f],
  [0xa720, 0xa7ff],
]

interface Face {
  readonly family: string
  readonly source: string
  readonly name: string
  readonly ranges: readonly Range[]
  readonly weights: Range
  /** OpenType features that the dashboard uses. */
  readonly features: readonly string[]
}

/** Lettering of road signs. Figures of equal width (`tnum`) are for tables. */
const sans = {
  family: 'Overpass',
  weights: [400, 800],
  features: ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum'],
} as const
/** Addresses and codes, without ligatures, so that each character is visible. */
const mono = {
  family: 'Overpass Mono',
  weights: [400, 700],
  features: ['ccmp', 'locl', 'mark', 'mkmk'],
} as const

const PACKAGE = '@fontsource-variable/overpass'
const fileOf = (subset: string): string => `${PACKAGE}/files/overpass-${subset}-wght-normal.woff2`
const monoFileOf = (subset: string): string =>
  `${PACKAGE}-mono/files/overpass-mono-${subset}-wght-normal.woff2`

export const FACES: readonly Face[] = [
  { ...sans, name: 'overpass-latin-extended', source: fileOf('latin-ext'), ranges: LATIN_EXTENDED },
  { ...sans, name: 'overpass-latin', source: fileOf('latin'), ranges: LATIN },
  { ...sans, name: 'overpass-common', source: fileOf('latin'), ranges: COMMON },
  { ...mono, name: 'overpass-mono-latin-extended', source: monoFileOf('latin-ext'), ranges: LATIN_EXTENDED },
  { ...mono, name: 'overpass-mono-latin', source: monoFileOf('latin'), ranges: LATIN },
  { ...mono, name: 'overpass-mono-common', source: monoFileOf('latin'), ranges: COMMON },
]

const styles = fileURLToPath(new URL('../packages/web/src/styles/', import.meta.url))
export const STYLE_SHEET = join(styles, 'fonts.css')
export const fontFile = (name: string): string => join(styles, 'fonts', `${name}.woff2`)

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0')
const wordOf = ([first, last]: Range): string => `U+${hex(first)}${first === last ? '' : `-${hex(last)}`}`

const ruleOf = ({ family, name, weights, ranges }: Face): string => `@font-face {
  font-family: '${family}';
  font-style: normal;
  font-display: swap;
  font-weight: ${weights.join(' ')};
  src: url('./fonts/${name}.woff2') format('woff2');
  unicode-range: ${ranges.map(wordOf).join(', ')};
}
`

/** The style sheet of the files. */
export const styleSheet = (): string =>
  [
    '/* Written by scripts/generate-fonts.ts. index.html preloads overpass-common; the others load when a text needs them. */\n',
    ...FACES.map(ruleOf),
  ].join('\n')

export const charactersOf = (ranges: readonly Range[]): number[] =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))

type SubsetFont = (font: Buffer, text: string, options: object) => Promise<Buffer>

/** The names of a font that contain its copyright and licence, which must be included. */
const LEGAL_NAMES = [0, 13, 14]

async function generate(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-fonts-'))
  try {
    const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    execFileSync('npm', ['install', ...options, SUBSETTER], { cwd: folder, stdio: 'inherit' })
    const module = (await import(join(folder, 'node_modules/subset-font/index.js'))) as {
      default: SubsetFont
    }
    for (const { name, source, ranges, weights, features } of FACES) {
      const font = readFileSync(fileURLToPath(import.meta.resolve(source)))
      const cut = await module.default(font, String.fromCodePoint(...charactersOf(ranges)), {
        targetFormat: 'woff2',
        variationAxes: { wght: { min: weights[0], max: weights[1] } },
        keepFeatures: features,
        preserveNameIds: LEGAL_NAMES,
        noHinting: true,
      })
      writeFileSync(fontFile(name), cut)
    }
    copyFileSync(fileURLToPath(import.meta.resolve(`${PACKAGE}/LICENSE`)), join(styles, 'fonts/LICENSE'))
    writeFileSync(STYLE_SHEET, styleSheet())
    execFileSync('oxfmt', [STYLE_SHEET])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await generate()
