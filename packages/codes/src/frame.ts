import { roundedRectangle } from './path-data.ts'
import type { PlacedCaption, PlacedFrame } from './picture.ts'

/** Sets captions; given to the drawing, because its outlines are larger than all the rest of it. */
export interface CaptionFont {
  /** Height above the baseline that every letter stays within, in units of a thousandth of the em. */
  readonly ascent: number
  /** Depth below the baseline. */
  readonly descent: number
  readonly set: (text: string) => { path: string; width: number; boxes: number }
}

/** A frame for a picture of a given width, with room for a square code inside. */
export interface FrameLayout {
  frame: PlacedFrame
  caption: PlacedCaption
  /** The square of ground that the code and its quiet zone have. */
  innerLeft: number
  innerTop: number
  innerSize: number
  /** Height of the whole picture. */
  height: number
  /** How many characters of the caption had no outline and became boxes. */
  boxes: number
}

const BORDER_SHARE = 0.03
const RADIUS_SHARE = 0.06
const BAND_SHARE = 0.17
/** Share of the band's height that the text is high, and of the width that stays free on either side of it. */
const TEXT_SHARE = 0.56
const SIDE_SHARE = 0.05

/** Lays out a frame `width` pixels wide; a caption that is too long for it is set smaller. */
export function layoutFrame(
  text: string,
  width: number,
  textColor: string,
  { ascent, descent, set }: CaptionFont,
): FrameLayout {
  const border = Math.max(2, Math.round(width * BORDER_SHARE))
  const band = Math.round(width * BAND_SHARE)
  const innerSize = width - 2 * border
  const frame: PlacedFrame = {
    left: 0,
    top: 0,
    width,
    height: border + innerSize + band,
    radius: Math.round(width * RADIUS_SHARE),
    border,
    band,
  }
  const line = set(text)
  const room = width * (1 - 2 * SIDE_SHARE)
  const size = Math.min(band * TEXT_SHARE, line.width === 0 ? Infinity : (room * 1000) / line.width)
  const lineHeight = ((ascent + descent) * size) / 1000
  return {
    frame,
    caption: {
      path: line.path,
      color: textColor,
      left: (width - (line.width * size) / 1000) / 2,
      baseline: frame.height - band + (band - lineHeight) / 2 + (ascent * size) / 1000,
      size,
    },
    innerLeft: border,
    innerTop: border,
    innerSize,
    height: frame.height,
    boxes: line.boxes,
  }
}

/** The frame itself: what lies between its outer edge and the ground of the code. */
export function framePath({ left, top, width, height, radius, border, band }: PlacedFrame): string {
  const inner = Math.max(0, radius - border)
  return (
    roundedRectangle(left, top, width, height, radius) +
    roundedRectangle(left + border, top + border, width - 2 * border, height - border - band, inner)
  )
}
