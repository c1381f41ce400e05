import { captionFont, setCaption } from './caption.ts'
import { drawQr, type QrOptions, type QrPicture } from './qr.ts'

export { captionFont, setCaption }

/** Draws a QR code that may have a frame. Apart from `drawQr`, which is a quarter of the size without the font. */
export const drawFramedQr = (options: QrOptions): QrPicture => drawQr(options, captionFont)
