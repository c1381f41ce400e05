import { createHash, randomBytes } from 'node:crypto'
import type { Body, Data } from '@waymark/contract/schemas'
import { LRUCache } from 'lru-cache'
import { type Listed, type ListRequest, listWindow, toListed } from '../../modules/owned/listing.ts'
import type { Caller, KnownToken } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import { DAY_MS } from '../../work/times.ts'
import type { AccountMail } from '../account-mail.ts'
import { grantOf, jsonOrNull, presentGrant } from './grants.ts'
import type { TokenRow, TokenStore } from './tokens.store.ts'

type AccessToken = Data<'tokens'>[number]

const DEFAULT_LIFE_MS = 90 * DAY_MS
/** As long as a key is remembered, for the same reason. */
const KNOWN_FOR_MS = 900
const KNOWN_TOKENS = 10_000
const TOUCH_EVERY_MS = 60_000

export interface TokenDependencies {
  readonly db: Database
  readonly store: TokenStore
  readonly mail: Pick<AccountMail, 'notify'>
  /** Tells every process that a token is no longer what it was. */
  readonly callerChanged: () => void
  readonly reportError: (error: unknown) => void
  readonly now: () => number
  readonly newId: () => string
}

/** Fast on purpose: a token has 256 random bits, so guessing it is not possible. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Access tokens: they take the place of a key and signature in tools that cannot sign. */
export class TokenService {
  readonly #deps: TokenDependencies
  readonly #known = new LRUCache<string, KnownToken>({ max: KNOWN_TOKENS, ttl: KNOWN_FOR_MS })
  readonly #touched = new LRUCache<string, true>({ max: KNOWN_TOKENS, ttl: TOUCH_EVERY_MS })

  constructor(deps: TokenDependencies) {
    this.#deps = deps
  }

  async create(
    { workspaceUuid, userUuid }: Pick<Caller, 'workspaceUuid' | 'userUuid'>,
    { name, scopes, expires_at, allowed_addresses }: Body<'generateToken'>,
  ): Promise<Data<'generateToken'>> {
    const { db, store, mail, now, newId } = this.#deps
    const token = `wmt_${randomBytes(32).toString('base64url')}`
    const at = now()
    const row: TokenRow = {
      uuid: newId(),
      workspace_uuid: workspaceUuid,
      token_hash: hashOf(token),
      name: name ?? null,
      scopes: jsonOrNull(scopes),
      expires_at: expires_at === 'never' ? null : (expires_at ?? at + DEFAULT_LIFE_MS),
      allowed_addresses: jsonOrNull(allowed_addresses),
      created_by: userUuid,
      created_at: at,
      last_used_at: null,
      revoked_at: null,
    }
    await db.write(async () => {
      await store.insert(row)
      db.afterCommit(() => mail.notify({ userUuid }, { kind: 'token_created', name: row.name }))
    })
    return { ...present(row), token }
  }

  async list(workspaceUuid: string, request: ListRequest): Promise<Listed<AccessToken>> {
    const { store } = this.#deps
    const window = listWindow(request)
    return toListed(
      await store.list(workspaceUuid, window),
      window,
      await store.count(workspaceUuid),
      present,
    )
  }

  async remove(workspaceUuid: string, uuid: string): Promise<{ uuid: string }> {
    const { db, store, callerChanged, now } = this.#deps
    await db.write(async () => {
      if (!(await store.revoke(workspaceUuid, uuid, now()))) throw new AppError('not_found')
      db.afterCommit(callerChanged)
    })
    return { uuid }
  }

  /** Revokes every token that a user created, in one workspace or in all; or makes them another user's. */
  async removeAll(userUuid: string, workspaceUuid?: string, heirUuid?: string): Promise<void> {
    const { db, store, callerChanged, now } = this.#deps
    await db.write(async () => {
      await store.endAll(userUuid, now(), workspaceUuid, heirUuid)
      db.afterCommit(callerChanged)
    })
  }

  /** What a token allows, if it was not revoked. */
  async findUsable(token: string): Promise<KnownToken | undefined> {
    const hash = hashOf(token)
    const cached = this.#known.get(hash)
    if (cached !== undefined) return cached
    const row = await this.#deps.store.findByHash(hash)
    if (row === undefined) return undefined
    const known = grantOf(row)
    this.#known.set(hash, known)
    return known
  }

  /** Records that a token was used, in the background. */
  noteUse(uuid: string): void {
    if (this.#touched.has(uuid)) return
    this.#touched.set(uuid, true)
    const { db, store, now, reportError } = this.#deps
    db.write(() => store.touch(uuid, now())).catch(reportError)
  }

  /** Forgets every token: one of them was revoked, or a workspace was removed. */
  forget(): void {
    this.#known.clear()
  }
}

const present = (row: TokenRow): AccessToken => ({ uuid: row.uuid, name: row.name, ...presentGrant(row) })
