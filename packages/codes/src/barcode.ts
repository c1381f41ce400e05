import { encodeBars, encodedText } from './bars.ts'
import { isGs1, isLinear, symbologies, type Bars, type Symbology } from './symbology.ts'
import { CodeError } from './code-error.ts'
import { hexColor } from './color.ts'
import type { CaptionFont } from './frame.ts'
import type { Grid, Picture, PlacedCaption } from './picture.ts'
import { tooLong } from './too-long.ts'

/** Options of a barcode; only `text` is required. */
export interface BarcodeOptions {
  text: string
  symbology?: Symbology
  /** Height of the bars in pixels, default 100; two-dimensional codes are as high as whole-pixel modules allow. */
  size?: number
  color?: string
  background?: string
  caption?: string
  /** Font size in pixels, default 20. */
  captionSize?: number
  captionColor?: string
  captionPosition?: 'top' | 'bottom'
  /** For screen readers, default `Barcode: ` and the text. */
  title?: string
}

/** Properties of a drawn barcode that affect how well it scans. */
export interface BarcodeFacts {
  symbology: Symbology
  text: string
  modulePx: number
  /** Modules across, without quiet zones. */
  columns: number
  askedHeight: number
  barHeight: number
  captionAsked: number
  /** Size of the caption as drawn; smaller than requested if it did not fit. */
  captionDrawn: number
  captionBoxes: number
  /** Whether the caption made the picture wider than the bars need. */
  widened: boolean
}

/** A drawn barcode. */
export interface BarcodePicture extends Picture {
  barcode: BarcodeFacts
}

/** Widest picture that is drawn at scale 1. */
export const MAX_BARCODE_WIDTH = 4000

const MIN_CAPTION_PX = 10
const MODULE_PX = 2
const LINEAR_PAD_PX = 10

// Cached, because importing the module again takes longer than drawing the caption.
let loadedFont: CaptionFont | undefined

/** Encodes and draws a barcode; loads a large encoder, and the font if there is a caption. */
export async function drawBarcode(options: BarcodeOptions): Promise<BarcodePicture> {
  checkOptions(options)
  if (captionOf(options) !== '') loadedFont ??= (await import('./caption.ts')).captionFont
  return layoutBarcode(options, await encodeBars(options.text, options.symbology ?? 'code128'), loadedFont)
}

/**
 * Draws a barcode whose modules are known, for example because they were encoded in another thread. A caption requires its
 * font.
 */
export function layoutBarcode(options: BarcodeOptions, symbol: Bars, font?: CaptionFont): BarcodePicture {
  checkOptions(options)
  const { text, symbology = 'code128', size = 100, captionSize = 20 } = options
  const { modulePx, barHeight } = layoutBars(symbol, symbology, size)
  const quiet = symbologies[symbology].quiet * modulePx
  const barWidth = symbol.columns * modulePx + 2 * quiet
  if (barWidth > MAX_BARCODE_WIDTH) throw tooLong(symbology)
  const pad = isLinear(symbology) ? LINEAR_PAD_PX : quiet
  const caption = fitCaption(captionOf(options), captionSize, barWidth, font)
  const width = Math.max(barWidth, caption.width)
  const above = caption.height > 0 && options.captionPosition === 'top' ? caption.height : 0
  const grid: Grid = {
    columns: symbol.columns,
    rows: symbol.rows,
    cells: symbol.cells,
    left: quiet + Math.floor((width - barWidth) / 2),
    top: pad + above,
    cellWidth: modulePx,
    cellHeight: barHeight / symbol.rows,
  }
  const color = hexColor(options.color ?? '#000000')
  const picture: BarcodePicture = {
    width,
    height: barHeight + 2 * pad + caption.height,
    codeWidth: barWidth,
    title: options.title ?? `Barcode: ${encodedText(text, symbology)}`,
    background: hexColor(options.background ?? '#ffffff'),
    color,
    eyeColor: color,
    shape: 'squares',
    grid,
    barcode: {
      symbology,
      text,
      modulePx,
      columns: symbol.columns,
      askedHeight: Math.round(size),
      barHeight,
      // The size of the text below a GS1 code is not a setting, so it causes no warning.
      captionAsked: caption.height > 0 ? (options.caption === undefined ? caption.size : captionSize) : 0,
      captionDrawn: caption.size,
      captionBoxes: caption.boxes,
      widened: width > barWidth && options.caption !== undefined,
    },
  }
  if (caption.height > 0) {
    const lineTop = above > 0 ? pad : pad + barHeight + CAPTION_GAP
    picture.caption = placeCaption(caption, width, lineTop, options.captionColor)
  }
  return picture
}

/** GS1 requires the data below its codes in human-readable form. */
function captionOf({ text, symbology = 'code128', caption }: BarcodeOptions): string {
  return caption ?? (isGs1(symbology) ? text : '')
}

function checkOptions({ text, size = 100, captionSize = 20 }: BarcodeOptions): void {
  if (text === '') throw new CodeError('bad_option', 'There is nothing to encode')
  if (!(size >= 1 && size <= 4000)) throw new CodeError('bad_option', 'The size is 1 to 4000 pixels')
  if (!(captionSize >= 1 && captionSize <= 400)) {
    throw new CodeError('bad_option', 'The text size is 1 to 400 pixels')
  }
}

function placeCaption(caption: FittedCaption, width: number, top: number, color = '#000000'): PlacedCaption {
  return {
    path: caption.path,
    color: hexColor(color),
    left: (width - caption.inkWidth) / 2,
    baseline: top + caption.ascent,
    size: caption.size,
  }
}

const CAPTION_GAP = 6

/** Whole-pixel modules: two pixels for bars (one where two would be too wide), as many as `size` allows for squares. */
function layoutBars(bars: Bars, symbology: Symbology, size: number): { modulePx: number; barHeight: number } {
  const widest = Math.floor(MAX_BARCODE_WIDTH / (bars.columns + 2 * symbologies[symbology].quiet))
  if (bars.rowModules === 0)
    return { modulePx: Math.max(1, Math.min(MODULE_PX, widest)), barHeight: Math.round(size) }
  const rows = bars.rows * bars.rowModules
  const modulePx = Math.max(1, Math.min(widest, Math.max(MODULE_PX, Math.floor(size / rows))))
  return { modulePx, barHeight: modulePx * rows }
}

interface FittedCaption {
  path: string
  /** Pixels from the top of the line to its baseline. */
  ascent: number
  size: number
  boxes: number
  /** Picture width that the text needs. */
  width: number
  inkWidth: number
  height: number
}

/** Shrinks a text that is too wide to fit the picture; below the smallest legible size the picture is widened instead. */
function fitCaption(text: string, askedPx: number, room: number, font?: CaptionFont): FittedCaption {
  if (text !== '' && font === undefined) throw new CodeError('bad_option', 'A caption needs its font')
  const line = font?.set(text)
  if (font === undefined || line === undefined || line.path === '')
    return { path: '', ascent: 0, size: 0, boxes: 0, width: 0, inkWidth: 0, height: 0 }
  const side = CAPTION_GAP
  const fitting = Math.floor(((room - 2 * side) * 10_000) / line.width) / 10
  const size = Math.min(askedPx, Math.max(fitting, MIN_CAPTION_PX))
  const inkWidth = (line.width * size) / 1000
  return {
    path: line.path,
    ascent: Math.round((size * font.ascent) / 1000),
    size,
    boxes: line.boxes,
    width: Math.ceil(inkWidth) + 2 * side,
    inkWidth,
    height: Math.ceil((size * (font.ascent + font.descent)) / 1000) + CAPTION_GAP,
  }
}
