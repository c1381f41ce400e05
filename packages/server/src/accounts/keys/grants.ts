import { readScopes, type Scope } from '@waymark/contract'
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
