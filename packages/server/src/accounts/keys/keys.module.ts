import { created, done, listed, on, type Routes } from '../../api/routes.ts'
import type { Core, Module } from '../../modules/module.ts'
import type { AccountMail } from '../account-mail.ts'
import { KeyService } from './keys.service.ts'
import { createKeyStore } from './keys.store.ts'

/** API keys. */
export function keysModule(
  core: Core,
  mail: AccountMail,
  requireConfirmed: (userUuid: string) => Promise<void>,
): Module & { readonly service: KeyService } {
  const { db, secrets, changes, reportError, now, newId } = core
  const callerChanged = changes.caller
  const service = new KeyService({
    db,
    store: createKeyStore(db),
    secrets,
    mail,
    callerChanged,
    reportError,
    now,
    newId,
  })
  changes.onCaller(() => service.forget())
  changes.onMissed(() => service.forget())
  return { service, routes: keyRoutes(service, requireConfirmed) }
}

const keyRoutes = (keys: KeyService, requireConfirmed: (userUuid: string) => Promise<void>): Routes => [
  on('keys', ({ caller, query }) => listed('API keys', keys.list(caller.workspaceUuid, query))),
  on('generateKey', async ({ caller, body }) => {
    await requireConfirmed(caller.userUuid)
    const key = keys.create(caller, body)
    return created('API key created; its secret is not shown again', key)
  }),
  on('removeKey', ({ caller, body }) =>
    done('API key revoked', keys.remove(caller.workspaceUuid, body.uuid)),
  ),
]
