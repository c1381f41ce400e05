import { createHash, randomBytes } from 'node:crypto'
import type { Body, Data } from '@waymark/contract/schemas'
import { type Listed, type ListRequest, listWindow, toListed } from '../../modules/owned/listing.ts'
import type { Caller, KnownToken } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import { DAY_MS } from '../../work/times.ts'
import type { AccountMail } from '../account-mail.ts'
import { grantOf, GrantUse, jsonOrNull, presentGrant } from './grants.ts'
import type { TokenRow, TokenStore } from './tokens.store.ts'

type AccessToken = Data<'tokens'>[number]

const DEFAULT_LIFE_MS = 90 * DAY_MS

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
  /** By the hash of a token. */
  readonly use: GrantUse<KnownToken>

  constructor(deps: TokenDependencies) {
    this.#deps = deps
    const { db, store, now, reportError } = deps
    this.use = new GrantUse({
      find: async (hash) => {
        const row = await store.findByHash(hash)
        return row && grantOf(row)
      },
      touch: (uuid) => db.write(() => store.touch(uuid, now())),
      reportError,
    })
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
  findUsable(token: string): Promise<KnownToken | undefined> {
    return this.use.find(hashOf(token))
  }
}

const present = (row: TokenRow): AccessToken => ({ uuid: row.uuid, name: row.name, ...presentGrant(row) })
