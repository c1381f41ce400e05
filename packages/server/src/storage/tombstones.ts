import { chunksOf, type Database } from './db/database.ts'
import { preparedStatement } from './db/prepared.ts'
import { keyedHash } from './secrets.ts'

/** Names that can be erased. They return 410 and are never reused. */
export type ErasedName =
  | readonly ['code', domain: string, shortCode: string]
  | readonly ['slug', domain: string, slug: string]
  /** A domain that had short codes, and whether it ignored case. */
  | readonly ['domain', name: string, letters: 'kept' | 'ignored']
  | readonly ['picture', uuid: string]
  | readonly ['media', hash: string]

/** Erased names, stored as keyed hashes: they reveal neither the name nor its owner. */
export interface Tombstones {
  hash(name: ErasedName): string
  /** Called inside the write that deletes the owner of these names. */
  add(names: readonly ErasedName[]): Promise<void>
  has(name: ErasedName): Promise<boolean>
  /** Returns the given names that are erased. */
  filter<Name extends ErasedName>(names: readonly Name[]): Promise<Name[]>
}

const ROWS = 200

const findTombstone = preparedStatement((sql, { hash }: { hash: string }) =>
  sql.selectFrom('tombstones').select('hash').where('hash', '=', hash),
)

export function createTombstones(db: Database, key: Buffer, now: () => number): Tombstones {
  const keyed = keyedHash(key)
  const hash = (name: ErasedName): string => keyed(name.join('\n'))
  return {
    hash,
    async add(names) {
      const created_at = now()
      for (const some of chunksOf(names, ROWS)) {
        const rows = some.map((name) => ({ hash: hash(name), created_at }))
        await db.sql
          .insertInto('tombstones')
          .values(rows)
          .onConflict((conflict) => conflict.column('hash').doNothing())
          .execute()
      }
    },
    async has(name) {
      const { rows } = await findTombstone(db, { hash: hash(name) })
      return rows.length > 0
    },
    async filter(names) {
      const found = new Set<string>()
      const hashes = names.map(hash)
      for (const some of chunksOf(hashes, ROWS)) {
        const rows = await db.sql.selectFrom('tombstones').select('hash').where('hash', 'in', some).execute()
        for (const row of rows) found.add(row.hash)
      }
      return names.filter((_, at) => found.has(hashes[at] ?? ''))
    },
  }
}
