import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { SubsetCounts } from '../batches/subset-counts.ts'

/** Some forty tags of a year each, with a few thousand clicks a day. */
const MAX_CHARS = 64 * 1024 * 1024

const cache = new LRUCache<string, SubsetCounts>({
  maxSize: MAX_CHARS,
  sizeCalculation: (counts, key) =>
    key.length + Object.values(counts).reduce<number>((sum, text) => sum + String(text).length, 0),
})

/** Figures of many links at once, by batch: batches of closed days never change, and merged ones have another id. */
export interface SubsetCache {
  get(batchId: string): SubsetCounts | undefined
  set(batchId: string, counts: SubsetCounts): void
}

/** The figures of one set of links and pages. Another set, such as a tag with one link more, has others. */
export function cacheOf(userKey: number, resourceUuids: readonly string[]): SubsetCache {
  const hash = createHash('sha256').update(String(userKey))
  for (const resourceUuid of resourceUuids.toSorted()) hash.update(resourceUuid)
  const set = hash.digest('base64url')
  return {
    get: (batchId) => cache.get(set + batchId),
    set: (batchId, counts) => void cache.set(set + batchId, counts),
  }
}
