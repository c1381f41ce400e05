/** The fonts that a page can have. The default is the sans serif of the visitor's system. */
export const PAGE_FONTS = ['overpass', 'overpass-mono', 'serif', 'rounded'] as const
export type PageFont = (typeof PAGE_FONTS)[number]

/** The path of the font files that Waymark includes. */
export const FONT_PATH = '/e/fonts'

interface FontFile {
  /** Its name below `FONT_PATH`, without the extension. */
  readonly name: string
  readonly family: string
  readonly weights: string
  /** Its characters: a browser loads only the files for the characters of a page. */
  readonly range: string
}

/** Without U+00B7: Overpass declares it a combining mark, and browsers give it no width. */
const LATIN =
  'U+0000-00B6,U+00B8-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD'
const LATIN_EXTENDED =
  'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF'
const CYRILLIC = 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116'

const filesOf = (name: string, family: string, weights: string): FontFile[] =>
  [
    ['latin', LATIN],
    ['latin-ext', LATIN_EXTENDED],
    ['cyrillic', CYRILLIC],
  ].map(([subset, range = '']) => ({ name: `${name}-${subset}`, family, weights, range }))

const FILES: Readonly<Partial<Record<PageFont, readonly FontFile[]>>> = {
  overpass: filesOf('overpass', 'Overpass', '100 900'),
  'overpass-mono': filesOf('overpass-mono', 'Overpass Mono', '300 700'),
}

const SANS = 'ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'
const MONO = 'ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,monospace'

const FAMILIES: Readonly<Record<PageFont, string>> = {
  overpass: `Overpass,${SANS}`,
  'overpass-mono': `"Overpass Mono",${MONO}`,
  serif: 'ui-serif,"Iowan Old Style","Palatino Linotype",Palatino,Charter,Georgia,serif',
  rounded: `ui-rounded,"SF Pro Rounded","Hiragino Maru Gothic ProN",Quicksand,Nunito,"Varela Round","Arial Rounded MT Bold",${SANS}`,
}

const isFont = (font: string | null | undefined): font is PageFont =>
  PAGE_FONTS.some((known) => known === font)

/** Whether the server has files of a font. */
export const hasFontFiles = (font: string | null | undefined): boolean =>
  isFont(font) && FILES[font] !== undefined

/** The `font-family` of a font; empty for unknown fonts. */
export const fontFamily = (font: string | null | undefined): string => (isFont(font) ? FAMILIES[font] : SANS)

/** The rules that load a font. The page uses the fallback until it is loaded. */
export const fontFaces = (font: string | null | undefined): string =>
  (isFont(font) ? (FILES[font] ?? []) : [])
    .map(
      ({ name, family, weights, range }) =>
        `@font-face{font-family:"${family}";font-display:swap;font-weight:${weights};src:url(${FONT_PATH}/${name}.woff2) format("woff2");unicode-range:${range}}`,
    )
    .join('')
