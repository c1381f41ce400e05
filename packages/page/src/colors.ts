type Channels = readonly [number, number, number]

const channels = (hex: string): Channels => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
]

const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Relative luminance of `#rrggbb`, as defined by WCAG 2. */
export const luminance = (hex: string): number => {
  const [red, green, blue] = channels(hex)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Contrast of two colours, 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The smallest contrast of a colour with any of the backgrounds. */
export const leastContrast = (color: string, grounds: readonly string[]): number =>
  Math.min(...grounds.map((ground) => contrast(color, ground)))

/** Mixes two colours: a share of 0 is the first, 1 the second. */
export const mix = (first: string, second: string, share: number): string => {
  const [a, b] = [channels(first), channels(second)]
  const mixed = a.map((channel, index) => Math.round(channel + ((b[index] ?? 0) - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

const INKS = ['#15151b', '#ffffff', '#000000'] as const

/** The contrast that WCAG requires for ordinary text. */
export const READABLE = 4.5

/** A near-black or white that is readable on all of these; otherwise the best available. */
export const inkOn = (grounds: readonly string[]): string => {
  const [ink, white, black] = INKS
  const best = leastContrast(ink, grounds) >= leastContrast(white, grounds) ? ink : white
  return leastContrast(best, grounds) >= READABLE ||
    leastContrast(black, grounds) < leastContrast(best, grounds)
    ? best
    : black
}

/** A paler form of a text colour that is still readable on all of these. */
export const quieter = (text: string, grounds: readonly string[]): string => {
  const ground = grounds[0] ?? '#ffffff'
  for (let share = 0.34; share > 0.02; share -= 0.04) {
    const mixed = mix(text, ground, share)
    if (leastContrast(mixed, grounds) >= READABLE + 0.3) return mixed
  }
  return text
}
