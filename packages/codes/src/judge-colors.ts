import { cameraGrey, contrastRatio, luminance } from './color.ts'

// From here on both tested decoders read every plain code; between 3 and 4 jsQR failed on 14 of 439, zxing on none.
export const MIN_CONTRAST = 4

/** A warning if a colour has too little contrast with the background. */
export function judgeContrast(what: string, color: string, background: string, who = 'scanners'): string[] {
  const ratio = contrastRatio(color, background)
  if (ratio >= MIN_CONTRAST) return []
  const shown = Math.floor(ratio * 10) / 10
  return [
    `${what} ${color} on ${background} has a contrast of ${shown}:1: ${who} need ${MIN_CONTRAST}:1 or more`,
  ]
}

/** A warning if one of two colours is so pale beside the other that decoders mistake it for the background. */
export function judgeTones(color: string, eyeColor: string, background: string): string[] {
  const ground = cameraGrey(background)
  const [ink, eye] = [Math.abs(cameraGrey(color) - ground), Math.abs(cameraGrey(eyeColor) - ground)]
  if (2 * Math.min(ink, eye) >= Math.max(ink, eye)) return []
  const pale = ink < eye ? color : eyeColor
  return [
    `On ${background}, ${pale} is too pale beside ${ink < eye ? eyeColor : color}: scanners may not see it`,
  ]
}

/**
 * Of 256 levels of grey, with modules of up to 6 px, and the increase per further pixel: wider corner squares contain more
 * noise. Below this, ZBar misses more noisy codes.
 */
const MIN_EYE_TONES = 150
const [SMALL_MODULE_PX, WIDE_MODULE_PX] = [6, 13]
const TONES_PER_PX = 8

/** A warning if the corner squares, which decoders search for, are pale. */
export function judgeEyes(eyeColor: string, background: string, modulePx: number): string[] {
  const least =
    MIN_EYE_TONES + TONES_PER_PX * Math.max(0, Math.min(modulePx, WIDE_MODULE_PX) - SMALL_MODULE_PX)
  if (cameraGrey(background) - cameraGrey(eyeColor) >= least) return []
  const what = cameraGrey(background) < least + DARK_GREY ? 'lighter background' : 'darker eye colour'
  return [
    `The corner squares in ${eyeColor} on ${background} are pale: scanners may not find them in poor light, choose a ${what}`,
  ]
}

/** A grey that still looks like a colour. */
const DARK_GREY = 40

/** A warning if the background is darker than the code. */
export function judgeInverted(color: string, background: string): string[] {
  if (luminance(color) <= luminance(background)) return []
  return ['This code is light on dark: many scanners cannot read inverted codes']
}

/** Centimetres for a printed length, rounded up to the next half. */
export function printCm(modules: number, moduleMm: number): number {
  return Math.ceil((modules * moduleMm) / 5) / 2
}
