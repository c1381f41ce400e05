import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Dialect } from './dialect.ts'
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

async function appliedNames(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  return rows.map((row) => row.name)
}

function missingFrom(applied: readonly string[], known: readonly Migration[]): Migration[] {
  const names = new Set(known.map((migration) => migration.name))
  const unknown = applied.filter((name) => !names.has(name)).sort()
  if (unknown.length > 0) throw new SchemaTooNewError(unknown)
  return known.filter((migration) => !applied.includes(migration.name))
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
  return missingFrom(await appliedNames(db), known).length === 0
}

/** Runs what is missing; the caller holds a transaction that keeps every other process out. */
export async function migrate(
  db: Kysely<unknown>,
  dialect: Dialect,
  known: readonly Migration[],
  nowMs: number,
): Promise<void> {
  await sql`create table if not exists schema_migrations (name text primary key, applied_at bigint not null)`.execute(
    db,
  )
  for (const migration of missingFrom(await appliedNames(db), known)) {
    await migration.up(db, dialect)
    await sql`insert into schema_migrations (name, applied_at) values (${migration.name}, ${nowMs})`.execute(
      db,
    )
  }
}
