import type { Staged } from '../../storage/blobs/keeper.ts'
import type { LinkCreate } from './link-fields.ts'
import type { ShortCodeName } from './links.store.ts'

/** What an owned link is made of. */
export interface OwnedLink {
  readonly url: string
  readonly domain?: string
  /** The short code that a picture was drawn with already. */
  readonly shortCode?: string | undefined
  readonly description?: string | null
}

/** A link that existed at another service or instance before. */
export interface LinkWithPast {
  /** `customLink` is the short code to keep, which the caller has found free. */
  readonly input: LinkCreate
  readonly isCustom: boolean
  readonly passwordHash: string | null
  readonly createdAtMs: number | null
  /** Clicks that were counted there. */
  readonly importedClicks: number
  /** Short codes that lead to it beside its own, which the caller has found free. */
  readonly earlierCodes: readonly ShortCodeName[]
}

/** The slow parts of a link, which are done before its transaction. */
export interface PreparedLink {
  /** Null: it has no password. Undefined: an edit leaves it as it is. */
  readonly passwordHash?: string | null | undefined
  /** The uploaded picture of its preview. */
  readonly picture?: Staged | undefined
}
