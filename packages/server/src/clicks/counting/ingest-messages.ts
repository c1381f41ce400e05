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
  /** Where compiled code is kept, if it is. */
  readonly compileCache: string | undefined
}

/** The only thing the thread is ever told: read the rest and end. */
export const DRAIN = 'drain'

export type FromIngest =
  | { readonly type: 'status'; readonly counts: IngestCounts; readonly fault: string | null }
  | { readonly type: 'oddity'; readonly text: string }
  | { readonly type: 'drained' }
