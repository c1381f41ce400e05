import { BatchJobs, type Permits } from '../../work/jobs/batch-jobs.ts'
import type { DomainsModule } from '../domains/domains.module.ts'
import type { Shared } from '../links/links.module.ts'
import type { LinkService } from '../links/links.service.ts'
import type { Core, Module } from '../module.ts'
import { ImportJob, sweepImports } from './import-job.ts'
import { fileOwner, ImportService, ignoredOf } from './imports.service.ts'
import { createImportStore, type ImportRow } from './imports.store.ts'
import { done, listed, on, type Routes } from '../../api/routes.ts'

/** Imports of short links. */
export function importsModule(
  core: Core,
  {
    events,
    quotas,
    links,
    domains,
    permits,
  }: Shared & {
    readonly links: LinkService
    readonly domains: DomainsModule
    readonly permits: Permits
  },
): Module & { readonly service: ImportService; readonly runner: BatchJobs<ImportRow> } {
  const { db, blobs, tombstones, secrets, changes, disk, now, newId, reportError } = core
  const store = createImportStore(db)
  const planning = { store, links, domains: domains.service, tombstones, db, blobs, secrets, quotas, now }
  const job = new ImportJob({ ...planning, events, changes, hasRoom: () => disk.hasRoomForRows() })
  const runner = new BatchJobs(job, { db, holder: newId(), permits, report: reportError })
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
    erase: async (workspaceUuid) => {
      const row = await store.someOf(workspaceUuid)
      if (row === undefined) return false
      // End it first: a running import would continue to create links.
      if (row.state !== 'failed') {
        await store.update(row, { state: 'failed' })
        return true
      }
      await blobs.release(fileOwner(row.uuid))
      const uuids = await store.someLinks(row.uuid, 500)
      if (uuids.length > 0) await store.removeLinks(row.uuid, uuids)
      else await store.remove(row.uuid)
      return true
    },
    measure: ({ watch }) =>
      watch(
        'waymark_import_longest_hold_ms',
        'Longest time that a batch of an import had its transaction open',
        () => Math.round(runner.longestHoldMs),
      ),
    // Commands leave running imports to the servers.
    start: (closing) => {
      runner.start()
      closing.defer(() => runner.close())
    },
  }
}

const messages = {
  done: 'Short links imported',
  ready: 'The file was read; run the import to create the links',
  running: 'The import runs in the background',
} as const

const importRoutes = (imports: ImportService): Routes => [
  on('importLinks', {
    prepare: ({ caller, body }) => imports.prepare(caller, body),
    undo: (prepared) => imports.discard(prepared),
    run: async ({ caller }, prepared) => {
      const result = await imports.create(caller.workspaceUuid, prepared)
      const { state } = result.import
      const message = state === 'ready' || state === 'running' ? messages[state] : messages.done
      const ignored = ignoredOf(prepared.columns)
      const payload = { status: 'success', message, data: result.links, import: result.import } as const
      return { status: 201, payload: { ...payload, ...(ignored.length > 0 && { ignored }) } }
    },
  }),
  on('imports', ({ caller, query }) => listed('Imports', imports.list(caller.workspaceUuid, query))),
  on('runImport', ({ caller, body }) => done('Import started', imports.run(caller, body))),
  on('undoImport', ({ caller, body }) =>
    done('The links of this import are being removed', imports.undo(caller.workspaceUuid, body.uuid)),
  ),
]
