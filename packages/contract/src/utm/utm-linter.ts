import { channelOf, isMediumWord, isSourceWord, UNASSIGNED } from './analytics-channels.ts'
import { replacedTags, tagsInFragment, type UtmTags } from './utm-url.ts'

const FIELDS = ['source', 'medium', 'campaign', 'content', 'term'] as const

type UtmField = (typeof FIELDS)[number]

/** The linter's information about other links. It looks nothing up itself. */
export interface UtmHistory {
  /** Whether the address is one of our own short links. */
  readonly isShortLink: boolean
  /** Values of the same user's other UTM links; only those that differ in case matter. */
  readonly used: Partial<Record<UtmField, readonly string[]>>
}

/** Corrections of mediums that Google Analytics does not recognise. */
const meant: ReadonlyMap<string, string> = new Map(
  Object.entries({
    email: 'newsletter mail mailing edm',
    social: 'post story bio organic-social organic_social',
    cpc: 'ad ads adwords search',
    sms: 'text',
    audio: 'podcast radio',
    referral: 'blog web website partner',
    affiliate: 'affiliates influencer',
  }).flatMap(([known, unknown]) => unknown.split(' ').map((word) => [word, known])),
)

const inQuotes = (value: string): string => `"${value}"`

const valuesOf = (tags: UtmTags): [UtmField, string][] =>
  FIELDS.map((field): [UtmField, string] => [field, tags[field] ?? '']).filter(([, value]) => value !== '')

const capitals = (tags: UtmTags): string[] =>
  valuesOf(tags)
    .filter(([, value]) => value !== value.toLowerCase())
    .map(
      ([field, value]) =>
        `${field} has capital letters: analytics tools count ${inQuotes(value)} and ${inQuotes(value.toLowerCase())} apart`,
    )

const spaces = (tags: UtmTags): string[] =>
  valuesOf(tags)
    .filter(([, value]) => /\s/.test(value))
    .map(([field, value]) => {
      const better = value.trim().replaceAll(/\s+/g, '-')
      return `${field} has spaces${better === '' ? '' : `: ${inQuotes(better)} survives copying and reads the same in every report`}`
    })

const isSwapped = ({ source, medium }: UtmTags): boolean =>
  isMediumWord(source) && !isMediumWord(medium) && isSourceWord(medium)

const sense = (tags: UtmTags): string[] => {
  const { source, medium } = tags
  if (isSwapped(tags))
    return [
      `source and medium look swapped: ${inQuotes(medium)} is where people come from, ${inQuotes(source)} is how they come`,
    ]
  if (channelOf(tags) !== UNASSIGNED) return []
  const suggestion = meant.get(medium.trim().toLowerCase())
  const advice =
    suggestion === undefined
      ? 'it knows email, social, cpc, display, affiliate, referral, video, audio and sms'
      : `${inQuotes(suggestion)} is the one it knows`
  return [`Google Analytics would file medium ${inQuotes(medium)} under "Unassigned": ${advice}`]
}

const otherSpellings = (tags: UtmTags, used: UtmHistory['used']): string[] =>
  valuesOf(tags).flatMap(([field, value]) => {
    const others = (used[field] ?? []).filter(
      (other) => other !== value && other.toLowerCase() === value.toLowerCase(),
    )
    if (others.length === 0) return []
    const spellings = [...new Set(others)].map(inQuotes).join(', ')
    return [`${field} was written ${spellings} before: ${inQuotes(value)} would be counted apart`]
  })

const address = (url: string, tags: UtmTags, isShortLink: boolean): string[] => {
  const replaced = replacedTags(url, tags)
  const behind = tagsInFragment(url)
  const fragment = `The address has ${behind.join(', ')} after the #, where analytics tools do not look`
  const loop =
    'The address is one of our own short links: tag the address it leads to, as the redirect drops the tags'
  const query = `The address already has ${replaced.join(', ')}: UTM parameters of the address are replaced by those given here`
  return [
    ...(isShortLink ? [loop] : []),
    ...(replaced.length > 0 ? [query] : []),
    ...(behind.length > 0 ? [fragment] : []),
  ]
}

/** Warnings about a campaign link before it is published. None of them is an error. */
export const lintUtm = (url: string, tags: UtmTags, { isShortLink, used }: UtmHistory): string[] => [
  ...capitals(tags),
  ...spaces(tags),
  ...sense(tags),
  ...otherSpellings(tags, used),
  ...address(url, tags, isShortLink),
]

const tidy = (value: string): string => value.trim().toLowerCase().replaceAll(/\s+/g, '-')

/** The tags with the linter's advice applied, if the intention is clear. */
export const fixUtm = ({ source, medium, campaign, content, term }: UtmTags): Required<UtmTags> => {
  const tidied = {
    source: tidy(source),
    medium: tidy(medium),
    campaign: tidy(campaign),
    content: tidy(content),
    term: term ? tidy(term) : null,
  }
  const ordered = isSwapped(tidied) ? { ...tidied, source: tidied.medium, medium: tidied.source } : tidied
  const isKnown = channelOf(ordered) !== UNASSIGNED
  return isKnown ? ordered : { ...ordered, medium: meant.get(ordered.medium) ?? ordered.medium }
}
