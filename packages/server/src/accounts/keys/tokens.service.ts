import { createHash, randomBytes } from 'node:crypto'
import type { Body, Data } from '@waymark/contract/schemas'
import type { KnownToken } from '../../net/caller.ts'
import type { TokenRow } from '../../storage/db/tables.ts'
import { DAY_MS } from '../../work/times.ts'
import {
  type GrantCreator,
  type GrantDependencies,
  grantOf,
  Grants,
  jsonOrNull,
  presentGrant,
} from './grants.ts'

type AccessToken = Data<'tokens'>[number]

const DEFAULT_LIFE_MS = 90 * DAY_MS

/** A fast hash is enough: a token has 256 random bits and cannot be guessed. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Access tokens: they replace key and signature in tools that cannot sign. */
export class TokenService extends Grants<'tokens', KnownToken, AccessToken> {
  readonly #deps: GrantDependencies

  constructor(deps: GrantDependencies) {
    super('tokens', deps, { known: grantOf, shown: present })
    this.#deps = deps
  }

  async create(
    creator: GrantCreator,
    { name, scopes, expires_at, allowed_addresses }: Body<'generateToken'>,
    byOperator = false,
  ): Promise<Data<'generateToken'>> {
    const { db, mail, now, newId } = this.#deps
    const { workspaceUuid, userUuid } = creator
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
      by_operator: byOperator ? 1 : 0,
      kept_role: null,
      created_at: at,
      last_used_at: null,
      revoked_at: null,
    }
    await db.write(async () => {
      await this.requireCreator(creator, byOperator)
      await this.store.insert(row)
      db.afterCommit(() => mail.notify({ userUuid }, { kind: 'token_created', name: row.name }))
    })
    return { ...present(row), token }
  }

  /** The rights of a token, unless it was revoked. */
  findUsable(token: string): Promise<KnownToken | undefined> {
    return this.findSent(hashOf(token))
  }
}

const present = (row: TokenRow): AccessToken => ({ uuid: row.uuid, name: row.name, ...presentGrant(row) })
