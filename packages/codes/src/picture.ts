/** How the modules of a QR code look by its pattern alone. */
export type Pattern = 'squares' | 'dots'

/** The further shapes of modules. */
export const QR_STYLES = ['rounded', 'classy', 'diamond', 'bars'] as const
export type QrStyle = (typeof QR_STYLES)[number]

/** The shapes of the three eyes, which are solid in any: decoders find a code by them. */
export const EYE_STYLES = ['square', 'rounded', 'circle'] as const
export type EyeStyle = (typeof EYE_STYLES)[number]

/** The fonts of the caption of a frame. */
export type FrameFont = 'sans' | 'serif' | 'mono'

/** The shape that modules are drawn in. */
export type ModuleShape = Pattern | QrStyle

/** Cell of a grid that shows the ground. */
export const GROUND = 0
/** Cell of a grid in the ink of the code. */
export const INK = 1
/** Cell of a grid in the ink of the eyes. */
export const EYE = 2

/** The modules of a code and where they stand in the picture, in pixels. */
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

/** A logo: a PNG, JPEG or WebP as a `data:` address, and the square it is fitted into. */
export interface PlacedLogo {
  href: string
  left: number
  top: number
  size: number
}

/** A band of the ink's colour around a code, wider below, where the caption stands. All in pixels. */
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

/** A caption as outlines: path data of 1000 units to the em, and where its baseline begins. */
export interface PlacedCaption {
  path: string
  color: string
  left: number
  baseline: number
  /** Pixels to the em. */
  size: number
}

/** Everything that SVG, PNG and PDF need to draw the same thing: plain data, pixels throughout. */
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

/** Whether a picture is rectangles on whole pixels in at most three colours, so that no anti-aliasing is needed. */
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
