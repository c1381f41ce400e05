import type { Dimension } from '../../api/analytics.ts'

const countries = new Intl.DisplayNames(undefined, { type: 'region' })
const languages = new Intl.DisplayNames(undefined, { type: 'language' })

/** Stands for an unknown value in filters; in breakdowns it is empty. */
export const UNKNOWN = '(none)'

/** The name of all values beyond the limit. */
const OTHERS = '(other)'

export const dimensionNames: Record<Dimension, string> = {
  country: 'Country',
  referrer: 'Referrer',
  device: 'Device',
  browser: 'Browser',
  system: 'Operating system',
  button: 'Button',
  icon: 'Social icon',
  language: 'Language',
  utm_source: 'UTM source',
  utm_medium: 'UTM medium',
  utm_campaign: 'UTM campaign',
  variant: 'Variant',
  rule: 'Rule',
  source: 'Opened by',
  hour_of_week: 'Hour of the week',
  link: 'Link',
}

const unknownNames: Partial<Record<Dimension, string>> = {
  country: 'Unknown',
  referrer: 'Direct',
  language: 'Unknown',
  utm_source: 'None',
  utm_medium: 'None',
  utm_campaign: 'None',
  variant: 'No variant',
  rule: 'No rule',
}

const sources: Readonly<Record<string, string>> = { qr: 'QR code or barcode', link: 'Link' }
const rules: Readonly<Record<string, string>> = { ios: 'iOS destination', android: 'Android destination' }

/** The name of a code in the viewer's language; the code itself if it has none. */
const named = (names: Intl.DisplayNames, code: string): string => {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** The display name of a value of a breakdown or filter. */
export const valueName = (by: Dimension, value: string): string => {
  if (value === '' || value === UNKNOWN || value.toLowerCase() === 'unknown')
    return unknownNames[by] ?? 'Other'
  if (value === OTHERS) return 'All others'
  if (by === 'country') return /^[a-z]{2}$/i.test(value) ? named(countries, value.toUpperCase()) : value
  if (by === 'language') return named(languages, value)
  if (by === 'source') return sources[value] ?? value
  if (by === 'rule') return rules[value] ?? (/^\d+$/.test(value) ? `Rule ${Number(value) + 1}` : value)
  return by === 'device' || by === 'icon' ? capitalised(value) : value
}
