import { sites } from '@waymark/contract'
import type { Spool } from '../clicks/spool/spool.ts'
import type { Proxy } from './proxy.ts'
import { get, type Route, send } from './router.ts'

interface StatusDependencies {
  readonly ping: () => Promise<void>
  /** When the database was last read in the background. */
  readonly lastReadAt: () => number
  readonly spool: Pick<Spool, 'status'>
  readonly proxy: Pick<Proxy, 'isUp' | 'ask'>
  /** Monotonic. */
  readonly now: () => number
}

/** A database that has not responded for this long keeps the node from getting traffic. */
const DATABASE_MS = 5_000
const PING_MS = 2_000
const ASK_MS = 1_000
const RETRY_SECONDS = '5'

interface ApiStatus {
  readonly checks?: Record<string, string>
}

/** Liveness and readiness. They do not depend on the API half, whose checks are included while it responds. */
export function statusRoutes({ ping, lastReadAt, spool, proxy, now }: StatusDependencies): Route[] {
  const checkDatabase = async (): Promise<string> => {
    const isGood = await within(
      PING_MS,
      ping().then(() => true),
    )
    return isGood === true ? 'ok' : 'unavailable'
  }

  const checksOfApi = async (): Promise<Record<string, string>> => {
    const text = proxy.isUp ? await within(ASK_MS, proxy.ask(sites.ready)) : undefined
    if (typeof text !== 'string') return { api: 'down' }
    return { ...(JSON.parse(text) as ApiStatus).checks, api: 'ok' }
  }

  const live = get(sites.live, (exchange) =>
    send(exchange, 200, NO_STORE, JSON.stringify({ status: 'live' })),
  )
  const ready = get(sites.ready, async (exchange) => {
    const [database, others] = await Promise.all([checkDatabase(), checksOfApi()])
    const clicks = spool.status().ok ? (others['clicks'] ?? 'ok') : 'unavailable'
    const isDatabaseLost = database !== 'ok' && now() - lastReadAt() >= DATABASE_MS
    const isReady = spool.status().ok && !isDatabaseLost
    const checks = { ...others, database, clicks }
    const headers = isReady ? NO_STORE : { ...NO_STORE, 'retry-after': RETRY_SECONDS }
    const body = { status: isReady ? 'ready' : 'unavailable', checks }
    send(exchange, isReady ? 200 : 503, headers, JSON.stringify(body))
  })
  return [live, ready]
}

const NO_STORE = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }

/** Undefined if it fails or takes longer. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), limitMs)
  try {
    return await Promise.race([work.catch(() => undefined), promise])
  } finally {
    clearTimeout(timer)
  }
}
