import type { Client } from './client.ts'
import type { Import } from './operations.ts'
import { wait } from './retry.ts'

/** How to follow an import. */
export interface FollowOptions {
  /** Called each time the state of the import was read. */
  readonly onProgress?: ((now: Import) => void) | undefined
  /** Stops following. The import goes on. */
  readonly signal?: AbortSignal | undefined
}

const FIRST_WAIT_MS = 200
// Reads are limited to 60 a minute, and other programs use the same key.
const LONGEST_WAIT_MS = 3_000

/** Waits until an import, or its undo, has ended. */
export async function followImport(
  client: Client,
  started: Import,
  { onProgress, signal }: FollowOptions = {},
): Promise<Import> {
  let now = started
  for (let waitMs = FIRST_WAIT_MS; isUnderWay(now); waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
    onProgress?.(now)
    await wait(waitMs, signal)
    const { data } = await client.imports({ uuid: now.uuid }, { signal })
    now = data[0] ?? now
  }
  return now
}

const isUnderWay = ({ state }: Import): boolean => state === 'running' || state === 'undoing'
