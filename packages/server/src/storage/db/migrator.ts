import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect as KyselyDialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { OperatorError } from '../../net/errors.ts'
import { Dialect } from './dialect.ts'
import { isConflict, isLockTimeout } from './unavailable.ts'

interface MigrateOptions {
  readonly migrations: readonly Migration[]
  readonly now: () => number
}

/** The data was written by a newer version of Waymark. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError'

  constructor(unknown: readonly string[]) {
    super(
      `This data was written by a newer Waymark (it has ${unknown.join(', ')}): start that version, or restore a backup`,
    )
  }
}

/** The data was written by unreleased code, so it cannot be migrated. */
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
  /** Null in databases from before checksums. */
  readonly checksum?: string | null
}

async function appliedTo(db: Kysely<unknown>): Promise<Applied[]> {
  const { rows } = await sql<Applied>`select * from schema_migrations`.execute(db)
  return rows.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/**
 * The migrations left to run. A database is empty, or has exactly the migrations of this version or of an earlier release;
 * anything else was created by unreleased code.
 */
async function missingFrom(
  applied: readonly Applied[],
  known: readonly Migration[],
  dialect: Dialect,
): Promise<readonly Migration[]> {
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  const names = new Set(applied.map(({ name }) => name))
  const unknown = applied.filter(({ name }) => !byName.has(name)).map(({ name }) => name)
  // A newer release has all migrations that this version knows, and more.
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

/** Whether nothing is left to do. Only reads, so a start on a current schema takes no lock. */
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

/** Runs the missing migrations. The caller holds a transaction that excludes all other processes. */
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

const MIGRATION_LOCK = 0x77_61_79_6d
/**
 * How long a migration waits for a table that nodes of the previous version use. Their statements queue behind it meanwhile.
 * Less than PostgreSQL's deadlock timeout of one second: so in a deadlock it is always the migration that gives up, never a
 * request.
 */
const TABLE_WAIT_MS = 500
const LONGEST_PAUSE_MS = 2_000
const GIVE_UP_MS = 5 * 60_000

/** Migrates a PostgreSQL database while nodes of the previous version may be using it. */
export async function migrateServer(
  db: Kysely<unknown>,
  dialect: Dialect,
  options: MigrateOptions & { readonly report: (error: unknown) => void },
): Promise<void> {
  const startedAt = performance.now()
  for (let attempt = 1; !(await isMigrated(db, dialect, options.migrations)); attempt++) {
    try {
      await migrateOnce(db, dialect, options)
    } catch (error) {
      if (!isConflict(error) && !isLockTimeout(error)) throw error
      if (performance.now() - startedAt > GIVE_UP_MS)
        throw new OperatorError(
          'the schema cannot be brought up to date, because other nodes keep its tables in use: stop them, or try again when exports and backups are done',
        )
      if (attempt === 1)
        options.report(
          new Error('Tables are in use by other nodes: the schema is changed as soon as they are free'),
        )
      await delay(Math.min(LONGEST_PAUSE_MS, 100 * attempt) * (0.5 + Math.random()))
    }
  }
}

/** Runs in one transaction, so that an attempt that gives up changes nothing. */
async function migrateOnce(
  db: Kysely<unknown>,
  dialect: Dialect,
  { migrations, now }: MigrateOptions,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Building an index on a large table, or waiting for the node that does, has no time limit.
    await sql`set local statement_timeout = 0`.execute(transaction)
    await sql`set local lock_timeout = 0`.execute(transaction)
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction)
    await sql.raw(`set local lock_timeout = ${TABLE_WAIT_MS}`).execute(transaction)
    await migrate(transaction, dialect, migrations, now())
  })
}

const known = new WeakMap<Migration['up'], Map<string, Promise<string>>>()

/**
 * Identifies what a migration does: the hash of its statements. Unlike a hash of the file, it is the same before and after a
 * build, and does not depend on comments.
 */
export function checksumOf({ up }: Migration, { engine }: Dialect): Promise<string> {
  const sums = known.get(up) ?? new Map<string, Promise<string>>()
  known.set(up, sums)
  const sum = sums.get(engine) ?? record(up, engine)
  sums.set(engine, sum)
  return sum
}

async function record(up: Migration['up'], engine: Dialect['engine']): Promise<string> {
  const statements: string[] = []
  const db = new Kysely<unknown>({ dialect: recordingDialect(engine, statements) })
  await up(db, new Dialect(engine))
  return createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 32)
}

const recordingDialect = (engine: Dialect['engine'], statements: string[]): KyselyDialect => {
  const isSqlite = engine === 'sqlite'
  return {
    createAdapter: () => (isSqlite ? new SqliteAdapter() : new PostgresAdapter()),
    createDriver: () => recordingDriver(statements),
    createIntrospector: (db) => (isSqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
    createQueryCompiler: () => (isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
  }
}

/** Records statements without running them, like a database without rows. */
const recordingDriver = (statements: string[]): Driver => {
  const connection: DatabaseConnection = {
    executeQuery: (query: CompiledQuery) => {
      statements.push(query.sql)
      return Promise.resolve({ rows: [] })
    },
    streamQuery: () => {
      throw new Error('A migration reads no stream')
    },
  }
  const nothing = (): Promise<void> => Promise.resolve()
  return {
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  }
}

export interface Migration {
  readonly name: string
  /** The release whose schema ends with this migration. A database of that release can be upgraded. */
  readonly release?: string | undefined
  readonly up: (db: Kysely<unknown>, dialect: Dialect) => Promise<void>
}

/** Four digits and a name. Migrations run in the order of their names. */
const FILE = /^(\d{4}_\w+)\.m?[jt]s$/

/**
 * The migrations in the folder beside this file, in order. Released migrations are never edited, and the last one of a
 * release exports `release`: `export const release = '1.0.0'`. A build must emit each as a separate file into
 * `migrations/`, beside the file that contains this code.
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
