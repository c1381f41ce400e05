import { CodeError } from './code-error.ts'

/** Converts `#rgb` or `#rrggbb` to lower-case `#rrggbb`; throws for anything else. */
export function hexColor(value: string): string {
  if (/^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase()
  if (/^#[0-9a-f]{3}$/i.test(value)) return value.toLowerCase().replace(/[0-9a-f]/g, '$&$&')
  throw new CodeError('bad_option', 'A colour is # followed by three or six hex digits')
}

/** The WCAG contrast ratio of two colours, 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const a = luminance(one)
  const b = luminance(other)
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** The WCAG relative luminance of a colour, 0 (black) to 1 (white). */
export function luminance(color: string): number {
  const [red, green, blue] = linearChannels(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The grey value that decoders compute for a colour, 0 to 255 (ITU-R BT.601). */
export function cameraGrey(color: string): number {
  const value = Number.parseInt(hexColor(color).slice(1), 16)
  return 0.299 * (value >> 16) + 0.587 * ((value >> 8) & 255) + 0.114 * (value & 255)
}

/** The share of a red laser's light that a colour reflects, 0 to 1. */
export function redReflectance(color: string): number {
  return linearChannels(color)[0]
}

function linearChannels(color: string): [number, number, number] {
  const value = Number.parseInt(hexColor(color).slice(1), 16)
  return [linear(value >> 16), linear((value >> 8) & 255), linear(value & 255)]
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
