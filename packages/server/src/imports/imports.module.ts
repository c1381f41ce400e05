import type { DomainsModule } from '../modules/domains/domains.module.ts'
import type { LinkService } from '../modules/links/links.service.ts'
import type { Shared } from '../modules/links/links.module.ts'
import type { Core, Module } from '../modules/module.ts'
import { sweepImports } from './import-sweep.ts'
import { ImportRunner } from './import-runner.ts'
import { importRoutes } from './imports.routes.ts'
import { fileOwner, ImportService } from './imports.service.ts'
import { createImportStore } from './imports.store.ts'

/** Imports of short links. */
export function importsModule(
  core: Core,
  {
    events,
    quotas,
    links,
    domains,
  }: Shared & { readonly links: LinkService; readonly domains: DomainsModule },
): Module & { readonly service: ImportService; readonly runner: ImportRunner } {
  const { db, blobs, tombstones, secrets, changes, now, newId, reportError } = core
  const store = createImportStore(db)
  const planning = { store, links, domains: domains.service, tombstones, db, blobs, secrets, now }
  const runner = new ImportRunner({
    ...planning,
    events,
    quotas,
    changes,
    holder: newId(),
    report: reportError,
  })
  const service = new ImportService({ ...planning, newId, wake: () => runner.wake() })
  return {
    service,
    runner,
    routes: importRoutes(service),
    jobs: [
      {
        name: 'imports',
        cron: '15 * * * *',
        run: (signal) => sweepImports({ db, store, blobs, now }, signal),
      },
    ],
    erase: async (userUuid) => {
      const row = await store.someOf(userUuid)
      if (row === undefined) return false
      await blobs.release(fileOwner(row.uuid))
      const uuids = await store.someLinks(row.uuid, 500)
      if (uuids.length > 0) await store.removeLinks(row.uuid, uuids)
      else await store.remove(row.uuid)
      return true
    },
    measure: ({ watch }) =>
      watch(
        'waymark_import_longest_hold_ms',
        'Longest time that a batch of an import kept other writes waiting',
        () => Math.round(runner.longestHoldMs),
      ),
    // A command that only changes something leaves the running to the servers.
    start: (closing) => {
      runner.start()
      closing.defer(() => runner.close())
    },
  }
}
