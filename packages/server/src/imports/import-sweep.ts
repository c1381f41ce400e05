import type { BlobKeeper } from '../storage/blobs/keeper.ts'
import type { Database } from '../storage/db/database.ts'
import { fileOwner } from './imports.service.ts'
import type { ImportStore } from './imports.store.ts'

interface SweepDependencies {
  readonly db: Database
  readonly store: ImportStore
  readonly blobs: BlobKeeper
  readonly now: () => number
}

const HOUR_MS = 3_600_000
/** An uploaded file whose import was never started. */
const READY_MS = 24 * HOUR_MS
/** An import that ended; afterwards it can no longer be undone. */
const ENDED_MS = 90 * 24 * HOUR_MS
const AT_ONCE = 20
const LINKS_AT_ONCE = 500

/** Forgets imports that were never run, and those that ended long ago. Their links stay. */
export async function sweepImports(
  { db, store, blobs, now }: SweepDependencies,
  signal: AbortSignal,
): Promise<void> {
  const at = now()
  const old = [
    ...(await store.olderThan(['ready'], at - READY_MS, AT_ONCE)),
    ...(await store.olderThan(['done', 'failed', 'undone'], at - ENDED_MS, AT_ONCE)),
  ]
  for (const { uuid } of old) {
    for (let isLeft = true; isLeft && !signal.aborted;)
      isLeft = await db.write(async () => {
        const uuids = await store.someLinks(uuid, LINKS_AT_ONCE)
        if (uuids.length > 0) await store.removeLinks(uuid, uuids)
        return uuids.length > 0
      })
    if (signal.aborted) return
    await db.write(async () => {
      await blobs.release(fileOwner(uuid))
      await store.remove(uuid)
    })
  }
}
