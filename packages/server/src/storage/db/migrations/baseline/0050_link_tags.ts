import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialect.ts'

/** Several tags per link. The index by the one tag gives way to a table that has them all. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await dialect.addColumn(db, 'links', 'more_tags', 'text?')
  await dialect.createTable(db, 'link_tags', {
    columns: { user_uuid: 'key', tag: 'key', link_uuid: 'key' },
    primary: ['user_uuid', 'tag', 'link_uuid'],
    references: { link_uuid: 'links.uuid cascade' },
    indexes: [['link_uuid']],
    clustered: true,
  })
  await sql`insert into link_tags (user_uuid, tag, link_uuid)
    select user_uuid, tag, uuid from links where tag is not null`.execute(db)
  await sql`drop index links_user_uuid_tag_uuid`.execute(db)
}
