import type { LinkRule, LinkVariant } from '@waymark/contract/schemas'
import { isUnsafeScheme, isWebUrl, schemeOf } from '@waymark/contract'
import { plainAddress } from '../../clicks/attributes/addresses.ts'
import { readList } from '../../storage/db/rows/link-destinations.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import { compileRules, type CountryOf, type NamedRule, type RuleSet } from './rules.ts'
import type { Visitor } from './visitor.ts'

/** The parts of a link that operators can block. */
interface Blockable {
  readonly uuid: string
  readonly workspaceUuid: string
  /** Every possible destination; only called while hosts are blocked. */
  readonly urls: () => readonly string[]
}

/** Whether an operator has blocked a link, its owner or one of its destinations. Uses only memory. */
export type IsBlocked = (link: Blockable) => boolean

/** How the destination of a link depends on the visitor. */
export interface Routing {
  readonly rules: RuleSet | null
  readonly variants: VariantSet | null
  readonly forwardsQuery: boolean
  readonly forwardsPath: boolean
  /** The link's destinations for iOS and Android, apart from its rules. */
  readonly iosUrl: string | null
  readonly androidUrl: string | null
  /** Request headers that the destination depends on, as in the `vary` header; '' for none. */
  readonly vary: string
  /** Approximate memory usage. */
  readonly bytes: number
}

export interface RoutingTools {
  readonly countryOf: CountryOf
  readonly visitorHash: VisitorHash
  readonly isBlocked?: IsBlocked
}

/** The columns that decide how the destination of a link depends on the visitor. */
export type RoutingColumns = Readonly<
  Pick<LinkRow, 'ios_url' | 'android_url' | 'rules' | 'variants' | 'forward_query' | 'forward_path'>
>

/** Valid text of a `location` header: visible ASCII, so that nothing can end the header early. */
const HEADER_SAFE_URL = /^https?:\/\/[\x21-\x7e]+$/
const HEADER_SAFE_TARGET = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/

/** The URL if it is valid in a header, otherwise null. */
export function headerSafe(url: string): string | null {
  if (HEADER_SAFE_URL.test(url)) return url
  const scheme = schemeOf(url)
  if (scheme === undefined || isUnsafeScheme(scheme)) return null
  if (!isWebUrl(url)) return HEADER_SAFE_TARGET.test(url) ? url : null
  const normal = URL.parse(url)?.href
  return normal !== undefined && HEADER_SAFE_URL.test(normal) ? normal : null
}

/** Null: all visitors are sent to the same destination. */
export function compileRouting(row: RoutingColumns, tools: RoutingTools): Routing | null {
  const [forwardsQuery, forwardsPath] = [row.forward_query === 1, row.forward_path === 1]
  const stored = [row.rules, row.variants, row.ios_url, row.android_url].filter((value) => value !== null)
  // Most links: nothing has to be parsed.
  if (stored.length === 0 && !forwardsQuery && !forwardsPath) return null
  const rules = compileRules(namedRules(row), tools.countryOf)
  const variants = compileVariants(
    readList<LinkVariant>(row.variants).flatMap((variant) => {
      const url = headerSafe(variant.url)
      return url === null ? [] : [{ ...variant, url }]
    }),
    tools.visitorHash,
  )
  if (rules === null && variants === null && !forwardsQuery && !forwardsPath) return null
  const vary = rules?.headers.join(', ') ?? ''
  const bytes = BASE_BYTES + stored.reduce((sum, text) => sum + text.length, 0) * BYTES_PER_CHAR
  const { ios_url: iosUrl, android_url: androidUrl } = row
  return { rules, variants, forwardsQuery, forwardsPath, iosUrl, androidUrl, vary, bytes }
}

/** Maps and closures take more memory than their text: measured as heap growth. */
const BYTES_PER_CHAR = 4
const BASE_BYTES = 400

/** The rules of a link, and its device URLs, which act as two more at the end. */
function namedRules({ rules, ios_url, android_url }: RoutingColumns): NamedRule[] {
  const all = [
    ...readList<LinkRule>(rules).map(({ if: conditions, to }, at) => ({
      if: conditions,
      to,
      name: String(at),
    })),
    { if: {}, to: ios_url, name: 'ios' },
    { if: {}, to: android_url, name: 'android' },
  ]
  return all.flatMap(({ if: conditions, to, name }) => {
    const url = to === null ? null : headerSafe(to)
    return url === null ? [] : [{ if: conditions, url, name }]
  })
}

/** A keyed hash of a text as a whole number of 48 bits. */
type VisitorHash = (text: string) => number

interface VariantSet {
  choose(linkId: string, visitor: Visitor): LinkVariant
}

/**
 * Chooses by a keyed hash of the link and the visitor: a visitor always gets the same variant, nothing is stored, and the
 * choice cannot be predicted without the key.
 */
export function compileVariants(variants: readonly LinkVariant[], hash: VisitorHash): VariantSet | null {
  const [first] = variants
  if (first === undefined) return null
  const total = variants.reduce((sum, { weight }) => sum + weight, 0)
  return {
    choose(linkId, { address, headers }) {
      let left = hash(`${linkId}\n${plainAddress(address)}\n${headers['user-agent'] ?? ''}`) % total
      for (const variant of variants) {
        if (left < variant.weight) return variant
        left -= variant.weight
      }
      return first
    },
  }
}
