import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** Earlier destinations of links, with rules and variants, as JSON. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.createTable(db, 'link_versions', {
    columns: {
      uuid: 'key',
      link_uuid: 'key',
      version: 'text',
      cause: 'key',
      cause_name: 'text?',
      created_at: 'int',
    },
    primary: ['uuid'],
    references: { link_uuid: 'links.uuid cascade' },
    indexes: [['link_uuid', 'uuid']],
    clustered: true,
  })
}
