import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** What operators have blocked: a link or an account by its uuid, a destination by its host. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'blocks', {
    columns: { subject: 'key', kind: 'key', reason: 'text?', created_at: 'int' },
    primary: ['subject'],
    clustered: true,
  })
}
