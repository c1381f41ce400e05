import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Database } from '../../storage/db/database.ts'
import { batchedLookup, type QueryRows } from './batched-lookup.ts'
import { type Lookup, sqliteLookup, type TombstoneHash } from './lookup.ts'
import type { RoutingTools } from './routing.ts'

/** Opens the look-up for the engine. */
export function openLookup(db: Database, tombstoneHash: TombstoneHash, tools: RoutingTools): Lookup {
  if (db.sqliteReader !== undefined) return sqliteLookup(db.sqliteReader, tombstoneHash, tools)
  const pool = db.postgres?.visitorPool
  if (pool === undefined) throw new Error('The database has neither a reader nor a pool')
  // With its own pool, because a flood of other requests may occupy every connection of the other one.
  return batchedLookup(preparedQuery(pool), tombstoneHash, tools)
}

/**
 * PostgreSQL's error codes when a prepared statement does not exist, exists already, or returns other types since a
 * migration. The first two happen behind a pooler that uses another connection for every transaction.
 */
const NOT_AS_PREPARED: ReadonlySet<unknown> = new Set(['26000', '42P05', '0A000'])

/**
 * Prepares each text once per connection, under a name derived from the text: planning a look-up costs several times as much
 * as running it. If names do not work, it continues without them.
 */
export function preparedQuery(pool: Pick<Pool, 'query'>): QueryRows {
  const names = new Map<string, string>()
  let works = true

  const rowsOf = async (text: string, values: readonly unknown[], name?: string) => {
    const { rows } = await pool.query<unknown[]>({
      ...(name !== undefined && { name }),
      text,
      values: [...values],
      rowMode: 'array',
    })
    return rows
  }

  const nameOf = (text: string): string => {
    let name = names.get(text)
    if (name === undefined) names.set(text, (name = `waymark_${hash('sha256', text).slice(0, 16)}`))
    return name
  }

  return async (text, values) => {
    if (!works) return rowsOf(text, values)
    try {
      return await rowsOf(text, values, nameOf(text))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && NOT_AS_PREPARED.has(error.code))) throw error
      works = false
      return rowsOf(text, values)
    }
  }
}
