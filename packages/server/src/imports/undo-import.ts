import type { Changes } from '../runtime/bus/changes.ts'
import type { Events } from '../runtime/events.ts'
import type { CheckTime } from '../runtime/jobs/batch.ts'
import type { Database } from '../storage/db/database.ts'
import type { Tombstones } from '../storage/tombstones.ts'
import type { Quotas } from '../accounts/users/quotas.ts'
import type { ImportRow, ImportStore } from './imports.store.ts'

export interface UndoDependencies {
  readonly db: Database
  readonly store: ImportStore
  readonly tombstones: Tombstones
  readonly events: Events
  readonly quotas: Quotas
  readonly changes: Changes
}

/**
 * Removes a batch of the links that an import created, inside a write; false when none is left. A short code that was
 * never clicked is free again, so that the corrected file can be imported. One that was clicked may be known to
 * people, so it answers 410 from now on, as that of any removed link. What is in the trash stays there.
 */
export async function removeImported(
  deps: UndoDependencies,
  row: ImportRow,
  take: number,
  checkTime: CheckTime,
): Promise<boolean> {
  const { db, store, tombstones, events, quotas, changes } = deps
  const uuids = await store.someLinks(row.uuid, take)
  if (uuids.length === 0) return false
  const links = await db.sql
    .selectFrom('links')
    .select(['uuid', 'clicks', 'bot_clicks'])
    .where('uuid', 'in', uuids)
    .where('user_uuid', '=', row.user_uuid)
    .where('trashed_at', '=', 0)
    .execute()
  const present = links.map(({ uuid }) => uuid)
  if (present.length > 0) {
    const clicked = new Set(links.flatMap((link) => (link.clicks + link.bot_clicks > 0 ? [link.uuid] : [])))
    const names = await db.sql
      .selectFrom('short_codes')
      .select(['domain', 'short_code', 'link_uuid'])
      .where('link_uuid', 'in', present)
      .execute()
    const known = names.filter(({ link_uuid }) => clicked.has(link_uuid))
    await tombstones.bury(known.map(({ domain, short_code }) => ['code', domain, short_code]))
    checkTime()
    await db.sql.deleteFrom('links').where('uuid', 'in', present).execute()
    checkTime()
    await events.record(row.user_uuid, 'link.removed', () => present.map((uuid) => ({ uuid })))
    db.afterCommit(() => names.forEach(({ domain, short_code }) => changes.target(domain, short_code)))
  }
  await store.removeLinks(row.uuid, uuids)
  checkTime()
  // Last, because on PostgreSQL other writes of the account wait from here to the commit.
  if (present.length > 0) await quotas.adjust(row.user_uuid, 'links', -present.length)
  return true
}
