import type { Database } from '../../storage/db/database.ts'
import type { Flag } from '../../storage/db/rows/accounts.ts'
import type { DomainRow } from '../../storage/db/tables.ts'
import { bumpVersion, readVersion } from '../../storage/db/totals.ts'
import { createOwnedRows, type OwnedRows } from '../owned/owned-rows.ts'

export type { DomainRow }

const VERSION = 'domains'

export interface DomainStore extends Omit<OwnedRows<'domains'>, 'insert'> {
  /** False if the name is taken. */
  insert(row: DomainRow): Promise<boolean>
  findByName(name: string): Promise<DomainRow | undefined>
  listAll(): Promise<DomainRow[]>
  /** Domains that all accounts may use. */
  listShared(): Promise<DomainRow[]>
  /** Assigns a proven domain to another account. Its case setting stays. */
  move(row: DomainRow): Promise<void>
  removeShared(uuid: string): Promise<void>
  /** How many links and pages use a domain, including earlier names. */
  countUses(name: string): Promise<number>
  version(): Promise<number>
  /** Records that the domain has a short code, inside the write that creates it; returns whether it ignores case. */
  takeCode(name: string): Promise<boolean>
  /** False if the domain has ever had a short code. */
  setCase(name: string, ignoreCase: Flag): Promise<boolean>
}

export function createDomainStore(db: Database): DomainStore {
  const rows = createOwnedRows(db, 'domains', { searched: ['name'] })
  /** After every write, all processes reload the domains. */
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
    remove: (workspaceUuid, uuids) => changed(rows.remove(workspaceUuid, uuids)),
    findByName: (name) =>
      db.sql.selectFrom('domains').selectAll().where('name', '=', name).executeTakeFirst(),
    listAll: () => db.sql.selectFrom('domains').selectAll().orderBy('name').execute(),
    listShared: () => db.sql.selectFrom('domains').selectAll().where('workspace_uuid', 'is', null).execute(),
    async move(row) {
      const update = db.sql
        .updateTable('domains')
        .set((eb) => ({ ...row, ignore_case: eb.ref('ignore_case'), has_codes: eb.ref('has_codes') }))
        .where('name', '=', row.name)
      await changed(update.execute())
    },
    async takeCode(name) {
      const named = db.sql.selectFrom('domains').select(['ignore_case', 'has_codes']).where('name', '=', name)
      const seen = await named.executeTakeFirst()
      if (seen === undefined || seen.has_codes === 1) return seen?.ignore_case === 1
      // On PostgreSQL this waits for a change of `ignore_case`, and the next such change waits for this.
      await db.sql.updateTable('domains').set({ has_codes: 1 }).where('name', '=', name).execute()
      return (await named.executeTakeFirst())?.ignore_case === 1
    },
    async setCase(name, ignoreCase) {
      const update = db.sql
        .updateTable('domains')
        .set({ ignore_case: ignoreCase })
        .where('name', '=', name)
        .where('has_codes', '=', 0)
      const { numUpdatedRows } = await changed(update.executeTakeFirst())
      return numUpdatedRows > 0n
    },
    async removeShared(uuid) {
      const removal = db.sql
        .deleteFrom('domains')
        .where('uuid', '=', uuid)
        .where('workspace_uuid', 'is', null)
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
