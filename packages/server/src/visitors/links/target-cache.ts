import { BoundedCache } from '../bounded-cache.ts'
import type { CacheLimits } from '../bounded-cache.ts'
import type { Target } from './decide.ts'

export interface TargetCacheLimits {
  readonly found: CacheLimits
  readonly missing: CacheLimits
}

export const defaultCacheLimits: TargetCacheLimits = {
  found: { maxEntries: 32_000, maxBytes: 16 * 1024 * 1024, ttlMs: 60_000 },
  // Short enough that another process's new link is seen within a second even if no message arrives.
  missing: { maxEntries: 20_000, maxBytes: 4 * 1024 * 1024, ttlMs: 900 },
}

/** Map slot, key header, entry and target objects: measured as heap growth per entry, without the text. */
const ENTRY_OVERHEAD_BYTES = 320
const MISSING_OVERHEAD_BYTES = 120

/**
 * Codes that lead somewhere and codes that do not live in separate stores, so that a scan of random codes can
 * push out nothing but other misses.
 */
export class TargetCache {
  readonly #found: BoundedCache<Target>
  readonly #missing: BoundedCache<null>

  constructor(limits: TargetCacheLimits = defaultCacheLimits, clock: () => number = () => performance.now()) {
    this.#found = new BoundedCache(limits.found, targetBytes, clock)
    this.#missing = new BoundedCache(limits.missing, () => MISSING_OVERHEAD_BYTES, clock)
  }

  /** `undefined`: not known here; `null`: known to lead nowhere. */
  get(key: string): Target | null | undefined {
    return this.#found.get(key) ?? this.#missing.get(key)
  }

  /** Where a code led when it was last read, however long ago; a change that was heard of has taken it away. */
  stale(key: string): Target | undefined {
    return this.#found.stale(key)
  }

  set(key: string, target: Target | null): void {
    if (target === null) {
      this.#found.delete(key)
      this.#missing.set(key, null)
    } else {
      this.#missing.delete(key)
      this.#found.set(key, target)
    }
  }

  forget(key: string): void {
    this.#found.delete(key)
    this.#missing.delete(key)
  }

  clear(): void {
    this.#found.clear()
    this.#missing.clear()
  }

  get size(): { found: number; missing: number; bytes: number } {
    return {
      found: this.#found.entries,
      missing: this.#missing.entries,
      bytes: this.#found.bytes + this.#missing.bytes,
    }
  }
}

/** Host names hold no slash and codes neither, so no two pairs share a key. */
export function cacheKey(domain: string, shortCode: string): string {
  return domain === '' ? shortCode : `${domain}/${shortCode}`
}

function targetBytes(target: Target): number {
  const { rules } = target
  if (rules === null) return ENTRY_OVERHEAD_BYTES + target.url.length + target.linkId.length
  const more = [rules.passwordHash, rules.iosUrl, rules.androidUrl]
  return more.reduce((sum, text) => sum + (text?.length ?? 0), ENTRY_OVERHEAD_BYTES + 64 + target.url.length)
}
