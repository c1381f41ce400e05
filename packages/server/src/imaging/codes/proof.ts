import { cameraGrey, drawSample, isPlain, judgeQr, logoShareOf } from '@waymark/codes'
import { drawFramedQr } from '@waymark/codes/captions'
import type { QrOptions, QrPicture } from '@waymark/codes'
import type { BarcodePicture } from '@waymark/codes/barcodes'
import { LRUCache } from 'lru-cache'
import type { Grade, Legibility } from './grade.ts'
import { type Grey, shrunk } from './grey.ts'
import { toGrey } from './raster.ts'
import type { CodeReader } from './read-code.ts'
import type { QrDrawing } from './render-code.ts'

/** Warning for a picture with no text or another text. */
export const UNREADABLE = 'This picture could not be read back'

const SMALLER_LOGO = 'The code could not be read with its logo, so the logo was drawn smaller'
const SMALLER_SHARES = [0.045, 0.025]

export interface ProvenQr {
  drawing: QrDrawing
  warnings: string[]
  grade: Grade
}

export interface ProvenBarcode {
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
  const grey = await toGrey(picture)
  const drawing = options.logo === undefined ? {} : { logoShare: logoShareOf(options) }
  const isRead = (await reader.read(grey, 'qr')) === options.text
  const { qr } = picture
  const grade = {
    ...(isRead ? await gradeQr(picture, grey, options.text, reader) : UNREAD),
    min_width_mm: tenths((qr.modules + 2 * qr.quietModules) * MIN_MODULE_MM),
  }
  const warnings = [
    ...judgeQr(picture),
    ...judgeGrade(grade, isPlain(picture)),
    ...(isRead ? [] : [UNREADABLE]),
  ]
  return { drawing, warnings, grade, isRead }
}

/** Decoders need no more pixels per module, and no more modules of quiet zone. */
const GRADED_MODULE_PX = 5
const GRADED_QUIET = 4
/** A picture with many modules is graded with fewer pixels for each. */
const MAX_GRADED_PX = 320

/** Grades the code without its frame. */
async function gradeQr(
  picture: QrPicture,
  grey: Grey,
  text: string,
  reader: CodeReader,
): Promise<Legibility> {
  const { qr, grid } = picture
  if (isPlain(picture)) return gradePlainQr(picture, reader)
  const quiet = Math.min(qr.quietModules, GRADED_QUIET) * qr.modulePx
  const side = qr.modules * qr.modulePx + 2 * quiet
  const share = Math.min(1, GRADED_MODULE_PX / qr.modulePx, MAX_GRADED_PX / side)
  const region = { left: grid.left - quiet, top: grid.top - quiet, width: side, height: side }
  return reader.grade(shrunk(grey, region, share), text, 'qr')
}

const MAX_SHARED_GRADES = 1_000
const sharedGrades = new LRUCache<string, Legibility>({ max: MAX_SHARED_GRADES })

/** Plain codes with the same properties share the grade of one sample, whatever their texts are. */
async function gradePlainQr(picture: QrPicture, reader: CodeReader): Promise<Legibility> {
  const { qr, color, eyeColor, background } = picture
  const quiet = Math.min(Math.floor(qr.quietModules), GRADED_QUIET)
  const mostPx = Math.max(1, Math.floor(MAX_GRADED_PX / (qr.modules + 2 * quiet)))
  const modulePx = Math.min(qr.modulePx, GRADED_MODULE_PX, mostPx)
  const greys = [color, eyeColor, background].map((one) => Math.round(cameraGrey(one)))
  const key = [qr.version, qr.level, qr.mask, modulePx, quiet, ...greys].join()
  const known = sharedGrades.get(key)
  if (known !== undefined) return known
  const sample = drawSample(picture, modulePx, quiet)
  const grade = await reader.grade(await toGrey(sample.picture), sample.text, 'qr')
  sharedGrades.set(key, grade)
  return grade
}

const UNREAD: Legibility = { letter: 'F', reasons: ['as it is'] }
const RANKS: Readonly<Record<Grade['letter'], number>> = { A: 5, B: 4, C: 3, D: 2, F: 1 }

const rankOf = ({ grade, isRead }: TriedQr): number => (isRead ? RANKS[grade.letter] : 0)
const isGood = (proven: TriedQr): boolean => rankOf(proven) >= RANKS.B

/** A warning if a code has less than a B. */
function judgeGrade({ letter, reasons }: Legibility, isPlainest: boolean): string[] {
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
  const { symbology, modulePx } = picture.barcode
  const { encodedText, isLinear, judgeBarcode } = await import('@waymark/codes/barcodes')
  const wanted = encodedText(text, symbology)
  const isRead = (await reader.read(await toGrey(picture), symbology)) === wanted
  const scale = isLinear(symbology) ? gradedScale(picture) : 1
  const { caption: _, ...bars } = picture
  const grade = {
    ...(isRead ? await reader.grade(await toGrey(bars, scale), wanted, symbology) : UNREAD),
    min_width_mm: tenths((picture.codeWidth / modulePx) * MIN_BAR_MM),
  }
  const warnings = judgeBarcode(picture)
  return { grade, warnings: isRead ? warnings : [...warnings, UNREADABLE] }
}
