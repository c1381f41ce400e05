import type { Database } from '../../storage/db/database.ts'
import { gatheredLookup } from './batched-lookup.ts'
import { sqliteLookup } from './lookup.ts'
import type { Lookup, TombstoneHash } from './lookup.ts'
import type { RoutingTools } from './routing.ts'

/** The look-up that fits the engine. */
export function openLookup(db: Database, tombstoneHash: TombstoneHash, tools: RoutingTools): Lookup {
  if (db.sqliteReader !== undefined) return sqliteLookup(db.sqliteReader, tombstoneHash, tools)
  const pool = db.postgres?.pool
  if (pool === undefined) throw new Error('The database has neither a reader nor a pool')
  // Through the pool: at most a few statements run at once, and a lost connection is replaced by itself.
  return gatheredLookup(
    async (text, values) => {
      const { rows } = await pool.query<unknown[]>({ text, values: [...values], rowMode: 'array' })
      return rows
    },
    tombstoneHash,
    tools,
  )
}
