const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const FIRST_BIAS = 72
const FIRST_POINT = 128
/** A label has at most 63 characters. */
const MAX_POINTS = 63

const digitOf = (character: string): number => {
  if (/^[a-z]$/.test(character)) return character.charCodeAt(0) - 97
  return /^\d$/.test(character) ? Number(character) + 26 : Number.NaN
}

const adapted = (delta: number, points: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / points)
  let bias = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; bias += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

/** Decodes the part after `xn--` in a label (RFC 3492); undefined if it is not punycode. Browsers can only encode. */
export function decodePunycode(text: string): string | undefined {
  const hyphen = text.lastIndexOf('-')
  const points = Array.from(text.slice(0, Math.max(0, hyphen)))
  let [at, position, point, bias] = [hyphen + 1, 0, FIRST_POINT, FIRST_BIAS]
  while (at < text.length) {
    const before = position
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(text.charAt(at++))
      if (Number.isNaN(digit)) return undefined
      position += digit * weight
      const threshold = Math.max(T_MIN, Math.min(T_MAX, k - bias))
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const length = points.length + 1
    bias = adapted(position - before, length, before === 0)
    point += Math.floor(position / length)
    position %= length
    if (point > 0x10ffff || length > MAX_POINTS) return undefined
    points.splice(position++, 0, String.fromCodePoint(point))
  }
  return points.join('')
}
