import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Dialect } from './dialect.ts'
import { checksumOf } from './migration-checksums.ts'
import type { Migration } from './migrations.ts'

/** The data was written by a version of Waymark that this code does not know. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError'

  constructor(unknown: readonly string[]) {
    super(
      `This data was written by a newer Waymark (it has ${unknown.join(', ')}): start that version, or restore a backup`,
    )
  }
}

/** The data was written by code that was never released, so that there is no way to bring it up to date. */
export class SchemaUnreleasedError extends Error {
  override readonly name = 'SchemaUnreleasedError'

  constructor(reason: string) {
    super(
      `The schema of this database belongs to no release of Waymark (${reason}): start the version that made it, or use an empty DATA_DIR or database`,
    )
  }
}

interface Applied {
  readonly name: string
  /** Absent in databases that are older than checksums. */
  readonly checksum?: string | null
}

async function appliedTo(db: Kysely<unknown>): Promise<Applied[]> {
  const { rows } = await sql<Applied>`select * from schema_migrations`.execute(db)
  return rows.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/**
 * What is left to run. A database holds either nothing, or exactly what this version knows, or exactly what an earlier
 * release had; anything else was made by unreleased code.
 */
async function missingFrom(
  applied: readonly Applied[],
  known: readonly Migration[],
  dialect: Dialect,
): Promise<readonly Migration[]> {
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  const names = new Set(applied.map(({ name }) => name))
  const unknown = applied.filter(({ name }) => !byName.has(name)).map(({ name }) => name)
  // A newer release has all that this version knows, and more.
  if (unknown.length > 0 && known.some(({ name }) => !names.has(name)))
    throw new SchemaUnreleasedError(`it has ${unknown[0]}`)
  if (unknown.length > 0) throw new SchemaTooNewError(unknown)
  for (const { name, checksum } of applied) {
    const migration = byName.get(name)
    if (migration !== undefined && checksum !== (await checksumOf(migration, dialect)))
      throw new SchemaUnreleasedError(`its ${name} is another one`)
  }
  const missing = known.filter(({ name }) => !names.has(name))
  const isRelease =
    known[names.size - 1]?.release !== undefined &&
    known.slice(0, names.size).every(({ name }) => names.has(name))
  if (missing.length > 0 && applied.length > 0 && !isRelease)
    throw new SchemaUnreleasedError(`it lacks ${missing[0]?.name}`)
  return missing
}

/** Whether nothing is left to do; looks only, so that a start on a finished schema takes no lock. */
export async function isMigrated(
  db: Kysely<unknown>,
  dialect: Dialect,
  known: readonly Migration[],
): Promise<boolean> {
  const { rows } =
    dialect.engine === 'sqlite'
      ? await sql`select 1 from sqlite_master where type = 'table' and name = 'schema_migrations'`.execute(db)
      : await sql`select 1 where to_regclass('schema_migrations') is not null`.execute(db)
  if (rows.length === 0) return false
  return (await missingFrom(await appliedTo(db), known, dialect)).length === 0
}

/** Runs what is missing; the caller holds a transaction that keeps every other process out. */
export async function migrate(
  db: Kysely<unknown>,
  dialect: Dialect,
  known: readonly Migration[],
  nowMs: number,
): Promise<void> {
  await sql`create table if not exists schema_migrations
    (name text primary key, applied_at bigint not null, checksum text)`.execute(db)
  for (const migration of await missingFrom(await appliedTo(db), known, dialect)) {
    await migration.up(db, dialect)
    const checksum = await checksumOf(migration, dialect)
    await sql`insert into schema_migrations (name, applied_at, checksum)
      values (${migration.name}, ${nowMs}, ${checksum})`.execute(db)
  }
}
