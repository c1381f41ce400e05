import type { LinkRule, LinkVariant } from '@waymark/contract/schemas'
import type { Database as Sqlite, Statement } from 'better-sqlite3'
import type { StoredPreview } from '../../storage/db/tables.ts'
import { BLOCKED, type Extras, type RedirectStatus, REMOVED, type Target } from './decide.ts'
import { type Blockable, compileRouting, headerSafe, type Routing, type RoutingTools } from './routing.ts'

export type TargetFound = (error: unknown, target: Target | null) => void

/** Looks up the target of a short code. SQLite calls back before `find` returns: that path has no promise. */
export interface Lookup {
  find(domain: string, shortCode: string, done: TargetFound): void
}

/** The keyed hash of an erased short code. */
export type TombstoneHash = (domain: string, shortCode: string) => string

/** The columns of a look-up, in the order in which both engines select them. */
export type TargetRow = readonly [
  linkId: string,
  url: string,
  redirect: number,
  expiresAtMs: number | null,
  removedAtMs: number | null,
  passwordHash: string | null,
  maxClicks: number | null,
  iosUrl: string | null,
  androidUrl: string | null,
  startsAtMs: number | null,
  forwardsQuery: number,
  rules: string | null,
  variants: string | null,
  workspaceUuid: string,
  preview: string | null,
  forwardsPath: number,
]

/**
 * A deleted link is in the trash first. A deleted account has a row in `erasures` until its last link is deleted: that table
 * is almost empty, so checking it is much cheaper than reading the user. A domain that moved to another account serves only
 * the links of that account.
 */
export const TARGET_COLUMNS = `l.uuid, l.url, l.redirect, l.expires_at,
  coalesce(e.requested_at, nullif(l.trashed_at, 0), case when d.workspace_uuid <> l.workspace_uuid then 1 end),
  l.password_hash, l.max_clicks, l.ios_url, l.android_url, l.starts_at, l.forward_query,
  l.rules, l.variants, l.workspace_uuid, l.preview, l.forward_path`

const STATUSES: ReadonlySet<number> = new Set<RedirectStatus>([301, 302, 307, 308])

/** Converts a stored row into a target; null if the destination is invalid in a header. */
export function toTarget(row: TargetRow, tools: RoutingTools): Target | null {
  const [linkId, storedUrl, redirect, expiresAtMs, removedAtMs] = row
  if (tools.isBlocked?.(blockable(row)) === true) return BLOCKED
  if (removedAtMs !== null) return REMOVED
  const url = headerSafe(storedUrl)
  if (url === null) return null
  const status = STATUSES.has(redirect) ? (redirect as RedirectStatus) : 302
  return { linkId, url, status, expiresAtMs, removed: false, extras: toExtras(row, tools) }
}

function blockable(row: TargetRow): Blockable {
  const [uuid, url, , , , , , iosUrl, androidUrl, , , rules, variants, workspaceUuid] = row
  const urls = (): string[] => [
    ...[url, iosUrl, androidUrl].filter((each) => each !== null),
    ...(rules === null ? [] : (JSON.parse(rules) as LinkRule[]).map(({ to }) => to)),
    ...(variants === null ? [] : (JSON.parse(variants) as LinkVariant[]).map((variant) => variant.url)),
  ]
  return { uuid, workspaceUuid, urls }
}

function toExtras(row: TargetRow, tools: RoutingTools): Extras | null {
  const [, , , , , passwordHash, maxClicks, , , startsAtMs, , , , , stored] = row
  const routing = toRouting(row, tools)
  if (
    startsAtMs === null &&
    maxClicks === null &&
    passwordHash === null &&
    routing === null &&
    stored === null
  )
    return null
  const preview = stored === null ? null : (JSON.parse(stored) as StoredPreview)
  return { startsAtMs, maxClicks, passwordHash, routing, preview }
}

function toRouting(row: TargetRow, tools: RoutingTools): Routing | null {
  const [, , , , , , , iosUrl, androidUrl, , forwardsQuery, rules, variants, , , forwardsPath] = row
  const isForwarding = forwardsQuery === 1 || forwardsPath === 1
  if (iosUrl === null && androidUrl === null && !isForwarding && rules === null && variants === null)
    return null
  const stored = {
    rules: rules === null ? [] : (JSON.parse(rules) as LinkRule[]),
    variants: variants === null ? [] : (JSON.parse(variants) as LinkVariant[]),
    iosUrl,
    androidUrl,
    forwardsQuery: forwardsQuery === 1,
    forwardsPath: forwardsPath === 1,
  }
  return compileRouting(stored, tools)
}

/** A prepared statement on a read-only handle. */
export function sqliteLookup(reader: Sqlite, tombstoneHash: TombstoneHash, tools: RoutingTools): Lookup {
  const byShortCode: Statement<[string, string], TargetRow> = reader
    .prepare<[string, string], TargetRow>(
      `select ${TARGET_COLUMNS} from short_codes c
        join links l on l.uuid = c.link_uuid
        left join erasures e on e.workspace_uuid = l.workspace_uuid
        left join domains d on d.name = c.domain
        where c.domain = ? and c.short_code = ?`,
    )
    .raw()
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
