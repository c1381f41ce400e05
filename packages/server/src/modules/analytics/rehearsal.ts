import { setTimeout as delay } from 'node:timers/promises'
import { schemas } from '@waymark/contract/schemas'
import { scopeKey } from '../../clicks/counting/scope-key.ts'
import { hasAtMost, linksOf } from '../../clicks/statistics/analytics-scope.ts'
import { readStats } from '../../clicks/statistics/read-stats.ts'
import { DAY_MS, isoTime } from '../../work/times.ts'
import type { Database } from '../../storage/db/database.ts'
import type { AnalyticsService } from './analytics.service.ts'

/** After what else a start does. */
const AFTER_START_MS = 2_000
/** Some, because V8 compiles a loop once it has run for a while. */
const ROUNDS = 5
const PAUSE_MS = 100
const ACCOUNTS = 20
/** So many links of an account are looked at. */
const SAMPLE = 5_000
/** Whose tags are the first that users ask about. */
const TAGS_OF = 50
const MAX_TAGS = 3
const MAX_DOMAINS = 2
/** A tag or a domain of more links is left to the user who asks about it: reading them takes a while. */
const MAX_LINKS = 50_000

export interface RehearsalDeps {
  readonly db: Database
  readonly analytics: AnalyticsService
  readonly now: () => number
  readonly newId: () => string
  readonly afterStartMs?: number
}

/**
 * Asks for a year of clicks some times after a start: the first questions of a process take several times as long as the
 * later ones, and this way users do not wait for them. What tags and domains add up to stays in memory. Returns how many
 * rounds there were.
 */
export async function rehearse(
  { db, analytics, now, newId, afterStartMs = AFTER_START_MS }: RehearsalDeps,
  closing: AbortSignal,
): Promise<number> {
  if (!(await slept(afterStartMs, closing))) return 0
  const userId = await busyAccount(db)
  if (userId === undefined) return 0
  const toMs = now()
  const fromMs = toMs - 365 * DAY_MS
  const year = { from: isoTime(fromMs), to: isoTime(toMs), by: 'country' }
  const about = (scope: readonly string[]): Promise<unknown> =>
    readStats(db, { userId, scope, fromMs, toMs, interval: 'day', by: 'country' })
  const links = await sampleLinks(db, userId)
  const uuids = links.map(({ uuid }) => uuid)
  for (let round = 1; round <= ROUNDS; round++) {
    // As a request would, from its query on. No link has this tag.
    for (const scope of [{}, { tag: newId() }, ...someLinks(uuids, round)])
      await analytics.get(userId, schemas.analytics.query.parse({ ...year, ...scope }))
    // Every second link and one that does not exist: such a set is in memory for no other question.
    await about([...uuids.filter((_, n) => n % 2 === round % 2), newId()])
    if (!(await slept(PAUSE_MS, closing))) return round
  }
  for (const scope of await frequentScopes(db, userId, links)) {
    await about(scope)
    if (!(await slept(PAUSE_MS, closing))) break
  }
  return ROUNDS
}

/** One link, and twenty, other ones in each round: nothing about them is in memory. */
function someLinks(uuids: readonly string[], round: number): { uuid: string }[] {
  const some = uuids.slice(20 * round, 20 * (round + 1))
  return some.length === 0 ? [] : [some.slice(0, 1), some].map((own) => ({ uuid: own.join(',') }))
}

interface SampleLink {
  readonly uuid: string
  readonly domain: string
}

const sampleLinks = (db: Database, userId: string): Promise<SampleLink[]> =>
  db.sql
    .selectFrom('links')
    .select(['uuid', 'domain'])
    .where('workspace_uuid', '=', userId)
    .where('trashed_at', '=', 0)
    .limit(SAMPLE)
    .execute()

/** The links of some tags and domains that many of the account's links have. */
async function frequentScopes(
  db: Database,
  userId: string,
  links: readonly SampleLink[],
): Promise<readonly string[][]> {
  if (links.length === 0) return []
  const uuids = links.slice(0, TAGS_OF).map(({ uuid }) => uuid)
  const tagged = await db.sql.selectFrom('link_tags').select('tag').where('link_uuid', 'in', uuids).execute()
  const frequent = (values: readonly string[], most: number): string[] =>
    [...Map.groupBy(values, (value) => value)]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .slice(0, most)
      .map(([value]) => value)
  const tags = frequent(
    tagged.map(({ tag }) => tag),
    MAX_TAGS,
  )
  const domains = frequent(
    links.map(({ domain }) => domain),
    MAX_DOMAINS,
  )
  const scopes: string[][] = []
  for (const scope of [
    ...tags.map((tag) => ({ tag, domain: undefined })),
    ...domains.map((domain) => ({ tag: undefined, domain })),
  ])
    if (await hasAtMost(db, userId, scope, MAX_LINKS)) scopes.push(await linksOf(db, userId, scope))
  return scopes
}

/** Of the oldest accounts the one with most weeks of clicks. */
async function busyAccount(db: Database): Promise<string | undefined> {
  const workspaces = await db.sql
    .selectFrom('workspaces')
    .select('uuid')
    .where('removed_at', 'is', null)
    .orderBy('uuid')
    .limit(ACCOUNTS)
    .execute()
  const byKey = new Map(workspaces.map(({ uuid }) => [scopeKey(uuid), uuid]))
  if (byKey.size === 0) return undefined
  const busiest = await db.sql
    .selectFrom('click_weeks')
    .select(['user_key', (eb) => eb.fn.countAll().as('weeks')])
    .where('user_key', 'in', [...byKey.keys()])
    .where('part', '=', 'contents')
    .groupBy('user_key')
    .orderBy('weeks', 'desc')
    .limit(1)
    .executeTakeFirst()
  return busiest && byKey.get(busiest.user_key)
}

/** False if the server closes meanwhile. */
const slept = (ms: number, closing: AbortSignal): Promise<boolean> =>
  delay(ms, true, { ref: false, signal: closing }).catch(() => false)
