import { createHash, randomBytes } from 'node:crypto'
import type { Updateable } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import type { EmailConfirmationRow, SessionRow } from '../../storage/db/tables.ts'

export type { SessionRow }

export function createSessionStore(db: Database) {
  return {
    async insert(row: SessionRow): Promise<void> {
      await db.sql.insertInto('sessions').values(row).execute()
    },
    /** By the current or previous token. */
    findByToken(tokenHash: string, nowMs: number): Promise<SessionRow | undefined> {
      return db.sql
        .selectFrom('sessions')
        .innerJoin('users', 'users.uuid', 'sessions.user_uuid')
        .selectAll('sessions')
        .where('users.removed_at', 'is', null)
        .where((eb) => eb.or([eb('token_hash', '=', tokenHash), eb('previous_token_hash', '=', tokenHash)]))
        .where('expires_at', '>', nowMs)
        .executeTakeFirst()
    },
    find(uuid: string): Promise<SessionRow | undefined> {
      return db.sql.selectFrom('sessions').selectAll().where('uuid', '=', uuid).executeTakeFirst()
    },
    /** Whether it has not ended; locked, so that it ends only after the running transaction. */
    async lock(uuid: string): Promise<boolean> {
      const session = db.sql.selectFrom('sessions').select('uuid').where('uuid', '=', uuid)
      return (await db.dialect.locking(session).execute()).length > 0
    },
    /** The uuids of those that have not ended. */
    async findAll(uuids: readonly string[], nowMs: number): Promise<string[]> {
      if (uuids.length === 0) return []
      const rows = await db.sql
        .selectFrom('sessions')
        .select('uuid')
        .where('uuid', 'in', uuids)
        .where('expires_at', '>', nowMs)
        .execute()
      return rows.map(({ uuid }) => uuid)
    },
    list(userUuid: string, nowMs: number): Promise<SessionRow[]> {
      return db.sql
        .selectFrom('sessions')
        .selectAll()
        .where('user_uuid', '=', userUuid)
        .where('expires_at', '>', nowMs)
        .orderBy('last_used_at', 'desc')
        .execute()
    },
    /** Changes a session only if its token is unchanged: of two concurrent requests, one rotates it. */
    async update(uuid: string, tokenHash: string, changes: Updateable<SessionRow>): Promise<boolean> {
      const result = await db.sql
        .updateTable('sessions')
        .set(changes)
        .where('uuid', '=', uuid)
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async prove(uuid: string, tokenHash: string, at: number): Promise<boolean> {
      const result = await db.sql
        .updateTable('sessions')
        .set((eb) => ({
          token_hash: tokenHash,
          previous_token_hash: eb.ref('token_hash'),
          rotated_at: at,
          proved_at: at,
          last_used_at: at,
        }))
        .where('uuid', '=', uuid)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async remove(userUuid: string, uuid: string): Promise<boolean> {
      const result = await db.sql
        .deleteFrom('sessions')
        .where('user_uuid', '=', userUuid)
        .where('uuid', '=', uuid)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
    async removeOthers(userUuid: string, kept: string | undefined): Promise<void> {
      const others = db.sql.deleteFrom('sessions').where('user_uuid', '=', userUuid)
      await (kept === undefined ? others : others.where('uuid', '!=', kept)).execute()
    },
    async removeExpired(nowMs: number): Promise<void> {
      await db.sql.deleteFrom('sessions').where('expires_at', '<=', nowMs).execute()
      await db.sql.deleteFrom('password_resets').where('expires_at', '<=', nowMs).execute()
      await db.sql.deleteFrom('email_confirmations').where('expires_at', '<=', nowMs).execute()
    },
    async insertReset(tokenHash: string, userUuid: string, expiresAt: number): Promise<void> {
      const values = { token_hash: tokenHash, user_uuid: userUuid, expires_at: expiresAt }
      await db.sql.insertInto('password_resets').values(values).execute()
    },
    /** The user of a valid reset token. */
    async findReset(tokenHash: string, nowMs: number): Promise<string | undefined> {
      const row = await db.sql
        .selectFrom('password_resets')
        .select('user_uuid')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', nowMs)
        .executeTakeFirst()
      return row?.user_uuid
    },
    /** The user of a reset token, which is used up. */
    async takeReset(tokenHash: string, nowMs: number): Promise<string | undefined> {
      const row = await db.sql
        .deleteFrom('password_resets')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', nowMs)
        .returning('user_uuid')
        .executeTakeFirst()
      return row?.user_uuid
    },
    async insertConfirmation(row: EmailConfirmationRow): Promise<void> {
      await db.sql.insertInto('email_confirmations').values(row).execute()
    },
    /** The pending confirmation of an account. */
    findConfirmation(userUuid: string, nowMs: number): Promise<EmailConfirmationRow | undefined> {
      return db.sql
        .selectFrom('email_confirmations')
        .selectAll()
        .where('user_uuid', '=', userUuid)
        .where('expires_at', '>', nowMs)
        .executeTakeFirst()
    },
    /** A confirmation, which is used up. */
    takeConfirmation(tokenHash: string, nowMs: number): Promise<EmailConfirmationRow | undefined> {
      return db.sql
        .deleteFrom('email_confirmations')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', nowMs)
        .returningAll()
        .executeTakeFirst()
    },
    /** Cancels a change of address, with the token that was sent to the current one. */
    async cancelConfirmation(cancelHash: string, nowMs: number): Promise<boolean> {
      const result = await db.sql
        .deleteFrom('email_confirmations')
        .where('cancel_hash', '=', cancelHash)
        .where('expires_at', '>', nowMs)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
    /** Cancels a pending change of address; a new account can still confirm its address. */
    async removeEmailChange(userUuid: string): Promise<void> {
      await db.sql
        .deleteFrom('email_confirmations')
        .where('user_uuid', '=', userUuid)
        .where('cancel_hash', 'is not', null)
        .execute()
    },
    async removeConfirmations(userUuid: string): Promise<void> {
      await db.sql.deleteFrom('email_confirmations').where('user_uuid', '=', userUuid).execute()
    },
    async removeResets(userUuid: string): Promise<void> {
      await db.sql.deleteFrom('password_resets').where('user_uuid', '=', userUuid).execute()
    },
  }
}

export type SessionStore = ReturnType<typeof createSessionStore>

/** A token that is sent by mail; only its hash is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
