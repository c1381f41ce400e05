import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Idempotency } from '../api/steps/idempotency.ts'
import type { Config } from '../config.ts'
import type { Core } from '../modules/module.ts'
import type { StoredBackup, StoredBackupOptions } from '../storage/backups/stored-backups.ts'
import { loadMigrations } from '../storage/db/migrator.ts'
import { type Job, type Jobs, startJobs } from '../work/jobs/jobs.ts'
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

/** Unix time in seconds of the last verified backup; 0: none since the start. */
export const lastBackup = { seconds: 0 }

/** Creates a backup, verifies it and deletes the oldest ones, on the configured schedule. */
export function backupJob(
  { dataDir, databaseUrl, secretKey, s3Url }: Config,
  { target, cron, keep }: NonNullable<Config['backups']>,
  log: Logger,
): Job {
  return {
    name: 'backup',
    cron,
    async run(signal) {
      const known = (await loadMigrations()).map(({ name }) => name)
      const options: StoredBackupOptions = {
        dataDir,
        databaseUrl,
        secretKey,
        target,
        keep,
        known,
        withFiles: s3Url === undefined,
      }
      const kept = await inThread(options, signal)
      lastBackup.seconds = Math.floor(Date.now() / 1000)
      if (kept.missing.length === 0) log.info({ backup: kept }, 'backup stored and verified')
      else
        log.error(
          { backup: kept },
          'backup stored, but files that the database refers to are missing: run waymark doctor',
        )
    },
  }
}

async function inThread(options: StoredBackupOptions, signal: AbortSignal): Promise<StoredBackup> {
  const worker = new Worker(new URL('../storage/backups/stored-backup.worker.ts', import.meta.url), {
    workerData: options,
    name: 'backup',
  })
  try {
    const [kept] = (await once(worker, 'message', { signal })) as [StoredBackup]
    return kept
  } finally {
    await worker.terminate()
  }
}
