import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'leases', {
    columns: { name: 'key', holder: 'key', beat: 'int' },
    primary: ['name'],
    clustered: true,
  })
  await dialect.createTable(db, 'job_runs', {
    columns: { name: 'key', started_at: 'int', ended_at: 'int?' },
    primary: ['name'],
    clustered: true,
  })
}
