import { CAPTION_ASCENT, CAPTION_DESCENT, setCaption } from './caption.ts'
import type { CaptionFont } from './frame.ts'
import { drawQr, type QrOptions, type QrPicture } from './qr.ts'

export { setCaption }

const font: CaptionFont = { ascent: CAPTION_ASCENT, descent: CAPTION_DESCENT, set: setCaption }

/** Draws a QR code that may have a frame. Apart from `drawQr`, which is a quarter of the size without the font. */
export const drawFramedQr = (options: QrOptions): QrPicture => drawQr(options, font)
