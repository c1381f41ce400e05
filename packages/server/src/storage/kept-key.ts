import { OperatorError } from '../net/errors.ts'
import { derivedKey, type Secrets } from './secrets.ts'
import type { Database } from './db/database.ts'

/** The key of tombstones: the hashes cannot be computed again, because what was hashed is deleted. */
export const TOMBSTONE_KEY = 'tombstone'

/**
 * A key that stays the same when the secret changes. The first start derives it from the secret of that time and keeps
 * it, sealed; so does a start that finds none while a previous secret is given.
 */
export async function keptKey(
  db: Database,
  secrets: Secrets,
  name: string,
  firstSecret: string,
): Promise<Buffer> {
  const find = () =>
    db.sql.selectFrom('kept_keys').select('sealed').where('name', '=', name).executeTakeFirst()
  const derived = derivedKey(firstSecret, name)
  if ((await find()) === undefined) {
    const row = { name, sealed: secrets.seal(derived.toString('base64'), name) }
    await db.write(() =>
      db.sql
        .insertInto('kept_keys')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute(),
    )
  }
  const kept = await find()
  return kept === undefined ? derived : Buffer.from(openKept(secrets, name, kept.sealed), 'base64')
}

/** Opens a kept key, which only the secret of this data does: every start and `waymark doctor` check the secret by it. */
export function openKept(secrets: Secrets, name: string, sealed: string): string {
  try {
    return secrets.open(sealed, name)
  } catch (error) {
    throw new WrongSecretError({ cause: error })
  }
}

class WrongSecretError extends OperatorError {
  constructor(options: ErrorOptions) {
    super(
      'SECRET_KEY (or secret.key in DATA_DIR) is not the secret that this data is encrypted with: set that one, or give it as SECRET_KEY_PREVIOUS to replace it',
      options,
    )
  }
}
