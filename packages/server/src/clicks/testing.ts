import type { Insertable } from 'kysely'
import { dataFolder } from '../storage/data-folder.ts'
import type { Database } from '../storage/db/database.ts'
import type { LinkRow } from '../storage/db/tables.ts'
import { insertTestUser, type Place } from '../storage/db/testing.ts'
import type { StoredClick } from './batches/stored-click.ts'
import type { KeptClick } from './batches/kept-click.ts'
import type { ClickStore } from './counting/click-store.ts'
import type { EnrichedClick } from './counting/enrich.ts'
import type { ClickDatabase } from './counting/ingest-messages.ts'
import { openPostgresStore } from './counting/postgres/store.ts'
import { openSqliteStore } from './counting/sqlite/store.ts'
import type { VisitLog } from './counting/visit-log.ts'
import { readSingleClicks } from './statistics/single-clicks.ts'

export function clickDatabase({ url, dataDir }: Place): ClickDatabase {
  return url === undefined
    ? { engine: 'sqlite', file: `${dataDir}/${dataFolder.database}` }
    : { engine: 'postgres', url }
}

export function openTestStore(place: Place, log?: VisitLog): ClickStore {
  const database = clickDatabase(place)
  return database.engine === 'sqlite'
    ? openSqliteStore(database.file, undefined, log)
    : openPostgresStore(database.url, () => undefined, log)
}

/** Closes the oldest day of a user before this one; false when there is none. */
export async function closeOldestDay(store: ClickStore, beforeDay: number): Promise<boolean> {
  const oldest = await store.oldestOpenDay(beforeDay, [])
  if (oldest !== undefined) await store.merge(oldest, true)
  return oldest !== undefined
}

/** A click as it was read from the spool; what is left out is that of a visitor with an iPhone in Germany. */
export function enrichedClick(
  resourceUuid: string,
  atMs: number,
  fields: Partial<EnrichedClick> = {},
): EnrichedClick {
  return {
    atMs,
    kind: 'link',
    resourceUuid,
    detail: '',
    country: 'DE',
    referrer: '',
    device: 'mobile',
    browser: 'Safari',
    system: 'iOS',
    language: 'de',
    utm_source: '',
    utm_medium: '',
    utm_campaign: '',
    variant: '',
    rule: '',
    scanned: false,
    bot: false,
    visitor: 1,
    ...fields,
  }
}

/** A click as statistics store it; what is not given is that of a visitor with an iPhone in Germany. */
export const storedClick: (resourceUuid: string, atMs: number, fields?: Partial<StoredClick>) => StoredClick =
  enrichedClick

/** The single clicks that are kept for a link or page. */
export async function keptClicksOf(
  db: Database,
  userUuid: string,
  resourceUuid: string,
): Promise<KeptClick[]> {
  const clicks: KeptClick[] = []
  for await (const click of readSingleClicks(db, userUuid))
    if (click.resourceUuid === resourceUuid) clicks.push(click)
  return clicks
}

/** A link to click on; a user for it is made unless one is given, and what is left out has its default. */
export async function insertTestLink(db: Database, fields: Partial<LinkRow> = {}): Promise<LinkRow> {
  const row: Insertable<LinkRow> = {
    uuid: crypto.randomUUID(),
    workspace_uuid: fields.workspace_uuid ?? (await insertTestUser(db)),
    domain: '',
    short_code: crypto.randomUUID(),
    url: 'https://example.com/',
    custom: 0,
    redirect: 302,
    clicks: 0,
    bot_clicks: 0,
    imported_clicks: 0,
    archived: 0,
    forward_query: 0,
    forward_path: 0,
    created_at: 0,
    updated_at: 0,
    trashed_at: 0,
    ...fields,
  }
  await db.write(() => db.sql.insertInto('links').values(row).execute())
  return readLink(db, row.uuid)
}

export async function readLink(db: Database, uuid: string): Promise<LinkRow> {
  return db.sql.selectFrom('links').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()
}
