import { done, listed, on, type Routes } from '../../api/routes.ts'
import { BatchJobs, type Permits } from '../../work/jobs/batch-jobs.ts'
import { DAY_MS } from '../../work/times.ts'
import type { DomainsModule } from '../domains/domains.module.ts'
import type { LinksModule } from '../links/links.module.ts'
import type { Core, Module } from '../module.ts'
import type { Events } from '../owned/events.ts'
import type { TrashService } from '../trash/trash.service.ts'
import { BulkEditJob } from './bulk-edit-job.ts'
import { BulkEditService } from './bulk-edits.service.ts'
import { createBulkEditStore } from './bulk-edits.store.ts'

interface BulkEditNeeds {
  readonly events: Events
  readonly links: LinksModule
  readonly domains: DomainsModule
  readonly trash: TrashService
  readonly permits: Permits
}

/** How long a bulk edit stays listed and can be undone. */
const KEPT_MS = 30 * DAY_MS
const AT_ONCE = 20
const LINKS_AT_ONCE = 500

/** Changes many links at once. */
export function bulkEditsModule(
  core: Core,
  { events, links, domains, trash, permits }: BulkEditNeeds,
): Module {
  const { db, changes, now, newId, reportError } = core
  const store = createBulkEditStore(db)
  const writing = {
    now,
    db,
    events,
    changes,
    links: links.service,
    linkStore: links.store,
    history: links.history,
  }
  const deps = { ...writing, store, domains: domains.service }
  const job = new BulkEditJob({ ...deps, trash })
  const runner = new BatchJobs(job, { db, holder: newId(), permits, report: reportError })
  const service = new BulkEditService({ ...deps, newId, wake: () => runner.wake() })
  /** Deletes some data of a bulk edit, and finally its row; false when nothing is left. */
  const forgetSome = async (uuid: string): Promise<boolean> => {
    const some = await store.someLinks(uuid, LINKS_AT_ONCE)
    await store.removeLinks(
      uuid,
      some.map(({ link_uuid }) => link_uuid),
    )
    if (some.length === 0) await store.remove(uuid)
    return some.length > 0
  }
  return {
    routes: bulkEditRoutes(service),
    jobs: [
      {
        name: 'bulk-edits',
        cron: '35 * * * *',
        async run(signal) {
          for (const { uuid } of await store.olderThan(now() - KEPT_MS, AT_ONCE))
            while (!signal.aborted && (await db.write(() => forgetSome(uuid))));
        },
      },
    ],
    erase: async (workspaceUuid) => {
      const row = await store.someOf(workspaceUuid)
      if (row === undefined) return false
      // End it first: a running bulk edit would continue to change links.
      if (row.state !== 'failed') await store.update(row, { state: 'failed' })
      else await forgetSome(row.uuid)
      return true
    },
    measure: ({ watch }) =>
      watch(
        'waymark_bulk_edit_longest_hold_ms',
        'Longest time that a batch of a bulk edit had its transaction open',
        () => Math.round(runner.longestHoldMs),
      ),
    // Commands leave running bulk edits to the servers.
    start: (closing) => {
      runner.start()
      closing.defer(() => runner.close())
    },
  }
}

const MESSAGES = {
  running: 'The links are being changed',
  done: 'Links changed',
} as const

const bulkEditRoutes = (edits: BulkEditService): Routes => [
  on('bulkEditLinks', {
    prepare: ({ caller, body }) => edits.prepare(caller, body),
    run: async ({ body }, row) => {
      const edit = await edits.create(row, body)
      return done(edit.state === 'running' ? MESSAGES.running : MESSAGES.done, edit)
    },
  }),
  on('bulkEdits', ({ caller, query }) => listed('Bulk edits', edits.list(caller.workspaceUuid, query))),
  on('undoBulkEdit', ({ caller, body }) =>
    done('The changes are being undone', edits.undo(caller.workspaceUuid, body.uuid)),
  ),
]
