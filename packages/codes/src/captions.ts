import { captionFont, captionFontOf, setCaption } from './caption.ts'
import type { CaptionFont } from './frame.ts'
import { glyphs as monoGlyphs } from './glyphs-mono.ts'
import { glyphs as serifGlyphs } from './glyphs-serif.ts'
import type { FrameFont } from './picture.ts'
import { drawQr, type QrOptions, type QrPicture } from './qr.ts'

export { captionFont, setCaption }

const FONTS: Readonly<Record<FrameFont, CaptionFont>> = {
  sans: captionFont,
  serif: captionFontOf(serifGlyphs),
  mono: captionFontOf(monoGlyphs),
}

/** Draws a QR code with an optional frame. Separate from `drawQr`, which is a quarter of the size without the fonts. */
export const drawFramedQr = (options: QrOptions): QrPicture =>
  drawQr(options, FONTS[options.frameFont ?? 'sans'])
