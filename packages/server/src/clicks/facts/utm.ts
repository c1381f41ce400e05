import { remembered } from './remembered.ts'

export interface Utm {
  readonly source: string
  readonly medium: string
  readonly campaign: string
}

const NONE: Utm = { source: '', medium: '', campaign: '' }
const MAX_CHARS = 100
const MAX_REMEMBERED = 2_000

const known = remembered(MAX_REMEMBERED, readUtm)

/** The UTM parameters of a query, as the visitor's destination gets them. */
export function utmOf(query: string | undefined): Utm {
  return query === undefined || query === '' ? NONE : known(query)
}

export function readUtm(query: string): Utm {
  const parameters = new URLSearchParams(query)
  const valueOf = (name: string): string =>
    Array.from(parameters.get(name) ?? '')
      .slice(0, MAX_CHARS)
      .join('')
  return {
    source: valueOf('utm_source'),
    medium: valueOf('utm_medium'),
    campaign: valueOf('utm_campaign'),
  }
}
