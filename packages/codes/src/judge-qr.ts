import { judgeContrast, judgeEyes, judgeInverted, judgeTones, printCm } from './judge-colors.ts'
import type { QrPicture } from './qr.ts'

const MIN_QUIET_MODULES = 4
const MIN_MODULE_PX = 4
/** Blur spreads a logo over adjacent modules. */
const MIN_MODULE_PX_WITH_LOGO = 5
/** From version 7 on there is an alignment pattern in the centre, without which ZBar does not read every code. */
const MAX_VERSION_WITH_LOGO = 6
const PRINTED_MODULE_MM = 0.4
const MAX_CLEARED_SHARE = 0.12
const MIN_FRAME_TEXT_PX = 10

/** Warnings about what may keep a QR code from scanning; empty if there is nothing. */
export function judgeQr(picture: QrPicture): string[] {
  const { color, eyeColor, background, qr } = picture
  const warnings = [
    ...judgeContrast('The colour', color, background),
    ...(eyeColor === color ? [] : judgeContrast('The eye colour', eyeColor, background)),
    ...judgeInverted(color, background),
  ]
  if (warnings.length === 0) warnings.push(...judgeInverted(eyeColor, background))
  if (warnings.length === 0) warnings.push(...judgeTones(color, eyeColor, background))
  if (warnings.length === 0) warnings.push(...judgeEyes(eyeColor, background, qr.modulePx))
  if (qr.clearedShare > MAX_CLEARED_SHARE) {
    const percent = Math.round(qr.clearedShare * 100)
    warnings.push(`The logo covers ${percent} % of the code: keep it under ${MAX_CLEARED_SHARE * 100} %`)
  }
  if (qr.quietModules < MIN_QUIET_MODULES) {
    const shown = Math.floor(qr.quietModules * 10) / 10
    warnings.push(`The margin is ${shown} modules wide: scanners need ${MIN_QUIET_MODULES}`)
  }
  if (qr.modulePx < MIN_MODULE_PX) {
    const shown = Math.floor(qr.modulePx * 10) / 10
    const cm = printCm(picture.width / qr.modulePx, PRINTED_MODULE_MM)
    warnings.push(`At ${picture.width} px each module is ${shown} px: print this no smaller than ${cm} cm`)
  }
  return [...warnings, ...judgeLogo(picture), ...judgeFrame(picture)]
}

function judgeLogo({ width, logo, qr }: QrPicture): string[] {
  if (logo === undefined) return []
  if (qr.version > MAX_VERSION_WITH_LOGO)
    return [
      'This text is long for a code with a logo, and scanners may not read it: encode a short link, or remove the logo',
    ]
  if (qr.modulePx >= MIN_MODULE_PX_WITH_LOGO || qr.modulePx < MIN_MODULE_PX) return []
  return [
    `At ${width} px each module is ${Math.floor(qr.modulePx)} px: with a logo choose a larger size, so that it is ${MIN_MODULE_PX_WITH_LOGO} px`,
  ]
}

function judgeFrame({ width, qr }: QrPicture): string[] {
  const warnings: string[] = []
  if (qr.frameTextPx > 0 && qr.frameTextPx < MIN_FRAME_TEXT_PX) {
    const shown = Math.floor(qr.frameTextPx * 10) / 10
    warnings.push(`The frame's text is too long for ${width} px: it was drawn at ${shown} px`)
  }
  if (qr.frameBoxes > 0) {
    const what = qr.frameBoxes === 1 ? '1 character' : `${qr.frameBoxes} characters`
    warnings.push(`The frame's text has ${what} that can only be shown as a box`)
  }
  return warnings
}
