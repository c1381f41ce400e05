import { visualOrder } from './bidi.ts'
import type { CaptionFont } from './frame.ts'
import { glyphs as sansGlyphs } from './glyphs.ts'

type Glyphs = typeof sansGlyphs

/** A line of text as outlines with 1000 units per em, its baseline at 0. */
export interface CaptionOutline {
  path: string
  width: number
  /** Number of characters without an outline, which are drawn as boxes. */
  boxes: number
}

const SPACE = 0x20
// Emoji and ideographs are about as wide as high; a hollow box of that size keeps the length of the line realistic.
const BOX_ADVANCE = 1000
const BOX = 'h840v-840h-840zm60-60v-720h720v720z'
const BOX_LEFT = 80
const BOX_BASE = 60

/** Lays out a line of text. Missing letters are taken from the sans serif font; letters that it lacks become boxes. */
export function setCaption(text: string, glyphs: Glyphs = sansGlyphs): CaptionOutline {
  const space = Number.parseInt(glyphs[SPACE] ?? '', 10)
  let path = ''
  let pen = 0
  let boxes = 0
  for (const cluster of visualOrder(text.toWellFormed().normalize('NFC'))) {
    if (/^[\s\p{Cc}]+$/u.test(cluster)) {
      pen += space
      continue
    }
    // Isolated joiners and direction marks have no glyph.
    if (/^\p{Default_Ignorable_Code_Point}+$/u.test(cluster)) continue
    const glyph = glyphOf(cluster, glyphs)
    if (glyph === undefined) {
      path += `M${pen + BOX_LEFT} ${BOX_BASE}${BOX}`
      pen += BOX_ADVANCE
      boxes++
      continue
    }
    if (glyph.path !== '') path += `M${pen + glyph.x} ${glyph.y}${glyph.path}`
    pen += glyph.advance
  }
  return { path, width: pen, boxes }
}

/** The font of captions. Its outlines are larger than all other drawing code, so browsers load them on demand. */
export const captionFont: CaptionFont = captionFontOf(sansGlyphs)

/** The three DejaVu fonts have the same height. */
export function captionFontOf(glyphs: Glyphs): CaptionFont {
  return { ascent: 930, descent: 240, set: (text) => setCaption(text, glyphs) }
}

interface Glyph {
  advance: number
  x: number
  y: number
  path: string
}

/** A base letter with marks that have no composed form is drawn without them; otherwise it must be one character. */
function glyphOf(cluster: string, glyphs: Glyphs): Glyph | undefined {
  const [base = '', ...rest] = cluster
  if (rest.some((character) => !/[\p{Mn}\p{Default_Ignorable_Code_Point}]/u.test(character))) return undefined
  // A letter followed by the emoji selector requests the emoji.
  if (rest.includes('\uFE0F') || rest.includes('\u20E3')) return undefined
  const codePoint = base.codePointAt(0) ?? 0
  const entry = glyphs[codePoint] ?? sansGlyphs[codePoint]
  if (entry === undefined) return undefined
  const [advance = '0', x = '0', y = '0', path = ''] = entry.split(',')
  return { advance: Number(advance), x: Number(x), y: Number(y), path }
}
