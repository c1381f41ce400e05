import type { Database } from '../../storage/db/database.ts'
import type {
  CodeTriesRow,
  PasskeyRow,
  SignInChallengeRow,
  TotpFactorRow,
  UsedChallengeRow,
} from '../../storage/db/tables.ts'

export function createFactorStore(db: Database) {
  return {
    findTotp(userUuid: string): Promise<TotpFactorRow | undefined> {
      return db.sql
        .selectFrom('totp_factors')
        .selectAll()
        .where('user_uuid', '=', userUuid)
        .executeTakeFirst()
    },
    /** Replaces an unconfirmed secret. False if there is a confirmed one. */
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
    /** Confirms exactly this secret. False if it was replaced or confirmed meanwhile. */
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
    /** Uses up the step of a code. False if it or a later one was used: of two processes, one succeeds. */
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
    /** Uses up a recovery code. False if it does not exist or was used. */
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
    /** Counts a try and returns the number in its period; a later period replaces the row. */
    async addTry(row: CodeTriesRow): Promise<number> {
      const { count } = await db.sql
        .insertInto('code_tries')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['user_uuid', 'trier', 'period']).doUpdateSet((eb) => ({
            // The clock of another process may be a little behind.
            count: eb
              .case()
              .when('excluded.began_at', '>', eb.ref('code_tries.began_at'))
              .then(eb.ref('excluded.count'))
              .else(eb('code_tries.count', '+', eb.ref('excluded.count')))
              .end(),
            began_at: eb
              .case()
              .when('excluded.began_at', '>', eb.ref('code_tries.began_at'))
              .then(eb.ref('excluded.began_at'))
              .else(eb.ref('code_tries.began_at'))
              .end(),
          })),
        )
        .returning('count')
        .executeTakeFirstOrThrow()
      return count
    },
    async insertChallenge(row: SignInChallengeRow): Promise<void> {
      await db.sql.insertInto('sign_in_challenges').values(row).execute()
    },
    findChallenge(
      kind: SignInChallengeRow['kind'],
      tokenHash: string,
      nowMs: number,
    ): Promise<Pick<SignInChallengeRow, 'user_uuid' | 'first_step'> | undefined> {
      return db.sql
        .selectFrom('sign_in_challenges')
        .select(['user_uuid', 'first_step'])
        .where('token_hash', '=', tokenHash)
        .where('kind', '=', kind)
        .where('expires_at', '>', nowMs)
        .executeTakeFirst()
    },
    /** False if it was used before. */
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
      await db.sql.deleteFrom('used_challenges').where('expires_at', '<=', nowMs).execute()
    },
    /** Of two concurrent changes of a user's factors, the second sees the result of the first. */
    async lockUser(userUuid: string): Promise<void> {
      await db.dialect
        .locking(db.sql.selectFrom('users').select('uuid').where('uuid', '=', userUuid))
        .execute()
    },
    listPasskeys(userUuid: string): Promise<PasskeyRow[]> {
      return db.sql
        .selectFrom('passkeys')
        .selectAll()
        .where('user_uuid', '=', userUuid)
        .orderBy('uuid')
        .execute()
    },
    findPasskey(credentialId: string): Promise<PasskeyRow | undefined> {
      return db.sql
        .selectFrom('passkeys')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .executeTakeFirst()
    },
    /** False if it is stored already. */
    async insertPasskey(row: PasskeyRow): Promise<boolean> {
      const result = await db.sql
        .insertInto('passkeys')
        .values(row)
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
    },
    /** Updates the counter, from the value that the response was checked against. */
    async usePasskey({ uuid, counter }: PasskeyRow, next: number, at: number): Promise<boolean> {
      const result = await db.sql
        .updateTable('passkeys')
        .set({ counter: next, last_used_at: at })
        .where('uuid', '=', uuid)
        .where('counter', '=', counter)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async removePasskeys(userUuid: string, uuid?: string): Promise<boolean> {
      const all = db.sql.deleteFrom('passkeys').where('user_uuid', '=', userUuid)
      const result = await (uuid === undefined ? all : all.where('uuid', '=', uuid)).executeTakeFirst()
      return result.numDeletedRows > 0n
    },
    /** False if it was used before: of two processes, one succeeds. */
    async useChallenge(row: UsedChallengeRow): Promise<boolean> {
      const result = await db.sql
        .insertInto('used_challenges')
        .values(row)
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
    },
  }
}

export type FactorStore = ReturnType<typeof createFactorStore>
