/** The contents of a header such as `Accept`: names in lower case with their weights, from 0 to 1. */
export type Weights = ReadonlyMap<string, number>

/** Further names are ignored, so that a long header is cheap. */
const MOST_NAMES = 100

/** Reads a header of names with weights, such as `de-CH, de;q=0.9, *;q=0.5`. Wrong weights count as none. */
export function weightsOf(header: string | undefined): Weights {
  const weights = new Map<string, number>()
  for (const item of (header ?? '').split(',', MOST_NAMES)) {
    const [name = '', ...parameters] = item.split(';')
    const trimmed = name.trim().toLowerCase()
    if (trimmed !== '') weights.set(trimmed, Math.max(weights.get(trimmed) ?? 0, weightOf(parameters)))
  }
  return weights
}

const QUALITY = /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i

function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [, quality] = QUALITY.exec(parameter) ?? []
    if (quality !== undefined) return Number(quality)
  }
  return 1
}

/**
 * The weight of a language: its own, that of its main language, or that of `*`. A header that asks
 * for `de-CH` wants `de` as well, and a little less `de-AT`.
 */
export function languageWeight(weights: Weights, language: string): number {
  const wanted = language.toLowerCase()
  const exact = weights.get(wanted)
  if (exact !== undefined) return exact
  const main = mainOf(wanted)
  const general = weights.get(main)
  if (general !== undefined) return general
  let best = 0
  const less = wanted === main ? NEARLY : 2 * NEARLY
  for (const [name, weight] of weights) if (mainOf(name) === main) best = Math.max(best, weight - less)
  return best > 0 ? best : (weights.get('*') ?? 0)
}

/** Twice this is below the smallest step of a weight. */
const NEARLY = 0.0004

const mainOf = (language: string): string => language.split('-', 1)[0] ?? ''

/** The weight of a media type. */
export function typeWeight(weights: Weights, type: string): number {
  const wanted = type.toLowerCase().split(';', 1)[0]?.trim() ?? ''
  const [main = ''] = wanted.split('/', 1)
  return weights.get(wanted) ?? weights.get(`${main}/*`) ?? weights.get('*/*') ?? 0
}

const JSON_TYPES = ['application/linkset+json', 'application/json', 'application/ld+json']

/** Whether a header asks for a linkset: a JSON type has the highest weight, and pages, named or not, have a lower one. */
export function wantsLinkset(accept: Weights): boolean {
  const best = Math.max(0, ...JSON_TYPES.map((type) => accept.get(type) ?? 0))
  if (best === 0) return false
  for (const weight of accept.values()) if (weight > best) return false
  return (accept.get('text/html') ?? 0) < best && (accept.get('*/*') ?? 0) < best
}
