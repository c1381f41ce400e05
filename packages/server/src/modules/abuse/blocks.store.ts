import type { Database } from '../../storage/db/database.ts'
import type { BlockRow } from '../../storage/db/tables.ts'
import { BLOCKS_VERSION, bumpVersion, readVersion } from '../../storage/db/totals.ts'

export type { BlockRow }

export function createBlockStore(db: Database) {
  return {
    /** Blocks something, or changes the reason. */
    async insert(row: BlockRow): Promise<void> {
      await db.sql
        .insertInto('blocks')
        .values(row)
        .onConflict((conflict) => conflict.column('subject').doUpdateSet({ reason: row.reason }))
        .execute()
      await bumpVersion(db, BLOCKS_VERSION)
    },
    async remove(kind: BlockRow['kind'], blocked: string): Promise<boolean> {
      const query = db.sql.deleteFrom('blocks').where('subject', '=', blocked).where('kind', '=', kind)
      const { numDeletedRows } = await query.executeTakeFirst()
      await bumpVersion(db, BLOCKS_VERSION)
      return numDeletedRows > 0n
    },
    listAll(): Promise<BlockRow[]> {
      return db.sql.selectFrom('blocks').selectAll().orderBy('subject').execute()
    },
    version(): Promise<number> {
      return readVersion(db, BLOCKS_VERSION)
    },
  }
}

export type BlockStore = ReturnType<typeof createBlockStore>
