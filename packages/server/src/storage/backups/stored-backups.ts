import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../net/errors.ts'
import { type BackupOptions, backUp, removeLeftovers } from './backup.ts'
import { backupName, isBucket, openTarget } from './targets.ts'
import { type Verified, verifyBackup } from './restore.ts'

export interface StoredBackupOptions extends Omit<BackupOptions, 'file' | 'now'> {
  /** A folder, or the URL of a bucket. */
  readonly target: string
  /** How many backups to keep; the oldest are deleted first. */
  readonly keep: number
  /** The names of the migrations that this version knows. */
  readonly known: readonly string[]
}

export interface StoredBackup extends Verified {
  readonly name: string
  readonly bytes: number
  readonly removed: readonly string[]
}

/**
 * Creates a backup, stores it, reads it back, verifies it with a trial restore, and only then deletes surplus old backups.
 */
export async function storeBackup(options: StoredBackupOptions): Promise<StoredBackup> {
  const { target, keep, dataDir } = options
  const place = openTarget(target)
  const name = backupName(Date.now())
  const file = join(dataDir, `backup-${randomUUID()}.tar`)
  await removeLeftovers(dataDir, isBucket(target) ? [] : [target], Date.now())
  try {
    const { bytes } = await backUp({ ...options, file, now: Date.now })
    await place.put(name, file)
    const verified = await verifyStored(options, name)
    // An older backup may be the only one with a file that is missing now.
    const removed = verified.missing.length > 0 ? [] : (await place.list()).slice(0, -keep)
    for (const one of removed) await place.remove(one)
    return { name, bytes, removed, ...verified }
  } finally {
    await rm(file, { force: true })
  }
}

/** Verifies a stored backup with a trial restore. */
export const verifyStored = (
  options: Omit<StoredBackupOptions, 'databaseUrl' | 'keep'>,
  name: string,
): Promise<Verified> =>
  withCopy(options.target, name, options.dataDir, (file) => verifyBackup({ ...options, file }))

/** The newest stored backup. */
export async function newestBackup(target: string): Promise<string> {
  const newest = (await openTarget(target).list()).at(-1)
  if (newest === undefined) throw new OperatorError('there is no backup in BACKUP_TO')
  return newest
}

/** Copies a stored backup into a temporary folder while `work` runs. */
export async function withCopy<T>(
  target: string,
  name: string,
  folder: string,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const file = join(folder, `backup-${randomUUID()}.tar`)
  try {
    await openTarget(target).fetch(name, file)
    return await work(file)
  } finally {
    await rm(file, { force: true })
  }
}
