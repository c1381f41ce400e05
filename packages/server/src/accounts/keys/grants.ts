import { readScopes, type Role, type Scope } from '@waymark/contract'
import { LRUCache } from 'lru-cache'
import { type Listed, type ListRequest, listWindow, toListed } from '../../modules/owned/listing.ts'
import type { Caller, KnownToken } from '../../net/caller.ts'
import { createAddressTest } from '../../net/client-address.ts'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import type { ApiKeyRow, TokenRow } from '../../storage/db/tables.ts'
import { isoTime, isoTimeOrNull } from '../../work/times.ts'
import type { AccountMail } from '../account-mail.ts'
import { createGrantStore, type GrantRow, type GrantTable } from './grants.store.ts'

/* Shared by API keys and access tokens: scopes, expiry, addresses and a creator. */

export const jsonOrNull = (list: readonly string[] | null | undefined): string | null =>
  list == null ? null : JSON.stringify(list)

const listOf = (json: string | null): string[] | null =>
  json === null ? null : (JSON.parse(json) as string[])

const scopesOf = (json: string | null): Scope[] | null => listOf(json) as Scope[] | null

/** The rights of a stored key or token. */
export const grantOf = (row: ApiKeyRow | TokenRow): KnownToken => {
  const scopes = scopesOf(row.scopes) ?? ('scope' in row && row.scope === 'read' ? readScopes : undefined)
  return {
    uuid: row.uuid,
    // Without a creator its own uuid, which no user has.
    userUuid: row.created_by ?? row.uuid,
    workspaceUuid: row.workspace_uuid,
    ...(scopes && { scopes }),
    ...(row.by_operator === 1 && { byOperator: true }),
    ...(row.kept_role !== null && { keptRole: row.kept_role }),
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

/** Saves look-ups of a busy key. Short, because the command line revokes keys without notifying the servers. */
const KNOWN_FOR_MS = 900
const MAX_KNOWN = 10_000
/** `last_used_at` is informational: a precision of one minute is enough, and saves a write per request. */
const TOUCH_EVERY_MS = 60_000

export interface GrantDependencies {
  readonly db: Database
  readonly mail: Pick<AccountMail, 'notify'>
  /** Notifies every process that a key or token has changed. */
  readonly callerChanged: () => void
  readonly reportError: (error: unknown) => void
  readonly now: () => number
  readonly newId: () => string
}

/** Who creates a key or token: a user with a session, or the command line for a user. */
export type GrantCreator = Pick<Caller, 'workspaceUuid' | 'userUuid'> & { readonly session?: string }

interface GrantForms<Row, Known, Shown> {
  /** The form for authentication. */
  readonly known: (row: Row) => Known
  /** The form for lists. */
  readonly shown: (row: Row) => Shown
}

/** API keys or access tokens: listed, revoked, and found by the value that requests send. */
export abstract class Grants<Table extends GrantTable, Known extends KnownToken, Shown> {
  protected readonly store
  readonly #deps: GrantDependencies
  readonly #forms: GrantForms<GrantRow<Table>, Known, Shown>
  /** By the value that a request sends, or its hash. */
  readonly #known = new LRUCache<string, Known>({ max: MAX_KNOWN, ttl: KNOWN_FOR_MS })
  readonly #touched = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: TOUCH_EVERY_MS })

  constructor(table: Table, deps: GrantDependencies, forms: GrantForms<GrantRow<Table>, Known, Shown>) {
    this.#deps = deps
    this.#forms = forms
    this.store = createGrantStore(deps.db.serving, table)
  }

  async list(workspaceUuid: string, request: ListRequest): Promise<Listed<Shown>> {
    const window = listWindow(request)
    const rows = await this.store.list(workspaceUuid, window)
    return toListed(rows, window, await this.store.count(workspaceUuid), this.#forms.shown)
  }

  /** Those that are neither revoked nor expired. */
  async findAll(uuids: readonly string[]): Promise<KnownToken[]> {
    const rows: readonly (ApiKeyRow | TokenRow)[] = await this.store.findAll(uuids, this.#deps.now())
    return rows.map(grantOf)
  }

  async remove(workspaceUuid: string, uuid: string): Promise<{ uuid: string }> {
    const { db, callerChanged, now } = this.#deps
    await db.write(async () => {
      if (!(await this.store.revoke(workspaceUuid, uuid, now()))) throw new AppError('not_found')
      // A thief of the key or token may have the links.
      await this.store.removeInvitationsBy(workspaceUuid, uuid)
      db.afterCommit(callerChanged)
    })
    return { uuid }
  }

  /** Revokes all that a user created, in one workspace or in all; or keeps them with a role and without a creator. */
  async removeAll(userUuid: string, workspaceUuid?: string, keptRole?: Role): Promise<void> {
    const { db, callerChanged, now } = this.#deps
    await db.write(async () => {
      await this.store.endAll(userUuid, now(), workspaceUuid, keptRole)
      db.afterCommit(callerChanged)
    })
  }

  /** Records that one was used, in the background. */
  noteUse(uuid: string): void {
    if (this.#touched.has(uuid)) return
    this.#touched.set(uuid, true)
    const { db, now, reportError } = this.#deps
    db.write(() => this.store.touch(uuid, now())).catch(reportError)
  }

  /** Rejects the creation if its right has ended since the request was authorised; inside its write. */
  protected async requireCreator(
    { workspaceUuid, userUuid, session }: GrantCreator,
    byOperator: boolean,
  ): Promise<void> {
    const { store } = this
    const isThere = await (byOperator ? store.lockUser(userUuid) : store.lockMember(workspaceUuid, userUuid))
    if (!isThere) throw new AppError('not_found', { message: 'There is no such workspace' })
    if (session !== undefined && !(await store.hasSession(session))) throw new AppError('session_missing')
  }

  /** Clears the cache: one of them was revoked, or a workspace was deleted. */
  forget(): void {
    this.#known.clear()
  }

  protected async findSent(value: string): Promise<Known | undefined> {
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const row = await this.store.find(value)
    if (row === undefined) return undefined
    const found = this.#forms.known(row)
    this.#known.set(value, found)
    return found
  }
}
