import type { LinkVariant } from '@waymark/contract/schemas'
import { plainAddress } from '../../clicks/facts/addresses.ts'
import type { Visitor } from './visitor.ts'

/** A keyed hash of a text as a whole number of 48 bits. */
export type VisitorHash = (text: string) => number

export interface VariantSet {
  choose(linkId: string, visitor: Visitor): LinkVariant
}

/**
 * Chooses by a keyed hash of the link and the visitor: one visitor always sees the same variant, nothing is stored,
 * and without the key it cannot be predicted.
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
