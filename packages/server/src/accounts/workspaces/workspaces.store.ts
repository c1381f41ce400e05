import type { Updateable } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import type { MemberRow, UserRow, WorkspaceRow } from '../../storage/db/tables.ts'

export type { WorkspaceRow }

export function createWorkspaceStore(db: Database) {
  const present = () => db.sql.selectFrom('workspaces').selectAll().where('removed_at', 'is', null)
  return {
    async insert(row: WorkspaceRow, owner: Pick<MemberRow, 'user_uuid'>): Promise<void> {
      await db.sql.insertInto('workspaces').values(row).execute()
      const { user_uuid } = owner
      await db.sql
        .insertInto('members')
        .values({ workspace_uuid: row.uuid, user_uuid, role: 'owner', created_at: row.created_at })
        .execute()
    },
    find(uuid: string): Promise<WorkspaceRow | undefined> {
      return present().where('uuid', '=', uuid).executeTakeFirst()
    },
    /** Workspaces after this one, for work over all of them. */
    listAfter(uuid: string, take: number): Promise<WorkspaceRow[]> {
      return present().where('uuid', '>', uuid).orderBy('uuid').limit(take).execute()
    },
    async update(uuid: string, changes: Updateable<WorkspaceRow>): Promise<boolean> {
      const { numUpdatedRows } = await db.sql
        .updateTable('workspaces')
        .set(changes)
        .where('uuid', '=', uuid)
        .where('removed_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** Who has owned it longest: invoices name their profile. */
    oldestOwner(uuid: string): Promise<UserRow | undefined> {
      return db.sql
        .selectFrom('users')
        .innerJoin('members', 'members.user_uuid', 'users.uuid')
        .selectAll('users')
        .where('members.workspace_uuid', '=', uuid)
        .where('members.role', '=', 'owner')
        .where('users.removed_at', 'is', null)
        .orderBy('members.created_at')
        .orderBy('users.uuid')
        .limit(1)
        .executeTakeFirst()
    },
  }
}

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>
