import { readdir } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import type { Dialect } from './dialect.ts'

export interface Migration {
  readonly name: string
  /** The release whose schema ends with this migration. A database of that release can be upgraded. */
  readonly release?: string | undefined
  readonly up: (db: Kysely<unknown>, dialect: Dialect) => Promise<void>
}

/** Four digits and a name: the order of the names is the order in which they run. */
const FILE = /^(\d{4}_\w+)\.m?[jt]s$/

/**
 * The migrations in the folder beside this file, in order; one that was released is never edited, and the last one of a
 * release says so: `export const release = '1.0.0'`. A build must emit each of them as a file of its own into
 * `migrations/`, beside the file that this code ends up in.
 */
export async function loadMigrations(
  folder: URL = new URL('./migrations/', import.meta.url),
): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => FILE.test(file)).sort()
  if (files.length === 0) throw new Error(`There are no migrations in ${folder.pathname}`)
  return Promise.all(
    files.map(async (file) => {
      const { up, release } = (await import(new URL(file, folder).href)) as Omit<Migration, 'name'>
      return { name: FILE.exec(file)?.[1] ?? file, up, release }
    }),
  )
}
