import type { BodyInput, Data } from '../schemas/index.ts'

/** A column that an import reads: a field of a new link. */
export type LinkColumn = keyof BodyInput<'generateLink'>

/** What goes out and comes in again, in the order in which people would fill it in. */
const carriedColumns = [
  'link',
  'customLink',
  'description',
  'tag',
  'expire',
  'redirect',
  'max_clicks',
  'ios_url',
  'android_url',
  'domain',
] as const

/** What an import reads; only the first must be there. */
export const linkColumns = [...carriedColumns, 'password'] as const satisfies readonly LinkColumn[]

/** What an export writes of each link. A password is known to nobody; whether there is one is said. */
export const exportedLinkColumns = [
  ...carriedColumns,
  'has_password',
  'code',
  'short_url',
  'clicks',
  'last_click_at',
  'owner',
  'created_at',
  'updated_at',
  'uuid',
] as const satisfies readonly (keyof Data<'generateLink'>)[]

/** What other services call the same things, without capitals and punctuation. */
const aliases: Readonly<Record<string, LinkColumn>> = {
  longurl: 'link',
  originalurl: 'link',
  url: 'link',
  destination: 'link',
  destinationurl: 'link',
  target: 'link',
  slug: 'customLink',
  customslug: 'customLink',
  keyword: 'customLink',
  shortcode: 'customLink',
  title: 'description',
  note: 'description',
  tags: 'tag',
  expiresat: 'expire',
  validuntil: 'expire',
  maxvisits: 'max_clicks',
  ios: 'ios_url',
  android: 'android_url',
}

const squashed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const known = new Map<string, LinkColumn | null>([
  ...exportedLinkColumns.map((name) => [squashed(name), null] as const),
  ...Object.entries(aliases),
  ...linkColumns.map((name) => [squashed(name), name] as const),
])

/** The field that a header stands for; null: only told by an export; undefined: nobody knows it. */
export const linkColumnOf = (header: string): LinkColumn | null | undefined => known.get(squashed(header))
