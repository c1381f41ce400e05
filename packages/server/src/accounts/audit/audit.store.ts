import { type Selectable, sql as raw, type SqlBool } from 'kysely'
import { type ListWindow, pageOf } from '../../modules/owned/listing.ts'
import { chunksOf, type Database } from '../../storage/db/database.ts'
import type { AuditLogRow, Tables } from '../../storage/db/tables.ts'

export type { AuditLogRow }

/** The entries that a list includes. */
export interface AuditFilter {
  readonly actor?: AuditLogRow['actor'] | undefined
  readonly user?: string | undefined
  readonly credential?: string | undefined
  readonly operation?: string | undefined
  readonly resource?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

type Names = Map<string, string | null>

/** Tables of resources, and the name of a row in entries. */
type NamesOf = {
  [T in keyof Tables]?: (row: Selectable<Tables[T]>) => string | null
}

const RESOURCES: NamesOf = {
  links: ({ short_code }) => `/${short_code}`,
  pages: ({ title }) => title,
  qrcodes: ({ description, url }) => description ?? url,
  barcodes: ({ description, value, url }) => description ?? value ?? url,
  utm_links: ({ campaign, utm_url }) => campaign ?? utm_url,
  webhooks: ({ url }) => url,
  api_keys: ({ name, api_key }) => name ?? api_key,
  tokens: ({ name }) => name,
  domains: ({ name }) => name,
  domain_claims: ({ name }) => name,
  imports: ({ filename }) => filename,
  invitations: ({ email }) => email,
}

/** The number of values in a statement is limited. */
const UUIDS_AT_ONCE = 500

export function createAuditStore(db: Database) {
  const entriesOf = (
    workspaceUuid: string,
    { actor, user, credential, operation, resource, from, to }: AuditFilter,
  ) => {
    let rows = db.sql.selectFrom('audit_log').where('workspace_uuid', '=', workspaceUuid)
    if (actor !== undefined) rows = rows.where('actor', '=', actor)
    if (user !== undefined) rows = rows.where('user_uuid', '=', user)
    if (credential !== undefined) rows = rows.where('credential_uuid', '=', credential)
    if (operation !== undefined) rows = rows.where('operation', '=', operation)
    if (from !== undefined) rows = rows.where('created_at', '>=', from)
    if (to !== undefined) rows = rows.where('created_at', '<=', to)
    // The column is a JSON list of strings. Other texts could contain wildcards, and match no entry.
    if (resource !== undefined)
      rows = rows.where(
        /^[0-9a-f-]{36}$/.test(resource)
          ? raw<SqlBool>`resources like ${`%"${resource}"%`}`
          : raw<SqlBool>`1 = 0`,
      )
    return rows
  }

  return {
    async insert(rows: readonly AuditLogRow[]): Promise<void> {
      if (rows.length > 0) await db.sql.insertInto('audit_log').values(rows).execute()
    },
    /** Adds to the counters of rejected requests. All processes count an hour in the same row. */
    async addRejected(rows: readonly AuditLogRow[]): Promise<void> {
      for (const row of rows)
        await db.sql
          .insertInto('audit_log')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .column('uuid')
              .doUpdateSet({ rejected: raw<number>`audit_log.rejected + excluded.rejected` }),
          )
          .execute()
    },
    list(workspaceUuid: string, window: ListWindow, filter: AuditFilter): Promise<AuditLogRow[]> {
      return pageOf(entriesOf(workspaceUuid, filter).selectAll(), window).execute()
    },
    async count(workspaceUuid: string, filter: AuditFilter): Promise<number> {
      const row = await entriesOf(workspaceUuid, filter)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirst()
      return row?.count ?? 0
    },
    /** The current names of users; deleted users are missing. */
    async userNames(uuids: readonly string[]): Promise<Names> {
      const names: Names = new Map()
      for (const some of chunksOf(uuids, UUIDS_AT_ONCE)) {
        const rows = await db.sql
          .selectFrom('users')
          .select(['uuid', 'email', 'first_name', 'last_name'])
          .where('removed_at', 'is', null)
          .where('uuid', 'in', some)
          .execute()
        for (const { uuid, email, first_name, last_name } of rows)
          names.set(uuid, [first_name, last_name].filter(Boolean).join(' ') || email)
      }
      return names
    },
    /** The current names of workspaces. */
    async workspaceNames(uuids: readonly string[]): Promise<Names> {
      if (uuids.length === 0) return new Map()
      const rows = await db.sql
        .selectFrom('workspaces')
        .select(['uuid', 'name'])
        .where('uuid', 'in', uuids)
        .execute()
      return new Map(rows.map(({ uuid, name }) => [uuid, name]))
    },
    /** The current names of a workspace's resources; erased ones are missing. */
    async resourceNames(
      workspaceUuid: string,
      uuids: readonly string[],
      tables = Object.keys(RESOURCES) as (keyof Tables)[],
    ): Promise<Names> {
      const names: Names = new Map()
      for (const some of chunksOf(uuids, UUIDS_AT_ONCE))
        for (const table of tables) {
          const rows = await db.sql
            .selectFrom(table as 'links')
            .selectAll()
            .where('uuid', 'in', some)
            .where(db.dialect.ownedBy(workspaceUuid))
            .execute()
          const nameOf = RESOURCES[table] as (row: (typeof rows)[number]) => string | null
          for (const row of rows) names.set(row.uuid, nameOf(row))
        }
      return names
    },
    /** Deletes a batch of entries from before a time; false when none is left. */
    async removeBefore(at: number, take: number): Promise<boolean> {
      const old = db.sql.selectFrom('audit_log').select('uuid').where('created_at', '<', at).limit(take)
      const { numDeletedRows } = await db.sql
        .deleteFrom('audit_log')
        .where('uuid', 'in', old)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    /** Deletes a batch of entries of a workspace; false when none is left. */
    async removeSome(workspaceUuid: string, take: number): Promise<boolean> {
      const some = entriesOf(workspaceUuid, {}).select('uuid').limit(take)
      const { numDeletedRows } = await db.sql
        .deleteFrom('audit_log')
        .where('uuid', 'in', some)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

export type AuditStore = ReturnType<typeof createAuditStore>
