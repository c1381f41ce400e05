import type { BarcodePicture } from './barcode.ts'
import { isGs1, isLinear } from './symbology.ts'
import { redReflectance } from './color.ts'
import { judgeContrast, judgeInverted, printCm } from './judge-colors.ts'

const MIN_BAR_PX = 2
const PRINTED_BAR_MM = 0.25
const MIN_BAR_HEIGHT_PX = 20
const MIN_RED_CONTRAST = 3

/** Warnings about what may keep a barcode from scanning; empty if there is nothing. */
export function judgeBarcode(picture: BarcodePicture): string[] {
  const { color, background, caption } = picture
  const faint = judgeContrast('The colour', color, background)
  return [
    ...faint,
    ...judgeInverted(color, background),
    ...(faint.length === 0 ? judgeRedLight(picture) : []),
    ...judgeBars(picture),
    ...judgeParentheses(picture),
    ...judgeLetters(picture),
    ...(caption === undefined ? [] : judgeContrast('The text colour', caption.color, background, 'readers')),
    ...judgeCaption(picture),
  ]
}

/** Laser scanners use red light: to them, a red bar is as white as the paper. */
function judgeRedLight({ color, background, barcode }: BarcodePicture): string[] {
  if (!isLinear(barcode.symbology) && barcode.symbology !== 'pdf417') return []
  const [ink, ground] = [redReflectance(color) + 0.05, redReflectance(background) + 0.05]
  if (Math.max(ink, ground) / Math.min(ink, ground) >= MIN_RED_CONTRAST) return []
  return [`Laser scanners see ${color} on ${background} as one colour, because their light is red`]
}

function judgeBars({ width, barcode }: BarcodePicture): string[] {
  const warnings: string[] = []
  if (barcode.modulePx < MIN_BAR_PX) {
    const cm = printCm(width / barcode.modulePx, PRINTED_BAR_MM)
    const instead = isLinear(barcode.symbology) ? ', or use a Data Matrix code, which is far smaller' : ''
    warnings.push(
      `The thinnest bar is ${barcode.modulePx} px wide: print this no narrower than ${cm} cm${instead}`,
    )
  }
  if (isLinear(barcode.symbology) && barcode.barHeight < MIN_BAR_HEIGHT_PX) {
    warnings.push(`Bars ${barcode.barHeight} px high are hard to hit: use ${MIN_BAR_HEIGHT_PX} px or more`)
  }
  if (!isLinear(barcode.symbology) && barcode.barHeight > barcode.askedHeight) {
    warnings.push(
      `This code cannot be read at ${barcode.askedHeight} px: it was drawn ${barcode.barHeight} px high instead`,
    )
  }
  return warnings
}

/** In symbologies without application identifiers, `(01)…` is a text with parentheses. */
function judgeParentheses({ barcode }: BarcodePicture): string[] {
  if (isGs1(barcode.symbology) || !/^\(\d{2,4}\)/.test(barcode.text)) return []
  return ['The parentheses are encoded as text: choose GS1-128 or GS1 DataMatrix for application identifiers']
}

/** Some scanners, such as ZBar, do not support the function characters of Code 128 that mean "add 128". */
function judgeLetters({ barcode: { symbology, text } }: BarcodePicture): string[] {
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  if (symbology !== 'code128' || /^[\u0000-\u007f]*$/.test(text)) return []
  return ['Some scanners misread letters beyond ASCII in Code 128: use a Data Matrix, PDF417 or Aztec code']
}

function judgeCaption({ width, barcode }: BarcodePicture): string[] {
  const warnings: string[] = []
  if (barcode.captionDrawn < barcode.captionAsked) {
    const also = barcode.widened ? ` and the picture widened to ${width} px` : ''
    warnings.push(
      `The text is too long for ${barcode.captionAsked} px: it was drawn at ${barcode.captionDrawn} px${also}`,
    )
  } else if (barcode.widened) {
    warnings.push(`The text is wider than the bars: the picture was widened to ${width} px`)
  }
  if (barcode.captionBoxes > 0) {
    const what = barcode.captionBoxes === 1 ? '1 character' : `${barcode.captionBoxes} characters`
    warnings.push(`The text has ${what} that can only be shown as a box`)
  }
  return warnings
}
