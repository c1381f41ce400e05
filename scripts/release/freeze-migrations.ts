import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Dialect } from '../../packages/server/src/storage/db/dialect.ts'
import { checksumOf, loadMigrations, type Migration } from '../../packages/server/src/storage/db/migrator.ts'

/** A migration of a release: its name, and its checksum for each database. */
export interface FrozenMigration {
  readonly name: string
  readonly sqlite: string
  readonly postgres: string
}

/** The migrations up to the last one that ends a release, with their checksums. */
export async function frozenAmong(known: readonly Migration[]): Promise<FrozenMigration[]> {
  const end = known.findLastIndex(({ release }) => release !== undefined)
  return Promise.all(
    known.slice(0, end + 1).map(async (migration) => ({
      name: migration.name,
      sqlite: await checksumOf(migration, new Dialect('sqlite')),
      postgres: await checksumOf(migration, new Dialect('postgres')),
    })),
  )
}

/** Ends a release with the last migration of a folder. */
export async function endRelease(folder: string, release: string): Promise<void> {
  const last = (await loadMigrations(pathToFileURL(`${folder}/`))).at(-1)
  if (last === undefined || last.release !== undefined) return
  await appendFile(join(folder, `${last.name}.ts`), `\nexport const release = '${release}'\n`)
}
