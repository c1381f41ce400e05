import { created, done, listed, on, type Routes } from '../../api/routes.ts'
import type { Core, Module } from '../../modules/module.ts'
import type { Caller } from '../../net/caller.ts'
import type { AccountMail } from '../account-mail.ts'
import { KeyService } from './keys.service.ts'
import { TokenService } from './tokens.service.ts'

/** API keys and access tokens. */
export function keysModule(
  core: Core,
  mail: AccountMail,
  requireConfirmed: (userUuid: string) => Promise<void>,
): Module & { readonly service: KeyService; readonly tokens: TokenService } {
  const { db, secrets, changes, reportError, now, newId } = core
  const deps = { db, mail, callerChanged: changes.caller, reportError, now, newId }
  const service = new KeyService({ ...deps, secrets })
  const tokens = new TokenService(deps)
  const forget = (): void => {
    service.forget()
    tokens.forget()
  }
  changes.onCaller(forget)
  changes.onMissed(forget)
  return { service, tokens, routes: keyRoutes(service, tokens, requireConfirmed) }
}

/** Only sessions create keys and tokens. */
const creatorOf = ({ workspaceUuid, userUuid, uuid }: Caller) => ({ workspaceUuid, userUuid, session: uuid })

const keyRoutes = (
  keys: KeyService,
  tokens: TokenService,
  requireConfirmed: (userUuid: string) => Promise<void>,
): Routes => [
  on('keys', ({ caller, query }) => listed('API keys', keys.list(caller.workspaceUuid, query))),
  on('generateKey', async ({ caller, body }) => {
    await requireConfirmed(caller.userUuid)
    const key = keys.create(creatorOf(caller), body)
    return created('API key created; its secret is not shown again', key)
  }),
  on('tokens', ({ caller, query }) => listed('Access tokens', tokens.list(caller.workspaceUuid, query))),
  on('generateToken', async ({ caller, body }) => {
    await requireConfirmed(caller.userUuid)
    return created('Access token created; it is not shown again', tokens.create(creatorOf(caller), body))
  }),
  on('removeToken', ({ caller, body }) =>
    done('Access token revoked', tokens.remove(caller.workspaceUuid, body.uuid)),
  ),
  on('removeKey', ({ caller, body }) =>
    done('API key revoked', keys.remove(caller.workspaceUuid, body.uuid)),
  ),
]
