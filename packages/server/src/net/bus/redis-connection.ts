import { createRequire } from 'node:module'
import type { Redis, RedisOptions } from 'ioredis'

interface Library {
  readonly Redis: new (url: string, options: RedisOptions) => Redis
}

const RETRY_MS = 250
const RETRY_MAX_MS = 1_000
const HEARTBEAT_MS = 2_000

/**
 * A connection that reconnects on its own and never makes a caller wait: without a server commands fail at once
 * (nothing is queued), and a server that does not answer counts as gone.
 */
export function connectRedis(url: string, commandTimeoutMs: number, report: (error: unknown) => void): Redis {
  // Loaded only where it is used, to save memory.
  const library = createRequire(import.meta.url)('ioredis') as Library
  const redis = new library.Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: commandTimeoutMs,
    keepAlive: 5_000,
    // A server that hangs does not say goodbye either.
    disconnectTimeout: 1,
    // A server that is still reading its data is asked again soon, not after the second (or more) it estimates.
    maxLoadingRetryTime: RETRY_MS,
    retryStrategy: (times) => Math.min(RETRY_MS * times, RETRY_MAX_MS),
    // A primary that became a replica returns READONLY: only a new connection finds the new primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  reportOncePerOutage(redis, report)
  keepHonest(redis)
  return redis
}

function reportOncePerOutage(redis: Redis, report: (error: unknown) => void): void {
  let reported = false
  redis.on('ready', () => {
    reported = false
  })
  redis.on('error', (error: unknown) => {
    if (!reported) report(error)
    reported = true
  })
}

/** A network that swallows packets closes nothing: only a question that stays unanswered shows it. */
function keepHonest(redis: Redis): void {
  const timer = setInterval(() => {
    if (redis.status === 'ready') redis.ping().catch(() => redis.disconnect(true))
  }, HEARTBEAT_MS)
  timer.unref()
  redis.once('end', () => clearInterval(timer))
}
