import type { Dimension } from '../../api/analytics.ts'

const countries = new Intl.DisplayNames(undefined, { type: 'region' })

const unknownNames: Record<Dimension, string> = {
  country: 'Unknown',
  referrer: 'Direct',
  device: 'Other',
  browser: 'Other',
  system: 'Other',
  button: 'Other',
  icon: 'Other',
  language: 'Unknown',
  utm_source: 'None',
  utm_medium: 'None',
  utm_campaign: 'None',
  variant: 'None',
  rule: 'None',
  source: 'Other',
  hour_of_week: 'Other',
}

const countryName = (code: string): string => {
  try {
    return countries.of(code.toUpperCase()) ?? code
  } catch {
    return code
  }
}

/** The display name of a value of a breakdown. */
export const valueName = (by: Dimension, value: string): string => {
  if (value === '' || value.toLowerCase() === 'unknown') return unknownNames[by]
  if (by === 'referrer' && value.toLowerCase() === 'direct') return unknownNames.referrer
  if (by === 'country') return /^[a-z]{2}$/i.test(value) ? countryName(value) : value
  return by === 'device' ? value.charAt(0).toUpperCase() + value.slice(1) : value
}
