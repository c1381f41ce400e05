/** The shape of modules, in the simple setting. */
export type Pattern = 'squares' | 'dots'

/** The further shapes of modules. */
export const QR_STYLES = ['rounded', 'classy', 'diamond', 'bars'] as const
export type QrStyle = (typeof QR_STYLES)[number]

/** The shapes of the three eyes, which are always solid, because decoders search for them. */
export const EYE_STYLES = ['square', 'rounded', 'circle'] as const
export type EyeStyle = (typeof EYE_STYLES)[number]

/** The fonts of the caption of a frame. */
export type FrameFont = 'sans' | 'serif' | 'mono'

/** The shape that modules are drawn in. */
export type ModuleShape = Pattern | QrStyle

/** A cell in the background colour. */
export const GROUND = 0
/** A cell in the colour of the code. */
export const INK = 1
/** A cell in the colour of the eyes. */
export const EYE = 2

/** The modules of a code and their position in the picture, in pixels. */
export interface Grid {
  columns: number
  rows: number
  /** Row by row: `GROUND`, `INK` or `EYE`. */
  cells: Uint8Array
  left: number
  top: number
  cellWidth: number
  cellHeight: number
}

/** A logo: a PNG, JPEG or WebP as a `data:` URL, and the square that it is fitted into. */
export interface PlacedLogo {
  href: string
  left: number
  top: number
  size: number
}

/** A frame around a code, with a wider band below for the caption. All in pixels. */
export interface PlacedFrame {
  left: number
  top: number
  width: number
  height: number
  radius: number
  /** Thickness at the top and at the sides. */
  border: number
  /** Height of the band that the caption stands in. */
  band: number
}

/** A caption as outlines: path data with 1000 units per em, and the start of its baseline. */
export interface PlacedCaption {
  path: string
  color: string
  left: number
  baseline: number
  /** Font size in pixels. */
  size: number
}

/** Everything that SVG, PNG and PDF need to draw the same picture: plain data in pixels. */
export interface Picture {
  width: number
  height: number
  /** Width of the code with its quiet zone, without frame and caption. */
  codeWidth: number
  title: string
  background: string
  color: string
  eyeColor: string
  shape: ModuleShape
  /** Absent in barcodes, which have no eyes. */
  eyeStyle?: EyeStyle
  grid: Grid
  frame?: PlacedFrame
  logo?: PlacedLogo
  caption?: PlacedCaption
}

/** Whether a picture has only whole-pixel rectangles in at most three colours, so that it needs no anti-aliasing. */
export function isPlain(picture: Picture): boolean {
  const { grid } = picture
  return (
    picture.shape === 'squares' &&
    (picture.eyeStyle ?? 'square') === 'square' &&
    picture.frame === undefined &&
    picture.logo === undefined &&
    picture.caption === undefined &&
    [picture.width, picture.height, grid.left, grid.top, grid.cellWidth, grid.cellHeight].every(
      Number.isInteger,
    )
  )
}
