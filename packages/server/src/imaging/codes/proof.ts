import { isPlain, judgeQr, logoShareOf } from '@waymark/codes'
import { drawFramedQr } from '@waymark/codes/captions'
import type { QrOptions } from '@waymark/codes'
import type { BarcodePicture } from '@waymark/codes/barcodes'
import type { Grade } from './grade.ts'
import { toPng } from './raster.ts'
import type { CodeReader } from './read-code.ts'
import type { QrDrawing } from './render-code.ts'

/** Warning for a picture with no text or another text. */
export const UNREADABLE = 'This picture could not be read back'

const SMALLER_LOGO = 'The code could not be read with its logo, so the logo was drawn smaller'
const SMALLER_SHARES = [0.045, 0.025]

export interface ProvenQr {
  png: Buffer
  drawing: QrDrawing
  warnings: string[]
  grade: Grade
}

export interface ProvenBarcode {
  png: Buffer
  warnings: string[]
  grade: Grade
}

/** The smallest printed module of a QR code and bar of a barcode. */
const MIN_MODULE_MM = 0.4
const MIN_BAR_MM = 0.25

const tenths = (mm: number): number => Math.ceil(mm * 10) / 10

/** Draws a QR code, decodes it, and shrinks its logo until it reads well. */
export async function proveQr(options: QrOptions, reader: CodeReader): Promise<ProvenQr> {
  const asked = await tried(options, reader)
  if (options.logo === undefined || isGood(asked)) return asked
  let best = asked
  for (const logoShare of SMALLER_SHARES) {
    if (logoShare >= (asked.drawing.logoShare ?? 0)) continue
    const smaller = await tried({ ...options, logoShare }, reader)
    if (rankOf(smaller) > rankOf(best))
      best = { ...smaller, warnings: asked.isRead ? smaller.warnings : [...smaller.warnings, SMALLER_LOGO] }
    if (isGood(best)) break
  }
  return best
}

interface TriedQr extends ProvenQr {
  readonly isRead: boolean
}

async function tried(options: QrOptions, reader: CodeReader): Promise<TriedQr> {
  const picture = drawFramedQr(options)
  const png = await toPng(picture)
  const drawing = options.logo === undefined ? {} : { logoShare: logoShareOf(options) }
  const isRead = (await reader.read(png, 'qr')) === options.text
  const { qr } = picture
  const grade = {
    ...(isRead ? await reader.grade(png, options.text, 'qr') : UNREAD),
    min_width_mm: tenths((qr.modules + 2 * qr.quietModules) * MIN_MODULE_MM),
  }
  const warnings = [
    ...judgeQr(picture),
    ...judgeGrade(grade, isPlain(picture)),
    ...(isRead ? [] : [UNREADABLE]),
  ]
  return { png, drawing, warnings, grade, isRead }
}

const UNREAD: Pick<Grade, 'letter' | 'reasons'> = { letter: 'F', reasons: ['as it is'] }
const RANKS: Readonly<Record<Grade['letter'], number>> = { A: 5, B: 4, C: 3, D: 2, F: 1 }

const rankOf = ({ grade, isRead }: TriedQr): number => (isRead ? RANKS[grade.letter] : 0)
const isGood = (proven: TriedQr): boolean => rankOf(proven) >= RANKS.B

/** A warning if a code has less than a B. */
function judgeGrade({ letter, reasons }: Pick<Grade, 'letter' | 'reasons'>, isPlainest: boolean): string[] {
  if (RANKS[letter] >= RANKS.B || reasons === UNREAD.reasons) return []
  const advice = isPlainest
    ? 'encode less, or choose a larger size'
    : 'choose plainer shapes or stronger colours'
  return [`Scanners may not read this when it is ${reasons.join(', ')}: ${advice}`]
}

/**
 * The modules of a QR code are four pixels or more. Bars of two would be lost in the same blur, and the grade would be
 * that of the pixels: as ISO 15416 measures bars, what counts is their own width.
 */
const GRADED_BAR_PX = 4
/** A larger picture is graded as it is: each degradation takes its time. */
const MAX_GRADED_PIXELS = 1_000_000

function gradedScale({ width, height, barcode }: BarcodePicture): number {
  const scale = Math.ceil(GRADED_BAR_PX / barcode.modulePx)
  return width * height * scale ** 2 <= MAX_GRADED_PIXELS ? scale : 1
}

/** Decodes a drawn barcode. */
export async function proveBarcode(
  text: string,
  picture: BarcodePicture,
  reader: CodeReader,
): Promise<ProvenBarcode> {
  const png = await toPng(picture)
  const { symbology, modulePx } = picture.barcode
  const { encodedText, isLinear, judgeBarcode } = await import('@waymark/codes/barcodes')
  const wanted = encodedText(text, symbology)
  const isRead = (await reader.read(png, symbology)) === wanted
  const scale = isLinear(symbology) ? gradedScale(picture) : 1
  const graded = scale === 1 ? png : await toPng(picture, scale)
  const grade = {
    ...(isRead ? await reader.grade(graded, wanted, symbology) : UNREAD),
    min_width_mm: tenths((picture.codeWidth / modulePx) * MIN_BAR_MM),
  }
  const warnings = judgeBarcode(picture)
  return { png, grade, warnings: isRead ? warnings : [...warnings, UNREADABLE] }
}
