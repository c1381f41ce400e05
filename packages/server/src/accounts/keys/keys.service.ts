import { randomBytes } from 'node:crypto'
import type { Body, Data } from '@waymark/contract/schemas'
import type { KnownKey } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { ApiKeyRow } from '../../storage/db/tables.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { GrantFilter } from './grants.store.ts'
import {
  type GrantCreator,
  type GrantDependencies,
  grantOf,
  Grants,
  jsonOrNull,
  presentGrant,
} from './grants.ts'

export type ApiKey = Data<'keys'>[number]
export type NewApiKey = Data<'generateKey'>

export interface KeyDependencies extends GrantDependencies {
  readonly secrets: Secrets
}

const random = (prefix: string, bytes: number): string => prefix + randomBytes(bytes).toString('base64url')

export class KeyService extends Grants<'api_keys', KnownKey, ApiKey> {
  readonly #deps: KeyDependencies

  constructor(deps: KeyDependencies) {
    const known = (row: ApiKeyRow): KnownKey => ({
      ...grantOf(row),
      secret: deps.secrets.open(row.secret_sealed, row.api_key),
      signatureRequired: row.signature_required === 1,
    })
    super('api_keys', deps, { known, shown: present })
    this.#deps = deps
  }

  async create(
    creator: GrantCreator,
    { name, scope, scopes, signature_required, expires_at, allowed_addresses }: Body<'generateKey'>,
    byOperator = false,
  ): Promise<NewApiKey> {
    const { db, secrets, mail, now, newId } = this.#deps
    const { workspaceUuid, userUuid } = creator
    const apiKey = random('wm_', 18)
    const secret = random('wms_', 32)
    const row: ApiKeyRow = {
      uuid: newId(),
      workspace_uuid: workspaceUuid,
      api_key: apiKey,
      secret_sealed: secrets.seal(secret, apiKey),
      name: name ?? null,
      scope: scope === 'read' ? 'read' : null,
      scopes: jsonOrNull(scopes),
      signature_required: signature_required === true ? 1 : 0,
      expires_at: expires_at ?? null,
      allowed_addresses: jsonOrNull(allowed_addresses),
      created_by: userUuid,
      by_operator: byOperator ? 1 : 0,
      kept_role: null,
      created_at: now(),
      last_used_at: null,
      revoked_at: null,
    }
    await db.write(async () => {
      await this.requireCreator(creator, byOperator)
      await this.store.insert(row)
      db.afterCommit(() => mail.notify({ userUuid }, { kind: 'key_created', name: row.name, apiKey }))
    })
    return { ...present(row), secret }
  }

  /** The rights of a key, unless it was revoked. */
  findUsable(apiKey: string): Promise<KnownKey | undefined> {
    return this.findSent(apiKey)
  }

  listAll(filter: GrantFilter): Promise<(ApiKeyRow & { email: string | null })[]> {
    return this.store.listAll(filter)
  }

  /** For the command line: revokes by the key itself. Returns what was revoked. */
  async revokeByKey(apiKey: string): Promise<ApiKeyRow> {
    const row = await this.store.find(apiKey)
    if (row === undefined) throw new AppError('not_found', { message: `There is no key ${apiKey}` })
    await this.remove(row.workspace_uuid, row.uuid)
    return row
  }
}

const present = (row: ApiKeyRow): ApiKey => ({
  uuid: row.uuid,
  api_key: row.api_key,
  name: row.name,
  scope: row.scope ?? 'write',
  signature_required: row.signature_required === 1,
  ...presentGrant(row),
})
