import type { Database as Sqlite } from 'better-sqlite3'
import { storedUrls } from '../../storage/db/rows/link-destinations.ts'
import type { LinkRow, StoredPreview } from '../../storage/db/tables.ts'
import { BLOCKED, type Extras, type RedirectStatus, REMOVED, type Target } from './decide.ts'
import { compileRouting, headerSafe, type RoutingTools } from './routing.ts'

export type TargetFound = (error: unknown, target: Target | null) => void

/** Looks up the target of a short code. SQLite calls back before `find` returns: that path has no promise. */
export interface Lookup {
  find(domain: string, shortCode: string, done: TargetFound): void
}

/** The keyed hash of an erased short code. */
export type TombstoneHash = (domain: string, shortCode: string) => string

/** The columns of a link that a look-up reads. */
const LINK_COLUMNS = [
  'uuid',
  'workspace_uuid',
  'url',
  'redirect',
  'starts_at',
  'expires_at',
  'password_hash',
  'max_clicks',
  'expired_url',
  'ios_url',
  'android_url',
  'rules',
  'variants',
  'forward_query',
  'forward_path',
  'preview',
] as const satisfies readonly (keyof LinkRow)[]

/** A row of a look-up. `removed_at`: the link, its account or its domain is no longer served. */
export type TargetRow = Readonly<Pick<LinkRow, (typeof LINK_COLUMNS)[number]>> & {
  readonly removed_at: number | null
}

/**
 * A deleted link is in the trash first. A deleted account has a row in `erasures` until its last link is deleted: that table
 * is almost empty, so checking it is much cheaper than reading the user. A domain that moved to another account serves only
 * the links of that account.
 */
export const TARGET_COLUMNS = `${LINK_COLUMNS.map((column) => `l.${column}`).join(', ')},
  coalesce(e.requested_at, nullif(l.trashed_at, 0), case when d.workspace_uuid <> l.workspace_uuid then 1 end)
  as removed_at`

const STATUSES: ReadonlySet<number> = new Set<RedirectStatus>([301, 302, 307, 308])

/** Converts a stored row into a target; null if the destination is invalid in a header. */
export function toTarget(row: TargetRow, tools: RoutingTools): Target | null {
  const { uuid, workspace_uuid, redirect } = row
  const link = { uuid, workspaceUuid: workspace_uuid, urls: () => storedUrls(row) }
  if (tools.isBlocked?.(link) === true) return BLOCKED
  if (row.removed_at !== null) return REMOVED
  const url = headerSafe(row.url)
  if (url === null) return null
  const status = STATUSES.has(redirect) ? (redirect as RedirectStatus) : 302
  return {
    linkId: uuid,
    url,
    status,
    expiresAtMs: row.expires_at,
    removed: false,
    extras: toExtras(row, tools),
  }
}

function toExtras(row: TargetRow, tools: RoutingTools): Extras | null {
  const { starts_at, max_clicks, password_hash, expired_url, preview } = row
  const routing = compileRouting(row, tools)
  const extras = [starts_at, max_clicks, password_hash, expired_url, routing, preview]
  if (extras.every((value) => value === null)) return null
  return {
    expiredUrl: expired_url === null ? null : headerSafe(expired_url),
    startsAtMs: starts_at,
    maxClicks: max_clicks,
    passwordHash: password_hash,
    routing,
    preview: preview === null ? null : (JSON.parse(preview) as StoredPreview),
  }
}

/** A prepared statement on a read-only handle. */
export function sqliteLookup(reader: Sqlite, tombstoneHash: TombstoneHash, tools: RoutingTools): Lookup {
  const byShortCode = reader.prepare<[string, string], TargetRow>(
    `select ${TARGET_COLUMNS} from short_codes c
      join links l on l.uuid = c.link_uuid
      left join erasures e on e.workspace_uuid = l.workspace_uuid
      left join domains d on d.name = c.domain
      where c.domain = ? and c.short_code = ?`,
  )
  const erased = reader.prepare<[string]>('select 1 from tombstones where hash = ?').raw()
  const find = (domain: string, shortCode: string): Target | null => {
    const row = byShortCode.get(domain, shortCode)
    if (row !== undefined) return toTarget(row, tools)
    return erased.get(tombstoneHash(domain, shortCode)) === undefined ? null : REMOVED
  }
  return {
    find(domain, shortCode, done) {
      let target: Target | null
      try {
        target = find(domain, shortCode)
      } catch (error) {
        done(error, null)
        return
      }
      done(null, target)
    },
  }
}
