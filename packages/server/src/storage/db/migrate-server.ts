import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { OperatorError } from '../../net/errors.ts'
import type { OpenOptions } from './database.ts'
import type { Dialect } from './dialect.ts'
import { isMigrated, migrate } from './migrator.ts'
import { isConflict, isLockTimeout } from './unavailable.ts'

const MIGRATION_LOCK = 0x77_61_79_6d
/**
 * How long a migration waits for a table that nodes of the version before use. Their statements queue behind it
 * meanwhile. Less than the second after which PostgreSQL looks for deadlocks: of two that wait for each other it is then
 * always the migration that gives way, never a request.
 */
const TABLE_WAIT_MS = 500
const LONGEST_PAUSE_MS = 2_000
const GIVE_UP_MS = 5 * 60_000

/** Brings the schema of a PostgreSQL up to date, while nodes of the version before may be at work in it. */
export async function migrateServer(
  db: Kysely<unknown>,
  dialect: Dialect,
  options: Pick<OpenOptions, 'migrations' | 'now' | 'report'>,
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

/** All of it in one transaction, so that an attempt that gives way leaves nothing behind. */
async function migrateOnce(
  db: Kysely<unknown>,
  dialect: Dialect,
  { migrations, now }: Pick<OpenOptions, 'migrations' | 'now'>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Building an index on a large table, or waiting for the node that does, takes as long as it takes.
    await sql`set local statement_timeout = 0`.execute(transaction)
    await sql`set local lock_timeout = 0`.execute(transaction)
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction)
    await sql.raw(`set local lock_timeout = ${TABLE_WAIT_MS}`).execute(transaction)
    await migrate(transaction, dialect, migrations, now())
  })
}
