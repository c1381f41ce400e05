import { CSS_COLOR_NAMES } from './css-color-names.ts'
import { CssReader } from './css-reader.ts'

const LENGTH_UNITS: ReadonlySet<string> = new Set([
  'px',
  'em',
  'rem',
  'pt',
  'vw',
  'vh',
  'ch',
  'ex',
  'cm',
  'mm',
  'in',
])
const LENGTH_OR_PERCENT_UNITS: ReadonlySet<string> = new Set([...LENGTH_UNITS, '%'])
const CHANNEL_UNITS: ReadonlySet<string> = new Set(['', '%', 'deg'])
const COLOR_FUNCTIONS: ReadonlySet<string> = new Set(['rgb', 'rgba', 'hsl', 'hsla'])

const MOST_LAYERS = 8
const MOST_POINTS = 64

/** One to four non-negative quantities separated by white space. */
const upToFour = (reader: CssReader, units: ReadonlySet<string>): boolean => {
  for (let count = 0; count < 4; count++) {
    if (count > 0 && !reader.another()) return true
    if (reader.quantity(units, 0) === undefined) return false
  }
  return true
}

/** A length that is not negative, such as `2px`. */
export const isLength = (value: string): boolean =>
  CssReader.matches(value, (reader) => reader.quantity(LENGTH_UNITS, 0) !== undefined)

/** One to four lengths or percentages. */
export const isRadius = (value: string): boolean =>
  CssReader.matches(value, (reader) => upToFour(reader, LENGTH_OR_PERCENT_UNITS))

const isColorCall = (reader: CssReader): boolean => {
  for (let channel = 0; channel < 3; channel++) {
    if (channel > 0 && !reader.another() && !reader.comma()) return false
    if (reader.quantity(CHANNEL_UNITS) === undefined) return false
  }
  const hasAlpha = reader.comma() || reader.slash()
  return (!hasAlpha || reader.quantity(CHANNEL_UNITS) !== undefined) && reader.close()
}

const isColor = (reader: CssReader): boolean =>
  reader.hash([3, 4, 6, 8]) ||
  reader.word(CSS_COLOR_NAMES) !== undefined ||
  (reader.open(COLOR_FUNCTIONS) !== undefined && isColorCall(reader))

const INSET: ReadonlySet<string> = new Set(['inset'])
const MOST_SHADOW_PARTS = 6

type ShadowPart = 'inset' | 'color' | number

const shadowPart = (reader: CssReader): ShadowPart | undefined =>
  reader.quantity(LENGTH_UNITS) ??
  (reader.word(INSET) === undefined ? (isColor(reader) ? 'color' : undefined) : 'inset')

/** Two to four lengths, of which the third (the blur) is not negative; a colour and `inset` at most once. */
const isShadowLayer = (reader: CssReader): boolean => {
  const parts: ShadowPart[] = []
  do {
    const part = shadowPart(reader)
    if (part === undefined) return false
    parts.push(part)
  } while (parts.length < MOST_SHADOW_PARTS && reader.another())
  const lengths = parts.filter((part) => typeof part === 'number')
  const first = parts.findIndex((part) => typeof part === 'number')
  const areTogether = parts.slice(first, first + lengths.length).every((part) => typeof part === 'number')
  const words = parts.filter((part) => typeof part !== 'number')
  return (
    lengths.length >= 2 &&
    lengths.length <= 4 &&
    areTogether &&
    (lengths[2] ?? 0) >= 0 &&
    new Set(words).size === words.length
  )
}

const isNone = (value: string): boolean => value.toLowerCase() === 'none'

/** A box shadow of up to eight layers, or `none`. */
export const isShadow = (value: string): boolean =>
  isNone(value) ||
  CssReader.matches(value, (reader) => {
    for (let layer = 0; layer < MOST_LAYERS; layer++) {
      if (!isShadowLayer(reader)) return false
      if (!reader.comma()) return true
    }
    return false
  })

const FILL_RULES: ReadonlySet<string> = new Set(['nonzero', 'evenodd'])
const RADII: ReadonlySet<string> = new Set(['closest-side', 'farthest-side'])
const SIDES: ReadonlySet<string> = new Set(['left', 'right', 'top', 'bottom', 'center'])
const AT: ReadonlySet<string> = new Set(['at'])
const ROUND: ReadonlySet<string> = new Set(['round'])

const isDistance = (reader: CssReader): boolean => reader.quantity(LENGTH_OR_PERCENT_UNITS) !== undefined

const isPolygon = (reader: CssReader): boolean => {
  if (reader.word(FILL_RULES) !== undefined && !reader.comma()) return false
  for (let points = 1; points <= MOST_POINTS; points++) {
    if (!isDistance(reader) || !reader.another() || !isDistance(reader)) return false
    if (!reader.comma()) return points >= 3 && reader.close()
  }
  return false
}

const isRadiusOrKeyword = (reader: CssReader): boolean =>
  reader.word(RADII) !== undefined || reader.quantity(LENGTH_OR_PERCENT_UNITS, 0) !== undefined

const isSide = (reader: CssReader): boolean => reader.word(SIDES) !== undefined || isDistance(reader)

/** `at` and one or two sides must follow; white space before `at` has been read. */
const isPosition = (reader: CssReader): boolean => {
  if (reader.word(AT) === undefined || !reader.another() || !isSide(reader)) return false
  return (!reader.another() || isSide(reader)) && reader.close()
}

/** This many radii or none, then an optional position. */
const isRound =
  (radii: number) =>
  (reader: CssReader): boolean => {
    if (!isRadiusOrKeyword(reader)) return reader.close() || isPosition(reader)
    for (let count = 1; count < radii; count++) {
      if (!reader.another() || !isRadiusOrKeyword(reader)) return false
    }
    return reader.another() ? isPosition(reader) : reader.close()
  }

const isInset = (reader: CssReader): boolean => {
  if (!isDistance(reader)) return false
  for (let count = 1; count <= 4; count++) {
    if (!reader.another()) return reader.close()
    if (reader.word(ROUND) !== undefined)
      return reader.another() && upToFour(reader, LENGTH_OR_PERCENT_UNITS) && reader.close()
    if (count === 4 || !isDistance(reader)) return false
  }
  return false
}

const shapes = new Map<string, (reader: CssReader) => boolean>([
  ['polygon', isPolygon],
  ['circle', isRound(1)],
  ['ellipse', isRound(2)],
  ['inset', isInset],
])
const SHAPE_NAMES: ReadonlySet<string> = new Set(shapes.keys())

/** A basic shape to clip by, or `none`. */
export const isClipPath = (value: string): boolean =>
  isNone(value) ||
  CssReader.matches(value, (reader) => shapes.get(reader.open(SHAPE_NAMES) ?? '')?.(reader) ?? false)
