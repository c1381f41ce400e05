import { sql, type SqlBool } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import type { DomainClaimRow } from '../../storage/db/tables.ts'
import { DAY_MS } from '../../work/times.ts'
import type { ListFilter } from '../owned/listing.ts'
import { createOwnedRows, type OwnedRows } from '../owned/owned-rows.ts'

export type { DomainClaimRow }

/** Claims older than this have expired. */
const CLAIM_LIFE_MS = 7 * DAY_MS

export interface ClaimFilter extends ListFilter {
  /** The time at which claims must not have expired. */
  readonly openAt: number
}

export interface ClaimStore extends OwnedRows<'domain_claims', ClaimFilter> {
  findByName(workspaceUuid: string, name: string, nowMs: number): Promise<DomainClaimRow | undefined>
  /** The open claims of all accounts. */
  listOpen(nowMs: number): Promise<DomainClaimRow[]>
  /** Deletes every claim of a name; returns their workspaces. */
  removeAll(name: string): Promise<string[]>
  /** Deletes expired claims; returns their workspaces. */
  removeLapsed(nowMs: number): Promise<string[]>
}

export function createClaimStore(db: Database): ClaimStore {
  const open = (nowMs: number) =>
    db.sql
      .selectFrom('domain_claims')
      .selectAll()
      .where('created_at', '>', nowMs - CLAIM_LIFE_MS)

  return {
    ...createOwnedRows<'domain_claims', ClaimFilter>(db, 'domain_claims', {
      searched: ['name'],
      narrow: (query, { openAt }) => query.where(sql<SqlBool>`created_at > ${openAt - CLAIM_LIFE_MS}`),
    }),
    findByName: (workspaceUuid, name, nowMs) =>
      open(nowMs).where('name', '=', name).where('workspace_uuid', '=', workspaceUuid).executeTakeFirst(),
    listOpen: (nowMs) => open(nowMs).orderBy('name').execute(),
    async removeAll(name) {
      const query = db.sql.deleteFrom('domain_claims').where('name', '=', name).returning('workspace_uuid')
      return (await query.execute()).map((row) => row.workspace_uuid)
    },
    async removeLapsed(nowMs) {
      const lapsed = db.sql.deleteFrom('domain_claims').where('created_at', '<=', nowMs - CLAIM_LIFE_MS)
      return (await lapsed.returning('workspace_uuid').execute()).map((row) => row.workspace_uuid)
    },
  }
}
