import { OperatorError } from '../net/errors.ts'
import { derivedKey, type Secrets } from './secrets.ts'
import type { Database } from './db/database.ts'

/** The key of tombstones. Their hashes cannot be recomputed, because the hashed names are deleted. */
export const TOMBSTONE_KEY = 'tombstone'

/**
 * A key that does not change with the secret. The first start derives it from the current secret and stores it sealed; so
 * does a start that finds none but has a previous secret.
 */
export async function storedKey(
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
  return kept === undefined ? derived : Buffer.from(openStoredKey(secrets, name, kept.sealed), 'base64')
}

/** Opens a stored key, which requires the right secret: every start and `waymark doctor` check the secret with it. */
export function openStoredKey(secrets: Secrets, name: string, sealed: string): string {
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
