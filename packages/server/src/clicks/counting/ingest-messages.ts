import type { LiveClick } from '../live/live-click.ts'
import type { IngestCounts } from './ingest.ts'

/** Where the clicks go: plain data, for it crosses into a thread. */
export type ClickDatabase =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string }

export interface IngestSettings {
  readonly folder: string
  readonly owner: string
  readonly database: ClickDatabase
  readonly pollMs: number
  /** Whether batches of a workspace and day are merged. */
  readonly merges: boolean
  /** Where compiled code is kept, if it is. */
  readonly compileCache: string | undefined
}

/** What the thread is told: read the rest and end, or whose clicks to report as they come. */
export type ToIngest =
  | { readonly type: 'drain' }
  | { readonly type: 'watch'; readonly userUuids: readonly string[] }

export type FromIngest =
  | { readonly type: 'status'; readonly counts: IngestCounts; readonly fault: string | null }
  | { readonly type: 'oddity'; readonly text: string }
  | { readonly type: 'live'; readonly userUuid: string; readonly clicks: readonly LiveClick[] }
  | { readonly type: 'drained' }
