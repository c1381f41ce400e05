import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Database } from '../../storage/db/database.ts'
import { Background } from '../../work/background.ts'
import { Batcher, type ReplayOptions, type ReplayStore, type Use } from './replay.ts'

const SWEEP_MS = 10_000
const SWEEP_ROWS = 5_000

const RECORD = `
insert into used_signatures (hash, expires_at)
select * from unnest($1::text[], $2::bigint[])
on conflict do nothing returning hash`

/** One statement per turn of the event loop, for all requests that arrived in it. */
export async function openPostgresReplay(db: Database, options: ReplayOptions): Promise<ReplayStore> {
  const now = options.now ?? Date.now
  const report = options.report ?? ((error) => console.error(error))
  const pool = db.postgres?.pool
  if (pool === undefined) throw new Error('The database is not PostgreSQL')
  const batcher = new Batcher((uses) => record(pool, uses))

  const background = new Background(report)
  const sweep = async (): Promise<void> => {
    for (let removed = SWEEP_ROWS; removed === SWEEP_ROWS && !background.closing.aborted;)
      removed = await expire(db, now())
  }
  await sweep()
  background.every(SWEEP_MS, sweep)

  return {
    use: (use) => batcher.use(use),
    async close() {
      await background.close()
      await batcher.close()
    },
  }
}

async function record(pool: Pool, uses: readonly Use[]): Promise<boolean[]> {
  // In the same order on every node, which prevents deadlocks between batches with the same signatures.
  const rows = uses.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  // Directly on the pool: a single statement needs no transaction, and so only one round trip.
  const { rows: made } = await pool.query<{ hash: string }>(RECORD, [
    rows.map(({ hash }) => hash),
    rows.map(({ expiresAtMs }) => expiresAtMs),
  ])
  const fresh = new Set(made.map(({ hash }) => hash))
  // If a batch has a signature twice, only the first use is fresh: it deletes the hash from the set.
  return uses.map(({ hash }) => fresh.delete(hash))
}

async function expire(db: Database, nowMs: number): Promise<number> {
  const { numAffectedRows = 0n } = await db.write(() =>
    sql`delete from used_signatures where ctid = any(array(
      select ctid from used_signatures where expires_at < ${nowMs} limit ${SWEEP_ROWS} for update skip locked))`.execute(
      db.sql,
    ),
  )
  return Number(numAffectedRows)
}
