import { readScopes, type Scope } from '@waymark/contract'
import { LRUCache } from 'lru-cache'
import type { KnownToken } from '../../net/caller.ts'
import { createAddressTest } from '../../net/client-address.ts'
import type { ApiKeyRow, TokenRow } from '../../storage/db/tables.ts'
import { isoTime, isoTimeOrNull } from '../../work/times.ts'

/* What API keys and access tokens have in common: scopes, an end, addresses and a creator. */

export const jsonOrNull = (list: readonly string[] | null | undefined): string | null =>
  list == null ? null : JSON.stringify(list)

const listOf = (json: string | null): string[] | null =>
  json === null ? null : (JSON.parse(json) as string[])

const scopesOf = (json: string | null): Scope[] | null => listOf(json) as Scope[] | null

/** What a stored key or token allows. */
export const grantOf = (row: ApiKeyRow | TokenRow): KnownToken => {
  const scopes = scopesOf(row.scopes) ?? ('scope' in row && row.scope === 'read' ? readScopes : undefined)
  return {
    uuid: row.uuid,
    // No user has this uuid: a key of a user who is gone may do nothing.
    userUuid: row.created_by ?? '',
    workspaceUuid: row.workspace_uuid,
    ...(scopes && { scopes }),
    expiresAtMs: row.expires_at,
    allows: createAddressTest(listOf(row.allowed_addresses)),
  }
}

export const presentGrant = (row: ApiKeyRow | TokenRow) => ({
  scopes: scopesOf(row.scopes),
  expires_at: isoTimeOrNull(row.expires_at),
  allowed_addresses: listOf(row.allowed_addresses),
  created_by: row.created_by,
  created_at: isoTime(row.created_at),
  last_used_at: isoTimeOrNull(row.last_used_at),
})

/** Spares a busy key its look-ups; no longer, because the command line revokes keys without a message to the servers. */
const KNOWN_FOR_MS = 900
const MOST_KNOWN = 10_000
/** `last_used_at` is for people; a minute is exact enough, and a write per request is not. */
const TOUCH_EVERY_MS = 60_000

interface GrantUseOptions<K> {
  /** Reads one that may be used, by what a request sends of it. */
  readonly find: (name: string) => Promise<K | undefined>
  /** Stores that one was used now. */
  readonly touch: (uuid: string) => Promise<void>
  readonly reportError: (error: unknown) => void
}

/** Keys or tokens as requests use them: remembered for a moment, and their use recorded once a minute. */
export class GrantUse<K extends KnownToken> {
  readonly #options: GrantUseOptions<K>
  readonly #known = new LRUCache<string, K>({ max: MOST_KNOWN, ttl: KNOWN_FOR_MS })
  readonly #touched = new LRUCache<string, true>({ max: MOST_KNOWN, ttl: TOUCH_EVERY_MS })

  constructor(options: GrantUseOptions<K>) {
    this.#options = options
  }

  async find(name: string): Promise<K | undefined> {
    const known = this.#known.get(name) ?? (await this.#options.find(name))
    if (known !== undefined && !this.#known.has(name)) this.#known.set(name, known)
    return known
  }

  /** Records that one was used, in the background. */
  note(uuid: string): void {
    if (this.#touched.has(uuid)) return
    this.#touched.set(uuid, true)
    this.#options.touch(uuid).catch(this.#options.reportError)
  }

  /** Forgets all: one of them was revoked, or a workspace was removed. */
  forget(): void {
    this.#known.clear()
  }
}
