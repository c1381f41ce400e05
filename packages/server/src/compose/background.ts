import type { Idempotency } from '../api/idempotency.ts'
import type { Core } from '../modules/module.ts'
import { type Jobs, startJobs } from '../work/jobs/jobs.ts'
import { backupJob } from './scheduled-backups.ts'
import type { Modules } from './modules.ts'

/** Starts the periodic work of storage and modules. Minutes differ, so that the jobs do not run all at once. */
export function openBackground(
  core: Core,
  modules: Modules,
  idempotency: Idempotency,
  closing: AsyncDisposableStack,
): Jobs {
  const { db, blobs, reportError, newId, config } = core
  const jobs = startJobs({
    db,
    holder: newId(),
    jobs: [
      ...modules.list.flatMap(({ jobs: own = [] }) => own),
      { name: 'idempotency', cron: '25 * * * *', run: () => idempotency.sweep() },
      { name: 'files', cron: '35 * * * *', run: (signal) => blobs.sweep(signal) },
      ...(config.backups === undefined ? [] : [backupJob(config, config.backups, core.log)]),
    ],
    report: reportError,
  })
  closing.defer(() => jobs.close())
  for (const { start } of modules.list) start?.(closing)
  return jobs
}
