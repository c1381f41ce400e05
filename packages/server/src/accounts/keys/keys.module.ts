import type { Core, Module } from '../../modules/module.ts'
import type { AccountMail } from '../account-mail.ts'
import { keyRoutes } from './keys.routes.ts'
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
