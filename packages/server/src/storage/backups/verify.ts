import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { dataFolder } from '../data-folder.ts'
import { OperatorError } from '../../net/errors.ts'
import { restore, type RestoreOptions } from './restore.ts'

/** What a backup was found to hold. */
export interface Verified {
  readonly created_at: string
  readonly files: number
  /** Names of files that the database refers to and that the backup does not hold. */
  readonly missing: readonly string[]
  readonly accounts: number
  readonly links: number
}

const COUNTS = `select (select count(*) from users) as accounts, (select count(*) from links) as links`

/** Restores a backup into a folder that is deleted afterwards, and checks the whole database. */
export async function verifyBackup(
  options: Omit<RestoreOptions, 'databaseUrl' | 'force'>,
): Promise<Verified> {
  const folder = join(options.dataDir, `backup-verify-${randomUUID()}`)
  try {
    const trial = { ...options, dataDir: folder, databaseUrl: undefined, force: false }
    const { created_at, files, missing } = await restore(trial)
    const db = new SqliteDatabase(join(folder, dataFolder.database))
    try {
      const verdict = db.pragma('integrity_check(1)', { simple: true })
      const orphans = db.pragma('foreign_key_check') as unknown[]
      if (verdict !== 'ok' || orphans.length > 0)
        throw new OperatorError(`the database in the backup is damaged: ${String(verdict)}`)
      const counts = db.prepare<[], { accounts: number; links: number }>(COUNTS).get()
      return { created_at, files, missing, accounts: counts?.accounts ?? 0, links: counts?.links ?? 0 }
    } finally {
      db.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
