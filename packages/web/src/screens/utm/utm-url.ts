export interface UtmParts {
  readonly source: string
  readonly medium: string
  readonly campaign: string
  readonly content: string
  readonly term: string
}

const names = ['source', 'medium', 'campaign', 'content', 'term'] as const

const encode = (value: string): string => encodeURIComponent(value.trim()).replaceAll('%20', '+')

/**
 * The address as it grows while one types. Every other byte of the query and the fragment stays as it was; the server
 * makes the one that counts.
 */
export function utmUrl(address: string, parts: UtmParts): string {
  if (address === '') return ''
  const [beforeHash = '', ...hash] = address.split('#')
  const [path = '', ...query] = beforeHash.split('?')
  const kept = query
    .join('?')
    .split('&')
    .filter((pair) => pair !== '' && !/^utm_(source|medium|campaign|content|term)(=|$)/i.test(pair))
  const added = names
    .filter((name) => parts[name].trim() !== '')
    .map((name) => `utm_${name}=${encode(parts[name])}`)
  const whole = [...kept, ...added].join('&')
  return path + (whole === '' ? '' : `?${whole}`) + (hash.length === 0 ? '' : `#${hash.join('#')}`)
}

/** Plain sentences on what would split one campaign into several in every statistics tool. */
export function lintUtm(
  parts: UtmParts,
  earlier: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> {
  const faults: Record<string, string[]> = {}
  for (const name of names) {
    const value = parts[name].trim()
    if (value === '') continue
    const found: string[] = []
    if (value !== value.toLowerCase())
      found.push(`Statistics tell upper from lower case: “${value.toLowerCase()}” keeps it one ${name}`)
    if (/\s/.test(value)) found.push('Spaces become +: a hyphen or underscore reads better')
    const near = (earlier[name] ?? []).find(
      (other) => other !== value && other.toLowerCase() === value.toLowerCase(),
    )
    if (near !== undefined) found.push(`You have written this as “${near}” before`)
    if (/[?&=#]/.test(value)) found.push('? & = # are escaped: better without')
    if (found.length > 0) faults[name] = found
  }
  return faults
}
