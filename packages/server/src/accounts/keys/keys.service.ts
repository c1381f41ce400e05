import { randomBytes } from 'node:crypto'
import type { Body, Data } from '@waymark/contract/schemas'
import { type Listed, type ListRequest, listWindow, toListed } from '../../modules/owned/listing.ts'
import type { Caller, KnownKey } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { AccountMail } from '../account-mail.ts'
import { grantOf, GrantUse, jsonOrNull, presentGrant } from './grants.ts'
import type { ApiKeyRow, KeyStore } from './keys.store.ts'

export type ApiKey = Data<'keys'>[number]
export type NewApiKey = Data<'generateKey'>

export interface KeyDependencies {
  readonly db: Database
  readonly store: KeyStore
  readonly secrets: Secrets
  readonly mail: Pick<AccountMail, 'notify'>
  /** Tells every process that a key is no longer what it was. */
  readonly callerChanged: () => void
  readonly reportError: (error: unknown) => void
  readonly now: () => number
  readonly newId: () => string
}

const random = (prefix: string, bytes: number): string => prefix + randomBytes(bytes).toString('base64url')

export class KeyService {
  readonly #deps: KeyDependencies
  /** By API key. */
  readonly use: GrantUse<KnownKey>

  constructor(deps: KeyDependencies) {
    this.#deps = deps
    const { db, store, now, reportError } = deps
    this.use = new GrantUse({
      find: (apiKey) => this.#find(apiKey),
      touch: (uuid) => db.write(() => store.touch(uuid, now())),
      reportError,
    })
  }

  async create(
    { workspaceUuid, userUuid }: Pick<Caller, 'workspaceUuid' | 'userUuid'>,
    { name, scope, scopes, signature_required, expires_at, allowed_addresses }: Body<'generateKey'>,
    byOperator = false,
  ): Promise<NewApiKey> {
    const { db, store, secrets, mail, now, newId } = this.#deps
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
      created_at: now(),
      last_used_at: null,
      revoked_at: null,
    }
    await db.write(async () => {
      await store.insert(row)
      db.afterCommit(() => mail.notify({ userUuid }, { kind: 'key_created', name: row.name, apiKey }))
    })
    return { ...present(row), secret }
  }

  async list(workspaceUuid: string, request: ListRequest): Promise<Listed<ApiKey>> {
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
      if ((await store.revoke(workspaceUuid, uuid, now())) === undefined) throw new AppError('not_found')
      db.afterCommit(callerChanged)
    })
    return { uuid }
  }

  /** Revokes every key that a user created, in one workspace or in all; or makes them another user's. */
  async removeAll(userUuid: string, workspaceUuid?: string, heirUuid?: string): Promise<void> {
    const { db, store, callerChanged, now } = this.#deps
    await db.write(async () => {
      await store.endAll(userUuid, now(), workspaceUuid, heirUuid)
      db.afterCommit(callerChanged)
    })
  }

  listAll(email: string | undefined): Promise<(ApiKeyRow & { email: string })[]> {
    return this.#deps.store.listAll(email)
  }

  /** The command line's way, by the key itself. Returns what was revoked. */
  async revokeByKey(apiKey: string): Promise<ApiKeyRow> {
    const row = await this.#deps.store.findByKey(apiKey)
    if (row === undefined) throw new AppError('not_found', { message: `There is no key ${apiKey}` })
    await this.remove(row.workspace_uuid, row.uuid)
    return row
  }

  async #find(apiKey: string): Promise<KnownKey | undefined> {
    const row = await this.#deps.store.findByKey(apiKey)
    if (row === undefined) return undefined
    return {
      ...grantOf(row),
      secret: this.#deps.secrets.open(row.secret_sealed, row.api_key),
      ...(row.by_operator === 1 && { byOperator: true }),
      signatureRequired: row.signature_required === 1,
    }
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
