import type { LinkRule, LinkVariant } from '@waymark/contract/schemas'
import { plainAddress } from '../../clicks/attributes/addresses.ts'
import { compileRules, type CountryOf, type NamedRule, type RuleSet } from './rules.ts'
import type { Visitor } from './visitor.ts'

/** The parts of a link that operators can block. */
export interface Blockable {
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

/** The stored routing of a link. */
export interface StoredRouting {
  readonly rules: readonly LinkRule[]
  readonly variants: readonly LinkVariant[]
  readonly iosUrl: string | null
  readonly androidUrl: string | null
  readonly forwardsQuery: boolean
  readonly forwardsPath: boolean
}

/** Valid text of a `location` header: visible ASCII after http or https, so that nothing can end the header early. */
const HEADER_SAFE_URL = /^https?:\/\/[\x21-\x7e]+$/

/** The URL if it is valid in a header, otherwise null. */
export function headerSafe(url: string): string | null {
  if (HEADER_SAFE_URL.test(url)) return url
  const normal = URL.parse(url)?.href
  return normal !== undefined && HEADER_SAFE_URL.test(normal) ? normal : null
}

/** Null: all visitors are sent to the same destination. */
export function compileRouting(stored: StoredRouting, tools: RoutingTools): Routing | null {
  const { forwardsQuery, forwardsPath, iosUrl, androidUrl } = stored
  const rules = compileRules(namedRules(stored), tools.countryOf)
  const variants = compileVariants(
    stored.variants.flatMap((variant) => {
      const url = headerSafe(variant.url)
      return url === null ? [] : [{ ...variant, url }]
    }),
    tools.visitorHash,
  )
  if (rules === null && variants === null && !forwardsQuery && !forwardsPath) return null
  const vary = rules?.headers.join(', ') ?? ''
  const bytes = JSON.stringify(stored).length * BYTES_PER_CHAR
  return { rules, variants, forwardsQuery, forwardsPath, iosUrl, androidUrl, vary, bytes }
}

/** Maps and closures take more memory than their text: measured as heap growth. */
const BYTES_PER_CHAR = 4

/** The rules of a link, and its device URLs, which act as two more at the end. */
function namedRules({ rules, iosUrl, androidUrl }: StoredRouting): NamedRule[] {
  const all = [
    ...rules.map(({ if: conditions, to }, at) => ({ if: conditions, to, name: String(at) })),
    { if: {}, to: iosUrl, name: 'ios' },
    { if: {}, to: androidUrl, name: 'android' },
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
