import { contrastRatio, luminance } from './color.ts'

/** Least contrast at which cameras tell ink from ground reliably. */
export const LEAST_CONTRAST = 3

/** A sentence when a colour is too faint against the ground. */
export function judgeContrast(what: string, color: string, background: string): string[] {
  const ratio = contrastRatio(color, background)
  if (ratio >= LEAST_CONTRAST) return []
  const shown = Math.floor(ratio * 10) / 10
  return [
    `${what} ${color} on ${background} has a contrast of ${shown}:1: scanners need ${LEAST_CONTRAST}:1 or more`,
  ]
}

/** A sentence when the ground is darker than the ink. */
export function judgeInverted(color: string, background: string): string[] {
  if (luminance(color) <= luminance(background)) return []
  return ['This code is light on dark: many scanners cannot read inverted codes']
}

/** Centimetres for a printed length, rounded up to the next half. */
export function printCm(modules: number, moduleMm: number): number {
  return Math.ceil((modules * moduleMm) / 5) / 2
}
