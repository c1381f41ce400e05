import { createEndAccess, createRequireWayIn, createValidCallers } from '../accounts/access.ts'
import { openAccountMail } from '../accounts/account-mail.ts'
import { auditModule } from '../accounts/audit/audit.module.ts'
import { brandKitModule } from '../accounts/brand-kit/brand-kit.module.ts'
import { factorsModule } from '../accounts/factors/factors.module.ts'
import { keysModule } from '../accounts/keys/keys.module.ts'
import { identitiesModule } from '../accounts/oidc/identities.module.ts'
import { KnownBrowsers } from '../accounts/known-browsers.ts'
import { SecurityEvents } from '../accounts/security-events.ts'
import { sessionsModule } from '../accounts/sessions/sessions.module.ts'
import { accountsModule } from '../accounts/users/accounts.module.ts'
import { hasClicksLeft } from '../clicks/click-limits.ts'
import { openCountries } from '../clicks/attributes/countries.ts'
import { remembered } from '../clicks/attributes/headers.ts'
import { Rights } from '../api/rights.ts'
import { on } from '../api/routes.ts'
import { abuseModule } from '../modules/abuse/abuse.module.ts'
import { analyticsModule } from '../modules/analytics/analytics.module.ts'
import { barcodesModule } from '../modules/barcodes/barcodes.module.ts'
import { bulkEditsModule } from '../modules/bulk-edits/bulk-edits.module.ts'
import { codeFilesModule } from '../modules/code-files/code-files.module.ts'
import { domainsModule } from '../modules/domains/domains.module.ts'
import { importsModule } from '../modules/imports/imports.module.ts'
import { linksModule } from '../modules/links/links.module.ts'
import type { Core, Module } from '../modules/module.ts'
import { createTrashStore } from '../modules/owned/trash.store.ts'
import { readPageLabels } from '../modules/pages/page-labels.ts'
import { pagesModule } from '../modules/pages/pages.module.ts'
import { qrcodesModule } from '../modules/qrcodes/qrcodes.module.ts'
import { sharedStatisticsModule } from '../modules/shared-statistics/shared-statistics.module.ts'
import { takeoutModule } from '../modules/takeout/takeout.module.ts'
import { trashModule } from '../modules/trash/trash.module.ts'
import { utmModule } from '../modules/utm/utm.module.ts'
import { webhooksModule } from '../modules/webhooks/webhooks.module.ts'
import type { Lookup } from '../visitors/links/lookup.ts'
import { openLookup } from '../visitors/links/open-lookup.ts'
import type { IsBlocked } from '../visitors/links/routing.ts'
import { createSimulation } from '../visitors/links/simulate.ts'

export type Modules = Awaited<ReturnType<typeof openModules>>

/** Opens every module. A new resource is one folder in modules/ and one line in the list below. */
export async function openModules(core: Core) {
  const { db, now, newId } = core
  const countryOf = remembered(REMEMBERED_ADDRESSES, openCountries())
  const securityEvents = new SecurityEvents({ db, countryOf, now, newId })
  const mail = openAccountMail(core, securityEvents)
  const browsers = new KnownBrowsers(core.secrets, core.config.baseUrl.startsWith('https:'))
  const accounts = accountsModule(core, {
    mail,
    browsers,
    endAccess: (userUuid, kept) => endAccess(userUuid, kept),
    replaceSession: (caller) => sessions.service.replace(caller),
    endMembership: async (userUuid, workspaceUuid, keptRole) => {
      await keys.service.removeAll(userUuid, workspaceUuid, keptRole)
      await keys.tokens.removeAll(userUuid, workspaceUuid, keptRole)
    },
    hasFactor: (userUuid) => factors.service.hasFactor(userUuid),
    // Last in, first out: pages before their links, links before their clicks, without events.
    erasers: () => list.toReversed().flatMap(({ erase }) => erase ?? []),
  })
  const { quotas } = accounts
  const audit = auditModule(core)
  const requireConfirmed = (userUuid: string) => accounts.service.requireConfirmed(userUuid)
  const keys = keysModule(core, mail, requireConfirmed)
  const domains = await domainsModule(core, accounts)
  const trashStore = createTrashStore(core.db)
  const webhooks = await webhooksModule(
    core,
    { trash: trashStore, quotas, record: audit.service.recordOwn },
    requireConfirmed,
  )
  const abuse = await abuseModule(core, accounts)
  const { isSuspended } = abuse.registry
  const factors = factorsModule(core, {
    mail,
    users: accounts.users,
    requireWayIn: (userUuid) => requireWayIn(userUuid),
  })
  const identities = identitiesModule(core, {
    accounts,
    factors: factors.store,
    requireWayIn: (userUuid) => requireWayIn(userUuid),
    mail,
    record: audit.service.recordOwn,
  })
  const sessions = sessionsModule(core, {
    accounts,
    factors: factors.service,
    passkeys: factors.passkeys,
    identities: identities.service,
    mail,
    browsers,
    events: securityEvents,
    record: audit.service.recordOwn,
    isSuspended,
  })
  const endAccess = createEndAccess({
    sessions: sessions.service,
    factors: factors.service,
    identities: identities.service,
    keys: keys.service,
    tokens: keys.tokens,
    workspaces: accounts.workspaces,
    webhooks: webhooks.service,
  })
  const requireWayIn = createRequireWayIn({
    users: accounts.users,
    passkeys: factors.passkeys,
    identities: identities.service,
    passwordSignIn: core.config.passwordSignIn,
  })
  const memberships = {
    membershipsOf: (userUuid: string) => accounts.memberships.of(userUuid),
    isSuspended,
  }
  const validCallers = createValidCallers({
    keys: keys.service,
    tokens: keys.tokens,
    sessions: sessions.service,
  })
  const rights = new Rights({ validCallers, memberships, report: core.reportError })
  core.changes.onCaller(() => void rights.check().catch(core.reportError))
  const { events } = webhooks
  const lookup = openLinkLookup(core, countryOf, (link) => abuse.registry.blockOf(link) !== undefined)
  const simulate = createSimulation(lookup, (linkId, most) => hasClicksLeft(core.db, linkId, most))
  const links = linksModule(core, { abuse, events, quotas, trash: trashStore, domains, simulate })
  const shared = { events, quotas, trash: trashStore, links: links.service }
  const permits = rights.permitsJob.bind(rights)
  const imports = importsModule(core, { ...shared, domains, permits })
  const qrcodes = qrcodesModule(core, shared)
  const barcodes = barcodesModule(core, shared)
  const utm = utmModule(core, shared)
  const pages = pagesModule(core, { ...shared, qrcodes: qrcodes.service, domains: domains.service })
  const owned = [links, qrcodes, barcodes, utm, pages, webhooks].map(({ service }) => service.owned)
  const trash = trashModule(core, trashStore, owned, audit.service.recordOwn)
  const analytics = analyticsModule(core, {
    labelsOf: (workspaceUuid, uuid) => readPageLabels(core.db, workspaceUuid, uuid),
    clickedLinks: (workspaceUuid, uuids) => links.service.named(workspaceUuid, uuids),
  })
  const brandKit = brandKitModule(core, accounts.workspaces)
  const sharedStatistics = sharedStatisticsModule(core, {
    analytics: analytics.service,
    isSuspended,
    brandOf: (workspaceUuid) => brandKit.service.get(workspaceUuid),
    shortUrl: (name) => links.service.shortUrl(name),
    pageUrl: (name) => pages.service.urlOf(name),
  })
  const bulkEdits = bulkEditsModule(core, { events, links, domains, trash: trash.service, permits })
  const list: readonly Module[] = [
    healthModule,
    accounts,
    audit,
    brandKit,
    sessions,
    factors,
    identities,
    keys,
    domains,
    analytics,
    sharedStatistics,
    abuse,
    links,
    bulkEdits,
    imports,
    barcodes,
    qrcodes,
    codeFilesModule(core, { ...shared, qrcodes, barcodes }),
    utm,
    pages,
    trash,
    webhooks,
    takeoutModule(core, accounts, () => list.flatMap(({ routes }) => routes)),
  ]
  const resources = { links, imports, qrcodes, barcodes, utm, pages, trash }
  return {
    list,
    lookup,
    rights,
    memberships,
    abuse,
    accounts,
    audit,
    analytics,
    sessions,
    factors,
    identities,
    keys,
    domains,
    webhooks,
    ...resources,
  }
}

/** Number of addresses whose country is cached: a look-up takes a few microseconds. */
const REMEMBERED_ADDRESSES = 5_000

/** Finds the target of a short code, for redirects and simulations. */
function openLinkLookup(
  { db, secrets, tombstones }: Core,
  countryOf: (address: string) => string,
  isBlocked: IsBlocked,
): Lookup {
  return openLookup(db, (domain, shortCode) => tombstones.hash(['code', domain, shortCode]), {
    countryOf,
    visitorHash: (text) => secrets.number('variant', text),
    isBlocked,
  })
}

/** The published health check. */
const healthModule: Module = {
  routes: [
    on('healthcheck', () =>
      Promise.resolve({
        status: 200,
        payload: { status: 'success', message: 'The system is healthy and operational' },
      }),
    ),
  ],
}
