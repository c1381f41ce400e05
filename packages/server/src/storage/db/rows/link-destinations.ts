import type { LinkRule, LinkVariant } from '@waymark/contract/schemas'
import type { LinkRow } from './links.ts'

/** The fields of a link that hold destinations. */
export interface LinkDestinations {
  readonly link?: string | null | undefined
  readonly ios_url?: string | null | undefined
  readonly android_url?: string | null | undefined
  readonly expired_url?: string | null | undefined
  readonly rules?: readonly Pick<LinkRule, 'to'>[] | null | undefined
  readonly variants?: readonly Pick<LinkVariant, 'url'>[] | null | undefined
}

/** The columns that hold them. */
type DestinationColumns = Pick<
  LinkRow,
  'url' | 'ios_url' | 'android_url' | 'expired_url' | 'rules' | 'variants'
>

/** Parses a list that is stored as JSON; an empty one is stored as null. */
export const readList = <T>(stored: string | null): T[] =>
  stored === null ? [] : (JSON.parse(stored) as T[])

export const storedDestinations = (row: DestinationColumns) => ({
  link: row.url,
  ios_url: row.ios_url,
  android_url: row.android_url,
  expired_url: row.expired_url,
  rules: readList<LinkRule>(row.rules),
  variants: readList<LinkVariant>(row.variants),
})

/** Every URL that a link can send visitors to, and its field. */
export function destinationsOf(link: LinkDestinations): { field: string; url: string }[] {
  const found: { field: string; url: string }[] = []
  const add = (field: string, url: string | null | undefined): void => {
    if (url) found.push({ field, url })
  }
  add('link', link.link)
  add('ios_url', link.ios_url)
  add('android_url', link.android_url)
  add('expired_url', link.expired_url)
  link.rules?.forEach(({ to }, at) => add(`rules.${at}.to`, to))
  link.variants?.forEach(({ url }, at) => add(`variants.${at}.url`, url))
  return found
}

/** The URLs of a stored link. */
export const storedUrls = (row: DestinationColumns): string[] =>
  destinationsOf(storedDestinations(row)).map(({ url }) => url)
