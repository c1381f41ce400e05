import type { Database } from '../../storage/db/database.ts'
import type { DomainRow } from '../../storage/db/tables.ts'
import { bumpVersion, readVersion } from '../../storage/db/versions.ts'
import { createOwnedRows, type OwnedRows } from '../owned/owned-rows.ts'

export type { DomainRow }

const VERSION = 'domains'

export interface DomainStore extends Omit<OwnedRows<'domains'>, 'insert'> {
  /** False when the name is taken. */
  insert(row: DomainRow): Promise<boolean>
  findByName(name: string): Promise<DomainRow | undefined>
  listAll(): Promise<DomainRow[]>
  /** Those that all accounts may use. */
  listShared(): Promise<DomainRow[]>
  /** Gives a proven domain to the account that has proven it now. */
  move(row: DomainRow): Promise<void>
  removeShared(uuid: string): Promise<void>
  /** How many links and pages are reached by a domain, under names they had before too. */
  countUses(name: string): Promise<number>
  version(): Promise<number>
}

export function createDomainStore(db: Database): DomainStore {
  const rows = createOwnedRows(db, 'domains', { searched: ['name'] })
  /** Every write makes every process read the domains again. */
  const changed = async <T>(written: Promise<T>): Promise<T> => {
    const result = await written
    await bumpVersion(db, VERSION)
    return result
  }

  return {
    ...rows,
    async insert(row) {
      const insertion = db.sql
        .insertInto('domains')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doNothing())
      const { numInsertedOrUpdatedRows } = await changed(insertion.executeTakeFirst())
      return Number(numInsertedOrUpdatedRows ?? 0) > 0
    },
    update: (seen, changes) => changed(rows.update(seen, changes)),
    remove: (userUuid, uuids) => changed(rows.remove(userUuid, uuids)),
    findByName: (name) =>
      db.sql.selectFrom('domains').selectAll().where('name', '=', name).executeTakeFirst(),
    listAll: () => db.sql.selectFrom('domains').selectAll().orderBy('name').execute(),
    listShared: () => db.sql.selectFrom('domains').selectAll().where('user_uuid', 'is', null).execute(),
    async move(row) {
      await changed(db.sql.updateTable('domains').set(row).where('name', '=', row.name).execute())
    },
    async removeShared(uuid) {
      const removal = db.sql.deleteFrom('domains').where('uuid', '=', uuid).where('user_uuid', 'is', null)
      await changed(removal.execute())
    },
    async countUses(name) {
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
    version: () => readVersion(db, VERSION),
  }
}
