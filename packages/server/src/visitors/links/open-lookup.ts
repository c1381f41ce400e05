import type { Database } from '../../storage/db/database.ts'
import { gatheredLookup } from './batched-lookup.ts'
import { sqliteLookup } from './lookup.ts'
import type { Lookup, TombstoneHash } from './lookup.ts'
import { preparedQuery } from './prepared-query.ts'
import type { RoutingTools } from './routing.ts'

/** The look-up that fits the engine. */
export function openLookup(db: Database, tombstoneHash: TombstoneHash, tools: RoutingTools): Lookup {
  if (db.sqliteReader !== undefined) return sqliteLookup(db.sqliteReader, tombstoneHash, tools)
  const pool = db.postgres?.visitorPool
  if (pool === undefined) throw new Error('The database has neither a reader nor a pool')
  // Through a pool of its own: a flood of other requests may occupy every connection of the other one.
  return gatheredLookup(preparedQuery(pool), tombstoneHash, tools)
}
