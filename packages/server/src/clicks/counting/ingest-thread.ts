import { enableCompileCache, flushCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import type { IngestSettings } from './ingest-host.ts'

const LOADED_MS = 2_000

// Each thread has its own compile cache. It makes the start faster and saves some thirty megabytes.
const { compileCache } = workerData as IngestSettings
if (compileCache !== undefined) {
  enableCompileCache(compileCache)
  // The thread is terminated from outside, which would not save the cache.
  setTimeout(flushCompileCache, LOADED_MS).unref()
}
await import('./ingest-loop.ts')
