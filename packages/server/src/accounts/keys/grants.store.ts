import type { Role } from '@waymark/contract'
import { type ListWindow, pageOf } from '../../modules/owned/listing.ts'
import type { Database } from '../../storage/db/database.ts'
import type { ApiKeyRow, TokenRow } from '../../storage/db/tables.ts'

interface Rows {
  readonly api_keys: ApiKeyRow
  readonly tokens: TokenRow
}

export type GrantTable = keyof Rows
export type GrantRow<Table extends GrantTable> = Rows[Table]

/** Which of them the command line lists. */
export interface GrantFilter {
  /** Of the user who created them. */
  readonly email?: string | undefined
  readonly workspaceUuid?: string | undefined
}

/** The column with the value that requests send, or its hash. */
const SENT = { api_keys: 'api_key', tokens: 'token_hash' } as const

/** API keys or access tokens: rows with scopes, an expiry, addresses and a creator. */
export function createGrantStore<Table extends GrantTable>(db: Database, name: Table) {
  type Row = GrantRow<Table>
  // Both tables have the columns used here, so the types of one represent both.
  const table = name as 'tokens'
  const sent = SENT[name] as 'token_hash'
  const usable = () => db.sql.selectFrom(table).selectAll(table).where('revoked_at', 'is', null)

  return {
    /**
     * Whether a user is still a member. Locks the workspace, as changes of members do: a key that is created while its
     * creator is removed is then revoked with the others, or rejected.
     */
    async lockMember(workspaceUuid: string, userUuid: string): Promise<boolean> {
      const workspace = db.sql.selectFrom('workspaces').select('uuid').where('uuid', '=', workspaceUuid)
      await db.dialect.locking(workspace).execute()
      const member = await db.sql
        .selectFrom('members')
        .innerJoin('workspaces', 'workspaces.uuid', 'members.workspace_uuid')
        .select('role')
        .where('workspace_uuid', '=', workspaceUuid)
        .where('user_uuid', '=', userUuid)
        .where('removed_at', 'is', null)
        .executeTakeFirst()
      return member !== undefined
    },
    /** Whether a user exists; locked, so that the removal of the user revokes what is created now. */
    async lockUser(userUuid: string): Promise<boolean> {
      const user = db.sql.selectFrom('users').select('uuid').where('uuid', '=', userUuid)
      return (await db.dialect.locking(user.where('removed_at', 'is', null)).execute()).length > 0
    },
    async hasSession(uuid: string): Promise<boolean> {
      const session = db.sql.selectFrom('sessions').select('uuid').where('uuid', '=', uuid)
      return (await session.executeTakeFirst()) !== undefined
    },
    async insert(row: Row): Promise<void> {
      await db.sql
        .insertInto(table)
        .values(row as TokenRow)
        .execute()
    },
    /** One that is usable: not revoked, and its workspace exists. */
    async find(value: string): Promise<Row | undefined> {
      const row = await usable()
        .innerJoin('workspaces', 'workspaces.uuid', `${table}.workspace_uuid`)
        .where('workspaces.removed_at', 'is', null)
        .where(sent, '=', value)
        .executeTakeFirst()
      return row as Row | undefined
    },
    /** Those that can be used at a time. */
    async findAll(uuids: readonly string[], at: number): Promise<Row[]> {
      if (uuids.length === 0) return []
      const rows = usable()
        .where('uuid', 'in', uuids)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
      return (await rows.execute()) as Row[]
    },
    async list(workspaceUuid: string, window: ListWindow): Promise<Row[]> {
      const rows = pageOf(usable().where('workspace_uuid', '=', workspaceUuid), window)
      return (await rows.execute()) as Row[]
    },
    async count(workspaceUuid: string): Promise<number> {
      const row = await db.sql
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('workspace_uuid', '=', workspaceUuid)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return row?.count ?? 0
    },
    /** Returns whether there was one to revoke. */
    async revoke(workspaceUuid: string, uuid: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db.sql
        .updateTable(table)
        .set({ revoked_at: at })
        .where('workspace_uuid', '=', workspaceUuid)
        .where('uuid', '=', uuid)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** Deletes the invitations that one of them made. */
    async removeInvitationsBy(workspaceUuid: string, uuid: string): Promise<void> {
      await db.sql
        .deleteFrom('invitations')
        .where('workspace_uuid', '=', workspaceUuid)
        .where('credential_uuid', '=', uuid)
        .execute()
    },
    /** Revokes those that a user created, in one workspace or in all; or keeps them with a role and without a creator. */
    async endAll(userUuid: string, at: number, workspaceUuid?: string, keptRole?: Role): Promise<void> {
      const rows = db.sql
        .updateTable(table)
        .set(
          keptRole === undefined
            ? { revoked_at: at }
            : { created_by: null, by_operator: 0, kept_role: keptRole },
        )
        .where('created_by', '=', userUuid)
        .where('revoked_at', 'is', null)
      await (workspaceUuid === undefined ? rows : rows.where('workspace_uuid', '=', workspaceUuid)).execute()
    },
    /** All usable ones, with the address of their creator if they have one, for the command line. */
    async listAll({ email, workspaceUuid }: GrantFilter = {}): Promise<(Row & { email: string | null })[]> {
      let rows = usable().leftJoin('users', 'users.uuid', `${table}.created_by`).select('users.email')
      if (email !== undefined) rows = rows.where('users.email', '=', email)
      if (workspaceUuid !== undefined) rows = rows.where('workspace_uuid', '=', workspaceUuid)
      return (await rows.orderBy(`${table}.uuid`).execute()) as unknown as (Row & { email: string | null })[]
    },
    async touch(uuid: string, at: number): Promise<void> {
      await db.sql.updateTable(table).set({ last_used_at: at }).where('uuid', '=', uuid).execute()
    },
  }
}
