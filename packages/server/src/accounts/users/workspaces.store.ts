import { type Role, roles } from '@waymark/contract'
import type { Updateable } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import type { InvitationRow, MemberRow, UserRow, WorkspaceRow } from '../../storage/db/tables.ts'

export type { InvitationRow, WorkspaceRow }

export type OwnWorkspace = WorkspaceRow & { role: Role }
export type MemberUser = Pick<UserRow, 'uuid' | 'email' | 'first_name' | 'last_name'> &
  Pick<MemberRow, 'role' | 'created_at'>

export function createWorkspaceStore(db: Database) {
  const present = () => db.sql.selectFrom('workspaces').selectAll().where('removed_at', 'is', null)
  const membersOf = (uuid: string) =>
    db.sql
      .selectFrom('members')
      .innerJoin('users', 'users.uuid', 'members.user_uuid')
      .where('members.workspace_uuid', '=', uuid)
      .where('users.removed_at', 'is', null)
      .orderBy('members.created_at')
      .orderBy('users.uuid')
  return {
    async insert(row: WorkspaceRow, ownerUuid: string): Promise<void> {
      await db.sql.insertInto('workspaces').values(row).execute()
      await this.insertMember({
        workspace_uuid: row.uuid,
        user_uuid: ownerUuid,
        role: 'owner',
        created_at: row.created_at,
      })
    },
    find(uuid: string): Promise<WorkspaceRow | undefined> {
      return present().where('uuid', '=', uuid).executeTakeFirst()
    },
    /** The next workspaces after this one, for work over all of them. */
    listAfter(uuid: string, take: number): Promise<WorkspaceRow[]> {
      return present().where('uuid', '>', uuid).orderBy('uuid').limit(take).execute()
    },
    /**
     * The workspaces of a user, beginning with the user's first: the one of signing up, or the oldest left after that was
     * removed.
     */
    async listOf(userUuid: string): Promise<OwnWorkspace[]> {
      const rows = await db.sql
        .selectFrom('members')
        .innerJoin('workspaces', 'workspaces.uuid', 'members.workspace_uuid')
        .selectAll('workspaces')
        .select('members.role')
        .where('members.user_uuid', '=', userUuid)
        .where('workspaces.removed_at', 'is', null)
        .orderBy('members.created_at')
        .orderBy('workspaces.uuid')
        .execute()
      return [
        ...rows.filter(({ uuid }) => uuid === userUuid),
        ...rows.filter(({ uuid }) => uuid !== userUuid),
      ]
    },
    /** The first workspace of a user, for what names a user and means a workspace. */
    async firstOf(userUuid: string): Promise<OwnWorkspace | undefined> {
      return (await this.listOf(userUuid))[0]
    },
    /** The number of members of each workspace. */
    async countMembers(uuids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (uuids.length === 0) return new Map()
      const rows = await db.sql
        .selectFrom('members')
        .select(['workspace_uuid', (eb) => eb.fn.countAll<number>().as('count')])
        .where('workspace_uuid', 'in', uuids)
        .groupBy('workspace_uuid')
        .execute()
      return new Map(rows.map(({ workspace_uuid, count }) => [workspace_uuid, count]))
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
    /** Serialises changes of members in these workspaces. */
    async lock(uuids: readonly string[]): Promise<void> {
      if (uuids.length === 0) return
      const rows = db.sql.selectFrom('workspaces').select('uuid').where('uuid', 'in', uuids).orderBy('uuid')
      await db.dialect.locking(rows).execute()
    },
    /** Locks all workspaces of a user. */
    async lockOf(userUuid: string): Promise<void> {
      await this.lock((await this.listOf(userUuid)).map(({ uuid }) => uuid))
    },
    /** The owner of longest standing, whose profile appears on invoices. */
    oldestOwner(uuid: string): Promise<UserRow | undefined> {
      return membersOf(uuid)
        .selectAll('users')
        .where('members.role', '=', 'owner')
        .limit(1)
        .executeTakeFirst()
    },

    async insertMember(row: MemberRow): Promise<void> {
      await db.sql.insertInto('members').values(row).execute()
    },
    listMembers(uuid: string): Promise<MemberUser[]> {
      return membersOf(uuid)
        .select(['users.uuid', 'users.email', 'users.first_name', 'users.last_name'])
        .select(['members.role', 'members.created_at'])
        .execute()
    },
    async updateMember(workspaceUuid: string, userUuid: string, role: Role): Promise<void> {
      await db.sql
        .updateTable('members')
        .set({ role })
        .where('workspace_uuid', '=', workspaceUuid)
        .where('user_uuid', '=', userUuid)
        .execute()
    },
    /** The invitations that the member made go along: the links are known to them. */
    async removeMember(workspaceUuid: string, userUuid: string): Promise<void> {
      await this.removeInvitationsBy(userUuid, { workspaceUuid })
      await db.sql
        .deleteFrom('members')
        .where('workspace_uuid', '=', workspaceUuid)
        .where('user_uuid', '=', userUuid)
        .execute()
    },
    /** The other members of a user's workspaces. */
    othersIn(userUuid: string): Promise<MemberRow[]> {
      const own = db.sql.selectFrom('members').select('workspace_uuid').where('user_uuid', '=', userUuid)
      return db.sql
        .selectFrom('members')
        .selectAll()
        .where('workspace_uuid', 'in', own)
        .where('user_uuid', '!=', userUuid)
        .execute()
    },

    async insertInvitation(row: InvitationRow): Promise<void> {
      await db.sql.insertInto('invitations').values(row).execute()
    },
    listInvitations(uuid: string, nowMs: number): Promise<InvitationRow[]> {
      return db.sql
        .selectFrom('invitations')
        .selectAll()
        .where('workspace_uuid', '=', uuid)
        .where('expires_at', '>', nowMs)
        .orderBy('uuid', 'desc')
        .execute()
    },
    /** A valid invitation: the workspace exists and is not suspended, and it has not expired. */
    findInvitation(tokenHash: string, nowMs: number): Promise<InvitationRow | undefined> {
      const suspended = db.sql.selectFrom('blocks').select('subject').where('kind', '=', 'user')
      return db.sql
        .selectFrom('invitations')
        .innerJoin('workspaces', 'workspaces.uuid', 'invitations.workspace_uuid')
        .selectAll('invitations')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', nowMs)
        .where('workspaces.removed_at', 'is', null)
        .where('workspace_uuid', 'not in', suspended)
        .executeTakeFirst()
    },
    async removeInvitation(workspaceUuid: string, uuid: string): Promise<boolean> {
      const { numDeletedRows } = await db.sql
        .deleteFrom('invitations')
        .where('workspace_uuid', '=', workspaceUuid)
        .where('uuid', '=', uuid)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    /** Deletes invitations that a user made: in one workspace or in all, to some roles or to all. */
    async removeInvitationsBy(
      userUuid: string,
      { workspaceUuid, to = roles }: { workspaceUuid?: string; to?: readonly Role[] } = {},
    ): Promise<void> {
      const rows = db.sql.deleteFrom('invitations').where('created_by', '=', userUuid).where('role', 'in', to)
      await (workspaceUuid === undefined ? rows : rows.where('workspace_uuid', '=', workspaceUuid)).execute()
    },
    /** Deletes expired invitations of all workspaces. */
    async removeExpiredInvitations(nowMs: number): Promise<void> {
      await db.sql.deleteFrom('invitations').where('expires_at', '<=', nowMs).execute()
    },
  }
}

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>
