import { roundedRectangle } from './path-data.ts'
import type { PlacedCaption, PlacedFrame } from './picture.ts'

/** Lays out captions; passed to the drawing functions, because its outlines are larger than all other code. */
export interface CaptionFont {
  /** Height above the baseline that no letter exceeds, in thousandths of the em. */
  readonly ascent: number
  /** Depth below the baseline. */
  readonly descent: number
  readonly set: (text: string) => { path: string; width: number; boxes: number }
}

/** A frame for a picture of a given width, with room for a square code inside. */
export interface FrameLayout {
  frame: PlacedFrame
  caption: PlacedCaption
  /** The square of background for the code and its quiet zone. */
  innerLeft: number
  innerTop: number
  innerSize: number
  /** Height of the whole picture. */
  height: number
  /** Number of characters without an outline, which are drawn as boxes. */
  boxes: number
}

const BORDER_SHARE = 0.03
const RADIUS_SHARE = 0.06
const BAND_SHARE = 0.17
/** Share of the band's height that the text has, and of the width that stays free on each side of it. */
const TEXT_SHARE = 0.56
const SIDE_SHARE = 0.05

/** Lays out a frame `width` pixels wide; a long caption gets a smaller font. */
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

/** The area of the frame, between its outer edge and the background of the code. */
export function framePath({ left, top, width, height, radius, border, band }: PlacedFrame): string {
  const inner = Math.max(0, radius - border)
  return (
    roundedRectangle(left, top, width, height, radius) +
    roundedRectangle(left + border, top + border, width - 2 * border, height - border - band, inner)
  )
}
