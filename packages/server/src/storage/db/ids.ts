import { randomFillSync, randomUUID } from 'node:crypto'

/** The twelve bits between the time and the random part are a counter. It starts in the lower half, to leave room. */
const COUNTER_LIMIT = 0x1000
const COUNTER_START_LIMIT = COUNTER_LIMIT / 2

/**
 * Increasing UUIDs of version 7 (RFC 9562, section 6.2, method 1). Lists are sorted by them, so rows created within the same
 * millisecond are listed in the order of their creation.
 */
export function createIds(now: () => number = Date.now): () => string {
  let lastMs = 0
  let counter = 0
  let prefix = timePrefix(lastMs)
  return () => {
    const random = randomUUID()
    const atMs = now()
    if (atMs > lastMs) {
      lastMs = atMs
      counter = Number.parseInt(random.slice(0, 8), 16) % COUNTER_START_LIMIT
      prefix = timePrefix(lastMs)
    } else if (++counter === COUNTER_LIMIT) {
      // One millisecond ahead of the clock, which only delays the next change of the time.
      lastMs++
      counter = 0
      prefix = timePrefix(lastMs)
    }
    return `${prefix}${counter.toString(16).padStart(3, '0')}-${random.slice(19)}`
  }
}

/** The part of a UUIDv7 that is the same for a whole millisecond. */
function timePrefix(atMs: number): string {
  const time = Math.max(0, Math.trunc(atMs)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
}

/** A UUIDv7 for something that was created elsewhere at that time, so that lists sort it by that time. */
export function idAt(atMs: number): string {
  const random = randomUUID()
  return `${timePrefix(atMs)}${random.slice(15, 18)}-${random.slice(19)}`
}

/** A system call costs about twenty microseconds for any number of bytes, so this many are read at once. */
const POOL_BYTES = 4_096

const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/** The id of a request, in the access log and in `x-request-id`. */
export const newRequestId = (): string => pooledRandom(12).toString('base64url')

/** Random bytes for identifiers that every request needs. Not for keys. */
export function pooledRandom(bytes: number): Buffer {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const taken = Buffer.from(pool.subarray(used, used + bytes))
  used += bytes
  return taken
}
