import { buildDigitalLink } from '../digital-link.ts'
import type { Level, ThingLink } from './decide.ts'
import { linkTypeAddress } from './link-types.ts'

/** A target of a linkset, as RFC 9264 says. */
export interface LinksetTarget {
  readonly href: string
  readonly title?: string
  readonly type?: string
  readonly hreflang?: readonly string[]
  readonly context?: readonly string[]
}

/** The links of one thing: a relation for each type of link. */
export type LinksetEntry = {
  readonly anchor: string
  readonly description: string
  /** The same text, for readers of the former form. */
  readonly itemDescription: string
} & Readonly<Record<string, string | readonly LinksetTarget[]>>

/** The JSON of a linkset. */
export interface Linkset {
  readonly linkset: readonly LinksetEntry[]
}

/** The media type of a linkset. */
export const LINKSET_TYPE = 'application/linkset+json'
/** The header that says what the names in the JSON mean. */
export const LINKSET_CONTEXT =
  '<https://ref.gs1.org/standards/resolver/linkset-context>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"'

/** The linkset of levels, from the most granular to the key. The root is the address before `/01`, with the domain's prefix. */
export function linksetOf(root: string, levels: readonly Level[]): Linkset {
  return { linkset: levels.map((level) => entryOf(root, level)) }
}

function entryOf(root: string, { thing, title, description, links, defaultLink }: Level): LinksetEntry {
  const byDefault = links.find(({ href }) => href === defaultLink)
  const relations = new Map<string, LinksetTarget[]>([
    [
      linkTypeAddress('gs1:defaultLink'),
      [{ href: defaultLink, ...(byDefault?.title == null ? { title } : { title: byDefault.title }) }],
    ],
  ])
  for (const link of links) {
    const relation = linkTypeAddress(link.type)
    relations.set(relation, [...(relations.get(relation) ?? []), targetOf(link, title)])
  }
  const text = description == null || description === '' ? title : description
  return {
    anchor: root + buildDigitalLink(thing),
    description: text,
    itemDescription: text,
    ...Object.fromEntries(relations),
  }
}

const targetOf = (
  { href, title, mediaType, language, context }: ThingLink,
  fallback: string,
): LinksetTarget => ({
  href,
  title: title == null || title === '' ? fallback : title,
  ...(mediaType == null ? {} : { type: mediaType }),
  ...(language == null ? {} : { hreflang: [language] }),
  ...(context == null ? {} : { context: [context] }),
})
