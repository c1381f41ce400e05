import type { Database as Sqlite, Statement } from 'better-sqlite3'
import { REMOVED } from './decide.ts'
import type { RedirectStatus, Rules, Target } from './decide.ts'

export type TargetFound = (error: unknown, target: Target | null) => void

/** Finds where a short code leads. SQLite calls back before `find` returns: there is no promise on that path. */
export interface Lookup {
  find(domain: string, shortCode: string, done: TargetFound): void
}

/** The keyed hash under which a short code that was given up for good is kept. */
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
]

/**
 * A removed link is in the trash first. A removed account stands in `erasures` until its last link is gone: that table
 * is next to empty, so looking into it costs a fraction of a look at the user.
 */
export const TARGET_COLUMNS = `l.uuid, l.url, l.redirect, l.expires_at,
  coalesce(e.requested_at, nullif(l.trashed_at, 0)),
  l.password_hash, l.max_clicks, l.ios_url, l.android_url`

const STATUSES: ReadonlySet<number> = new Set<RedirectStatus>([301, 302, 307, 308])
/** What a `location` header may hold: visible ASCII after http or https, so nothing can end the header early. */
const HEADER_SAFE_URL = /^https?:\/\/[\x21-\x7e]+$/

/** Turns a stored row into a target; a destination that is unfit for a header leads nowhere. */
export function toTarget(row: TargetRow): Target | null {
  const [linkId, storedUrl, redirect, expiresAtMs, removedAtMs] = row
  if (removedAtMs !== null) return REMOVED
  const url = headerSafe(storedUrl)
  if (url === null) return null
  const status = STATUSES.has(redirect) ? (redirect as RedirectStatus) : 302
  return { linkId, url, status, expiresAtMs, removed: false, rules: toRules(row) }
}

function toRules(row: TargetRow): Rules | null {
  const [, , , , , passwordHash, maxClicks, iosUrl, androidUrl] = row
  if (passwordHash === null && maxClicks === null && iosUrl === null && androidUrl === null) return null
  return {
    passwordHash,
    maxClicks,
    iosUrl: iosUrl === null ? null : headerSafe(iosUrl),
    androidUrl: androidUrl === null ? null : headerSafe(androidUrl),
  }
}

function headerSafe(url: string): string | null {
  if (HEADER_SAFE_URL.test(url)) return url
  const normal = URL.parse(url)?.href
  return normal !== undefined && HEADER_SAFE_URL.test(normal) ? normal : null
}

/** One kept prepared statement on a handle that only reads. */
export function sqliteLookup(reader: Sqlite, tombstoneHash: TombstoneHash): Lookup {
  const byShortCode: Statement<[string, string], TargetRow> = reader
    .prepare<[string, string], TargetRow>(
      `select ${TARGET_COLUMNS} from short_codes c
        join links l on l.uuid = c.link_uuid
        left join erasures e on e.user_uuid = l.user_uuid
        where c.domain = ? and c.short_code = ?`,
    )
    .raw()
  const buried = reader.prepare<[string]>('select 1 from tombstones where hash = ?').raw()
  const find = (domain: string, shortCode: string): Target | null => {
    const row = byShortCode.get(domain, shortCode)
    if (row !== undefined) return toTarget(row)
    return buried.get(tombstoneHash(domain, shortCode)) === undefined ? null : REMOVED
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
