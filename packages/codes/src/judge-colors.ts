import { cameraGrey, contrastRatio, luminance } from './color.ts'

// From here on both decoders tried read every plain code; between 3 and 4 jsQR failed on 14 of 439, zxing on none.
export const LEAST_CONTRAST = 4

/** A sentence when a colour is too faint against the ground. */
export function judgeContrast(what: string, color: string, background: string, who = 'scanners'): string[] {
  const ratio = contrastRatio(color, background)
  if (ratio >= LEAST_CONTRAST) return []
  const shown = Math.floor(ratio * 10) / 10
  return [
    `${what} ${color} on ${background} has a contrast of ${shown}:1: ${who} need ${LEAST_CONTRAST}:1 or more`,
  ]
}

/** A sentence when one of two inks is so pale beside the other that decoders take it for the ground. */
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
 * Of 256 levels of grey, with modules of up to 6 px, and what each further pixel takes: the wider the corner squares
 * are, the more noise lies inside them. Of noisy codes, ZBar misses more below.
 */
const LEAST_EYE_TONES = 150
const [SMALL_MODULE_PX, WIDE_MODULE_PX] = [6, 13]
const TONES_PER_PX = 8

/** A sentence when the corner squares, by which decoders find a code, are pale. */
export function judgeEyes(eyeColor: string, background: string, modulePx: number): string[] {
  const least =
    LEAST_EYE_TONES + TONES_PER_PX * Math.max(0, Math.min(modulePx, WIDE_MODULE_PX) - SMALL_MODULE_PX)
  if (cameraGrey(background) - cameraGrey(eyeColor) >= least) return []
  const what = cameraGrey(background) < least + DARK_GREY ? 'lighter background' : 'darker eye colour'
  return [
    `The corner squares in ${eyeColor} on ${background} are pale: scanners may not find them in poor light, choose a ${what}`,
  ]
}

/** A grey that still looks like a colour. */
const DARK_GREY = 40

/** A sentence when the ground is darker than the ink. */
export function judgeInverted(color: string, background: string): string[] {
  if (luminance(color) <= luminance(background)) return []
  return ['This code is light on dark: many scanners cannot read inverted codes']
}

/** Centimetres for a printed length, rounded up to the next half. */
export function printCm(modules: number, moduleMm: number): number {
  return Math.ceil((modules * moduleMm) / 5) / 2
}
