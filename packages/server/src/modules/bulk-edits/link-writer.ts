import type { Changes } from '../../net/bus/changes.ts'
import type { Events } from '../owned/events.ts'
import type { Database } from '../../storage/db/database.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import type { Cause, LinkHistory } from '../links/link-history.ts'
import type { LinkService } from '../links/links.service.ts'
import type { LinkStore } from '../links/links.store.ts'
import { changeTime } from '../owned/owned-rows.ts'
import { tagRows } from '../links/link-fields.ts'
import type { LinkChange } from './link-changes.ts'

export interface LinkWriterDependencies {
  readonly db: Database
  readonly events: Events
  readonly changes: Changes
  readonly links: LinkService
  readonly linkStore: LinkStore
  readonly history: LinkHistory
  readonly now: () => number
}

/** A locked link and its changes. */
interface PlannedLink {
  readonly row: LinkRow
  readonly change: LinkChange
}

/** Locks the links that exist, so that no other request can change them before this write ends. Inside a write. */
export async function lockLinks(
  db: Database,
  workspaceUuid: string,
  uuids: readonly string[],
): Promise<LinkRow[]> {
  if (uuids.length === 0) return []
  const query = db.sql
    .selectFrom('links')
    .selectAll()
    .where(db.dialect.ownedBy(workspaceUuid))
    .where('uuid', 'in', uuids)
    .orderBy('uuid')
  return db.dialect.locking(query).execute()
}

/**
 * Writes the changes of many locked links like single edits; inside a write. Links with equal changes share a statement, so
 * that the number of statements does not grow with the number of links. `pause` is called between
 * statements and may abort the write by throwing.
 */
export async function writeChanges(
  deps: LinkWriterDependencies,
  workspaceUuid: string,
  planned: readonly PlannedLink[],
  cause: Cause,
  pause?: () => void,
): Promise<void> {
  if (planned.length === 0) return
  const { events, links, history, now } = deps
  const nowMs = now()
  const edits = planned.map(({ row, change }) => {
    const columns = { ...change.columns, updated_at: changeTime(nowMs, row.updated_at) }
    return { row, change, columns, after: { ...row, ...columns } }
  })
  for (const [, alike] of Map.groupBy(edits, ({ columns }) => JSON.stringify(columns))) {
    const uuids = alike.map(({ row }) => row.uuid)
    await deps.db.sql
      .updateTable('links')
      .set(alike[0]?.columns ?? {})
      .where('uuid', 'in', uuids)
      .execute()
    pause?.()
  }
  await retag(deps, planned)
  pause?.()
  const redirected = edits.filter(({ row, after }) => after.expires_at !== row.expires_at)
  await history.recordMany(
    redirected.map(({ row, after }) => ({ before: row, after })),
    cause,
  )
  pause?.()
  await forgetTargets(deps, redirected)
  await events.record(workspaceUuid, 'link.edited', () => edits.map(({ after }) => links.present(after)))
}

async function retag(
  { db, linkStore }: LinkWriterDependencies,
  planned: readonly PlannedLink[],
): Promise<void> {
  const retagged = planned.filter(({ change }) => change.tags !== undefined)
  if (retagged.length === 0) return
  const uuids = retagged.map(({ row }) => row.uuid)
  await db.sql.deleteFrom('link_tags').where('link_uuid', 'in', uuids).execute()
  await linkStore.insertTags(retagged.flatMap(({ row, change: { tags = [] } }) => tagRows(row, tags)))
}

/** Makes every process look the links up again. */
async function forgetTargets(
  { db, changes, linkStore }: LinkWriterDependencies,
  redirected: readonly PlannedLink[],
): Promise<void> {
  if (redirected.length === 0) return
  const names = await linkStore.shortCodesOf(redirected.map(({ row }) => row.uuid))
  db.afterCommit(() => names.forEach(({ domain, short_code }) => changes.target(domain, short_code)))
}
