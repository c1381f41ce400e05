import type { Insertable } from 'kysely'
import { dataFolder } from '../storage/data-folder.ts'
import type { Database } from '../storage/db/database.ts'
import type { LinkRow } from '../storage/db/tables.ts'
import { insertTestUser, type Place } from '../storage/db/testing.ts'
import { type StoredClick, TEXT_COLUMNS, type TextColumn } from './batches/stored-click.ts'
import type { ClickStore } from './counting/click-store.ts'
import type { ClickDatabase } from './counting/ingest-host.ts'
import { openPostgresStore } from './counting/postgres-store.ts'
import { openSqliteStore } from './counting/sqlite-store.ts'
import type { LiveClick } from './live/live-click.ts'
import { databaseStatistics } from './statistics/database.ts'
import type { ExportedClick } from './statistics/statistics.ts'

export function clickDatabase({ url, dataDir }: Place): ClickDatabase {
  return url === undefined
    ? { engine: 'sqlite', file: `${dataDir}/${dataFolder.database}` }
    : { engine: 'postgres', url }
}

export function openTestStore(place: Place): ClickStore {
  const database = clickDatabase(place)
  return database.engine === 'sqlite'
    ? openSqliteStore(database.file)
    : openPostgresStore(database.url, () => undefined)
}

/** Merges batches of the oldest day before this one; false if there is none. */
export async function mergeOldestDay(store: ClickStore, beforeDay: number): Promise<boolean> {
  const oldest = await store.oldestOpenDay(beforeDay, [])
  if (oldest !== undefined) await store.merge(oldest, true)
  return oldest !== undefined
}

/** A click; by default of a visitor with an iPhone in Germany. */
export function storedClick(
  resourceUuid: string,
  atMs: number,
  fields: Partial<StoredClick> = {},
): StoredClick {
  const unknown = Object.fromEntries(TEXT_COLUMNS.map((column) => [column, '']))
  return {
    ...(unknown as Record<TextColumn, string>),
    atMs,
    kind: 'link',
    resourceUuid,
    country: 'DE',
    device: 'mobile',
    browser: 'Safari',
    system: 'iOS',
    language: 'de',
    scanned: false,
    bot: false,
    visitor: 1,
    ...fields,
  }
}

/** The single clicks that are stored for a link or page. */
export async function storedClicksOf(
  db: Database,
  workspaceUuid: string,
  resourceUuid: string,
): Promise<ExportedClick[]> {
  const query = {
    workspaceUuid,
    scope: [resourceUuid],
    retainedFromMs: 0,
    fromMs: 0,
    toMs: Date.UTC(3_000, 0),
  }
  const clicks: ExportedClick[] = []
  for await (const click of databaseStatistics(db, undefined).clicks(query)) clicks.push(click)
  return clicks
}

/** Inserts a link, and a user for it unless one is given. Other fields have defaults. */
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

/** A page to view; returns its uuid. */
export async function insertTestPage(db: Database, workspaceUuid: string): Promise<string> {
  const uuid = crypto.randomUUID()
  const texts = {
    uuid,
    workspace_uuid: workspaceUuid,
    domain: '',
    slug: uuid,
    title: '',
    config: '{}',
    version: '',
  }
  const rest = { link_uuid: null, qrcode_uuid: null, views: 0, created_at: 0, updated_at: 0, trashed_at: 0 }
  await db.write(() =>
    db.sql
      .insertInto('pages')
      .values({ ...texts, ...rest })
      .execute(),
  )
  return uuid
}

export async function readLink(db: Database, uuid: string): Promise<LinkRow> {
  return db.sql.selectFrom('links').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()
}

/** A click as listeners receive it. */
export const liveClick = (resourceUuid: string, more: Partial<LiveClick> = {}): LiveClick => ({
  atMs: 0,
  kind: 'link',
  resourceUuid,
  detail: '',
  country: 'DE',
  referrer: '',
  device: 'mobile',
  browser: 'Safari',
  system: 'iOS',
  language: 'de',
  variant: '',
  rule: '',
  scanned: false,
  bot: false,
  domain: '',
  name: 'abc',
  ...more,
})
