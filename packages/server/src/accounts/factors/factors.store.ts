import type { Database } from '../../storage/db/database.ts'
import type { SignInChallengeRow, TotpFactorRow } from '../../storage/db/tables.ts'

export function createFactorStore(db: Database) {
  return {
    findTotp(userUuid: string): Promise<TotpFactorRow | undefined> {
      return db.sql
        .selectFrom('totp_factors')
        .selectAll()
        .where('user_uuid', '=', userUuid)
        .executeTakeFirst()
    },
    /** Replaces a secret that was never confirmed. False when there is a confirmed one. */
    async insertTotp(row: TotpFactorRow): Promise<boolean> {
      await db.sql
        .deleteFrom('totp_factors')
        .where('user_uuid', '=', row.user_uuid)
        .where('confirmed_at', 'is', null)
        .execute()
      const result = await db.sql
        .insertInto('totp_factors')
        .values(row)
        .onConflict((conflict) => conflict.column('user_uuid').doNothing())
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
    },
    /** Confirms this very secret. False when it was replaced or confirmed meanwhile. */
    async confirmTotp({ user_uuid, secret_sealed }: TotpFactorRow, at: number): Promise<boolean> {
      const result = await db.sql
        .updateTable('totp_factors')
        .set({ confirmed_at: at })
        .where('user_uuid', '=', user_uuid)
        .where('secret_sealed', '=', secret_sealed)
        .where('confirmed_at', 'is', null)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    /** Uses the code of a step up. False when it, or a later one, was used before: of two processes, one succeeds. */
    async useStep(userUuid: string, step: number): Promise<boolean> {
      const result = await db.sql
        .updateTable('totp_factors')
        .set({ last_step: step })
        .where('user_uuid', '=', userUuid)
        .where('last_step', '<', step)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async removeTotp(userUuid: string): Promise<boolean> {
      const result = await db.sql
        .deleteFrom('totp_factors')
        .where('user_uuid', '=', userUuid)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
    async replaceRecoveryCodes(userUuid: string, hashes: readonly string[]): Promise<void> {
      await db.sql.deleteFrom('recovery_codes').where('user_uuid', '=', userUuid).execute()
      if (hashes.length === 0) return
      const rows = hashes.map((code_hash) => ({ user_uuid: userUuid, code_hash }))
      await db.sql.insertInto('recovery_codes').values(rows).execute()
    },
    /** Uses a recovery code up. False when there is no such code, or it was used. */
    async useRecoveryCode(userUuid: string, codeHash: string): Promise<boolean> {
      const result = await db.sql
        .deleteFrom('recovery_codes')
        .where('user_uuid', '=', userUuid)
        .where('code_hash', '=', codeHash)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
    async countRecoveryCodes(userUuid: string): Promise<number> {
      const { count } = await db.sql
        .selectFrom('recovery_codes')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('user_uuid', '=', userUuid)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    async insertChallenge(row: SignInChallengeRow): Promise<void> {
      await db.sql.insertInto('sign_in_challenges').values(row).execute()
    },
    async findChallenge(tokenHash: string, nowMs: number): Promise<string | undefined> {
      const row = await db.sql
        .selectFrom('sign_in_challenges')
        .select('user_uuid')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', nowMs)
        .executeTakeFirst()
      return row?.user_uuid
    },
    /** False when it was used before. */
    async removeChallenge(tokenHash: string): Promise<boolean> {
      const result = await db.sql
        .deleteFrom('sign_in_challenges')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
    async removeChallenges(userUuid: string): Promise<void> {
      await db.sql.deleteFrom('sign_in_challenges').where('user_uuid', '=', userUuid).execute()
    },
    async removeExpiredChallenges(nowMs: number): Promise<void> {
      await db.sql.deleteFrom('sign_in_challenges').where('expires_at', '<=', nowMs).execute()
    },
  }
}

export type FactorStore = ReturnType<typeof createFactorStore>
