import { randomFillSync } from 'node:crypto'

/** A system call costs about twenty microseconds, however few bytes it returns. So many bytes are read at once. */
const POOL_BYTES = 4_096

const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/** Random bytes for what is needed with every request: names, not keys. */
export function pooledRandom(bytes: number): Buffer {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const taken = Buffer.from(pool.subarray(used, used + bytes))
  used += bytes
  return taken
}
