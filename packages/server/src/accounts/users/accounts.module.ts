import { setTimeout as delay } from 'node:timers/promises'
import { type Role, sites } from '@waymark/contract'
import type { Core, Erase, Module } from '../../modules/module.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Caller } from '../../net/caller.ts'
import { Background } from '../../work/background.ts'
import type { EndAccess } from '../access.ts'
import type { AccountMail } from '../account-mail.ts'
import type { KnownBrowsers } from '../known-browsers.ts'
import { accountRoutes, invoiceSite } from './accounts.routes.ts'
import { AccountService } from './accounts.service.ts'
import { InvoiceService } from './invoices.service.ts'
import { createInvoiceStore } from './invoices.store.ts'
import { createQuotas, type Quotas } from './quotas.ts'
import { RemovalService } from './removal.service.ts'
import { workspacesModule } from './workspaces.module.ts'
import { MembershipCache, WorkspaceService } from './workspaces.service.ts'
import { createWorkspaceStore, type WorkspaceStore } from './workspaces.store.ts'
import { createStorageQuota, type StorageQuota } from './storage-quota.ts'
import { createUserStore, type UserStore } from './users.store.ts'

interface AccountLinks {
  readonly hasFactor: (userUuid: string) => Promise<boolean>
  /** Revokes the keys and tokens that a user created, in one workspace or in all, or keeps them with a role. */
  readonly endMembership: (userUuid: string, workspaceUuid?: string, keptRole?: Role) => Promise<void>
  readonly mail: AccountMail
  readonly browsers: KnownBrowsers
  readonly endAccess: EndAccess
  /** Replaces the session that has changed the password, and returns the cookie of the new one. */
  readonly replaceSession: (caller: Caller) => Promise<string>
  /** Erases the user's data in the other modules, in this order. */
  readonly erasers: () => readonly Erase[]
}

export interface AccountsModule extends Module {
  readonly service: AccountService
  readonly users: UserStore
  readonly workspaces: WorkspaceStore
  readonly memberships: MembershipCache
  readonly workspaceService: WorkspaceService
  readonly quotas: Quotas
  readonly storage: StorageQuota
  readonly removal: RemovalService
}

const PURGE_TRIES = 60
const PURGE_RETRY_MS = 1_000
const ERASE_BEFORE_RESPONSE_MS = 10_000

/** The log is purged within a minute; at first another connection may be reading it. */
async function purgeLogSoon(db: Database, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < PURGE_TRIES && !signal.aborted; tries++) {
    if (await db.purgeLog()) return
    await delay(PURGE_RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Erases a small account before its response, and the rest of a large one afterwards. */
const erasingInTime = (background: Background, erase: RemovalService['erase']) => async (uuid: string) => {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  background.start(() => erase(uuid, background.closing).finally(resolve))
  await Promise.race([ended, delay(ERASE_BEFORE_RESPONSE_MS, undefined, { ref: false })])
}

/** Profiles, plans, invoices, and the deletion of accounts. */
export function accountsModule(core: Core, links: AccountLinks): AccountsModule {
  const { mail, browsers, endAccess, replaceSession, endMembership, hasFactor, erasers } = links
  const { config, db, blobs, changes, mediaUrl, now, newId, secrets, tombstones } = core
  const { plans, seller, baseUrl } = config
  const users = createUserStore(db)
  const workspaces = createWorkspaceStore(db)
  const store = createInvoiceStore(db)
  const issuer = {
    db,
    store,
    workspaces,
    plans,
    seller,
    secrets,
    baseUrl,
    invoicePath: sites.invoice,
    now,
    newId,
  }
  const invoices = new InvoiceService(issuer)
  const service = new AccountService({
    db,
    users,
    workspaces,
    invoices,
    plans,
    blobs,
    mediaUrl,
    limits: core.limits,
    mail,
    endAccess,
    now,
    newId,
  })
  const accountRemoved = (): void => {
    changes.caller()
    changes.owners()
  }
  const background = new Background(core.reportError)
  core.closing.defer(() => background.close())
  const erased = (): void => background.start(() => purgeLogSoon(db, background.closing))
  const removal = new RemovalService({
    db,
    blobs,
    users,
    workspaces,
    invoices: store,
    erasers,
    endMembership,
    tombstones,
    accountRemoved,
    erased,
    now,
    newId,
  })
  const eraseUser = erasingInTime(background, (uuid, signal) => removal.erase(uuid, signal))
  const eraseWorkspace = erasingInTime(background, (uuid, signal) => removal.eraseWorkspace(uuid, signal))
  const workspaceService = new WorkspaceService({
    db,
    store: workspaces,
    users,
    invoices,
    plans,
    limits: core.limits,
    mail,
    endMembership,
    hasFactor,
    callerChanged: changes.caller,
    dashboardUrl: baseUrl + sites.dashboard,
    now,
    newId,
  })
  const memberships = new MembershipCache(workspaces, hasFactor)
  changes.onCaller(() => memberships.forget())
  changes.onMissed(() => memberships.forget())
  const { routes } = workspacesModule({
    service: workspaceService,
    removal,
    erase: eraseWorkspace,
    requireConfirmed: (userUuid) => service.requireConfirmed(userUuid),
  })
  return {
    service,
    users,
    workspaces,
    removal,
    quotas: createQuotas(db, workspaces, plans),
    storage: createStorageQuota(db, workspaces, plans, now),
    memberships,
    workspaceService,
    routes: [...accountRoutes(service, invoices, removal, eraseUser, browsers, replaceSession), ...routes],
    sites: [invoiceSite(invoices)],
    jobs: [
      { name: 'removals', cron: '5 * * * *', atTakeover: true, run: (signal) => removal.resume(signal) },
      { name: 'invoices', cron: '10 0 * * *', run: (signal) => invoices.issueAllDue(signal) },
    ],
  }
}
