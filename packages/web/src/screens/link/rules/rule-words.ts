import type { Link } from '@waymark/sdk'
import { momentOf } from '../../../ui/times.ts'

type Conditions = Link['rules'][number]['if']

/** The names of conditions, in display order. */
export const conditionLabels: Readonly<Record<keyof Conditions, string>> = {
  country: 'Country',
  language: 'Language',
  device: 'Device',
  os: 'Operating system',
  browser: 'Browser',
  referrer: 'Referrer',
  query: 'Query parameter',
  after: 'From',
  before: 'Until',
}

const regions = new Intl.DisplayNames(undefined, { type: 'region' })
const languages = new Intl.DisplayNames(undefined, { type: 'language' })

const namedOr = (names: Intl.DisplayNames, code: string): string => {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

export const countryName = (code: string): string => namedOr(regions, code.toUpperCase())
export const languageName = (code: string): string => namedOr(languages, code)

/** The display text of an alternative. */
export const valueLabel = (kind: keyof Conditions, value: string): string => {
  if (kind === 'country') return countryName(value)
  return kind === 'language' ? languageName(value) : value
}

const either = new Intl.ListFormat('en', { type: 'disjunction' })
const both = new Intl.ListFormat('en', { type: 'conjunction' })

/** The conditions of a rule as a sentence: "Country is Germany or Austria, and device is mobile". */
export const conditionsInWords = (conditions: Conditions): string => {
  const parts = (Object.keys(conditionLabels) as (keyof Conditions)[]).flatMap((kind) => {
    const given = conditions[kind]
    if (given === undefined || given.length === 0) return []
    const label = conditionLabels[kind].toLowerCase()
    if (typeof given === 'string') return [`${label} ${momentOf(given)}`]
    return [`${label} is ${either.format(given.map((value) => valueLabel(kind, value)))}`]
  })
  const sentence = parts.length === 0 ? 'every visitor' : both.format(parts)
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
