import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** Keys that must outlive a change of the secret, sealed with the secret. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'kept_keys', {
    columns: { name: 'key', sealed: 'text' },
    primary: ['name'],
    clustered: true,
  })
}
