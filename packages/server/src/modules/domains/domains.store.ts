import type { Database } from '../../storage/db/database.ts'
import type { DomainRow } from '../../storage/db/tables.ts'
import { bumpVersion, readVersion } from '../../storage/db/versions.ts'

export type { DomainRow }

const VERSION = 'domains'

export function createDomainStore(db: Database) {
  return {
    async insert(row: DomainRow): Promise<boolean> {
      const result = await db.sql
        .insertInto('domains')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirst()
      await bumpVersion(db, VERSION)
      return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
    },
    find(name: string): Promise<DomainRow | undefined> {
      return db.sql.selectFrom('domains').selectAll().where('name', '=', name).executeTakeFirst()
    },
    listAll(): Promise<DomainRow[]> {
      return db.sql.selectFrom('domains').selectAll().orderBy('name').execute()
    },
    /** The user's own, and those that all accounts may use. */
    list(userUuid: string): Promise<DomainRow[]> {
      return db.sql
        .selectFrom('domains')
        .selectAll()
        .where((eb) => eb.or([eb('user_uuid', '=', userUuid), eb('user_uuid', 'is', null)]))
        .orderBy('name')
        .execute()
    },
    /** Gives a proven domain to the account that has proven it now. */
    async move(row: DomainRow): Promise<void> {
      await db.sql.updateTable('domains').set(row).where('name', '=', row.name).execute()
      await bumpVersion(db, VERSION)
    },
    /** False when the row is not the one that was read: another edit was faster, or its owner changed. */
    async update({ name, updated_at }: DomainRow, changes: Partial<DomainRow>): Promise<boolean> {
      const { numUpdatedRows } = await db.sql
        .updateTable('domains')
        .set(changes)
        .where('name', '=', name)
        .where('updated_at', '=', updated_at)
        .executeTakeFirst()
      await bumpVersion(db, VERSION)
      return numUpdatedRows > 0n
    },
    async remove(name: string): Promise<boolean> {
      const result = await db.sql.deleteFrom('domains').where('name', '=', name).executeTakeFirst()
      await bumpVersion(db, VERSION)
      return result.numDeletedRows > 0n
    },
    async removeOfUser(userUuid: string): Promise<void> {
      await db.sql.deleteFrom('domains').where('user_uuid', '=', userUuid).execute()
      await bumpVersion(db, VERSION)
    },
    /** How many links and pages are reached by a domain, under names they had before too. */
    async countUses(name: string): Promise<number> {
      const links = await db.sql
        .selectFrom('short_codes')
        .select((eb) => eb.fn.count<number>('link_uuid').distinct().as('count'))
        .where('domain', '=', name)
        .executeTakeFirst()
      const pages = await db.sql
        .selectFrom('page_slugs')
        .select((eb) => eb.fn.count<number>('page_uuid').distinct().as('count'))
        .where('domain', '=', name)
        .executeTakeFirst()
      return (links?.count ?? 0) + (pages?.count ?? 0)
    },
    version(): Promise<number> {
      return readVersion(db, VERSION)
    },
  }
}

export type DomainStore = ReturnType<typeof createDomainStore>
