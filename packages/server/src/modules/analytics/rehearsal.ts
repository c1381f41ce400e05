import { setTimeout as delay } from 'node:timers/promises'
import { schemas } from '@waymark/contract/schemas'
import { scopeKey } from '../../clicks/counting/scope-key.ts'
import { readStats } from '../../clicks/statistics/statistics.ts'
import { DAY_MS, isoTime } from '../../runtime/times.ts'
import type { Database } from '../../storage/db/database.ts'
import type { AnalyticsService } from './analytics.service.ts'

/** After what else a start does. */
const AFTER_START_MS = 2_000
/** Of how many links a question each is asked; some, because V8 compiles a loop once it has run for a while. */
const QUESTIONS = [20, 5_000, 20, 5_000, 20]
const PAUSE_MS = 100
const ACCOUNTS = 20

export interface RehearsalDeps {
  readonly db: Database
  readonly analytics: AnalyticsService
  readonly now: () => number
  readonly newId: () => string
  readonly afterStartMs?: number
}

/**
 * Asks for a year of clicks some times after a start: the first questions of a process take several times as long as the
 * later ones, and this way users do not wait for them. Returns how many were asked.
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
  let asked = 0
  for (const count of QUESTIONS) {
    // As a request would, from its query on. No link has the tag: the links below take the place of its own.
    for (const scope of [{}, { tag: newId() }])
      await analytics.get(userId, schemas.analytics.query.parse({ ...year, ...scope }))
    // Links that do not exist take as long, and no response shows them.
    const scope = Array.from({ length: count }, newId)
    await readStats(db, { userId, scope, fromMs, toMs, interval: 'day', by: 'country' })
    asked++
    if (!(await slept(PAUSE_MS, closing))) break
  }
  return asked
}

/** Of the oldest accounts the one with most weeks of clicks. */
async function busyAccount(db: Database): Promise<string | undefined> {
  const users = await db.sql
    .selectFrom('users')
    .select('uuid')
    .where('removed_at', 'is', null)
    .orderBy('uuid')
    .limit(ACCOUNTS)
    .execute()
  const byKey = new Map(users.map(({ uuid }) => [scopeKey(uuid), uuid]))
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
