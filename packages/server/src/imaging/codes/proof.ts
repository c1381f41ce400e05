import { judgeQr, LOGO_SHARE } from '@waymark/codes'
import { drawFramedQr } from '@waymark/codes/captions'
import type { QrOptions, QrPicture } from '@waymark/codes'
import type { BarcodePicture, Symbology } from '@waymark/codes/barcodes'
import { toPng } from './raster.ts'

/** The warning for a picture that says something else than it should, or nothing. */
export const UNREADABLE = 'This picture could not be read back'

const SMALLER_LOGO = 'The code could not be read with its logo, so the logo was drawn smaller'
const SMALLER_SHARES = [0.07, 0.045, 0.025]

/** What the proof settled and a later drawing must repeat; kept with the code as JSON. */
export interface QrDrawing {
  logoShare?: number
}

export interface ProvenQr {
  png: Buffer
  drawing: QrDrawing
  warnings: string[]
}

export interface ProvenBarcode {
  png: Buffer
  warnings: string[]
}

/** What reads a picture back. */
interface Reader {
  read(png: Uint8Array, symbology: Symbology | 'qr'): Promise<string | undefined>
}

/** Draws a QR code, reads it back, and gives its logo less room until it reads. */
export async function proveQr(options: QrOptions, reader: Reader): Promise<ProvenQr> {
  const asked = drawFramedQr(options)
  const png = await toPng(asked)
  const drawing = options.logo === undefined ? {} : { logoShare: options.logoShare ?? LOGO_SHARE }
  if ((await reader.read(png, 'qr')) === options.text) return { png, drawing, warnings: judgeQr(asked) }
  const smaller = options.logo === undefined ? undefined : await withSmallerLogo(options, asked, reader)
  return smaller ?? { png, drawing, warnings: [...judgeQr(asked), UNREADABLE] }
}

/** Nothing when no size helps: then the logo is not what stands in the way. */
async function withSmallerLogo(
  options: QrOptions,
  asked: QrPicture,
  reader: Reader,
): Promise<ProvenQr | undefined> {
  for (const logoShare of SMALLER_SHARES) {
    const picture = drawFramedQr({ ...options, logoShare })
    if (picture.qr.clearedShare >= asked.qr.clearedShare) continue
    const png = await toPng(picture)
    if ((await reader.read(png, 'qr')) === options.text) {
      return { png, drawing: { logoShare }, warnings: [...judgeQr(picture), SMALLER_LOGO] }
    }
  }
  return undefined
}

/** Reads a drawn barcode back. */
export async function proveBarcode(
  text: string,
  picture: BarcodePicture,
  reader: Reader,
): Promise<ProvenBarcode> {
  const png = await toPng(picture)
  const read = await reader.read(png, picture.barcode.symbology)
  const { encodedText, judgeBarcode } = await import('@waymark/codes/barcodes')
  const warnings = judgeBarcode(picture)
  const wanted = encodedText(text, picture.barcode.symbology)
  return { png, warnings: read === wanted ? warnings : [...warnings, UNREADABLE] }
}
