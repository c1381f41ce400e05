import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { LiveClick } from '../live/live-click.ts'
import type { IngestCounts } from './ingest.ts'

/** Where to store clicks: plain data, because it is passed to a thread. */
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
  /** Folder of the compile cache, if there is one. */
  readonly compileCache: string | undefined
}

/** Messages to the thread: drain the spool and end, or report the clicks of these accounts. */
export type ToIngest =
  | { readonly type: 'drain' }
  | { readonly type: 'watch'; readonly userUuids: readonly string[] }

export type FromIngest =
  | { readonly type: 'status'; readonly counts: IngestCounts; readonly fault: string | null }
  | { readonly type: 'oddity'; readonly text: string }
  | { readonly type: 'live'; readonly userUuid: string; readonly clicks: readonly LiveClick[] }
  | { readonly type: 'drained' }

export interface IngestOptions {
  readonly folder: string
  /** The owner id of this process's spool. */
  readonly owner: string
  readonly database: ClickDatabase
  /** How often the spool is read, and so how soon a click is visible. */
  readonly pollMs?: number
  /** Whether batches of a workspace and day are merged. */
  readonly merges?: boolean
  readonly onFault?: (text: string) => void
  /** Receives the clicks of watched accounts. */
  readonly onLive?: (userUuid: string, clicks: readonly LiveClick[]) => void
}

export interface IngestStatus {
  readonly ok: boolean
  readonly fault: string | null
  readonly counts: IngestCounts
}

export interface IngestHost {
  status(): IngestStatus
  /** Sets the accounts whose clicks are reported when they are counted; none at first. */
  watch(userUuids: readonly string[]): void
  /** Call after the spool is closed: reads the rest and ends. False: it timed out; the next start continues. */
  drain(deadlineMs: number): Promise<boolean>
  /** Ends immediately; unread clicks stay in the spool. */
  stop(): Promise<void>
}

const RESTART_MS = 1_000
/** A batch takes some ten megabytes. Without limits V8 would let the heap grow instead of collecting garbage. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 160 }
const NOTHING: IngestCounts = { counted: 0, dropped: 0, damagedBytes: 0, setAside: 0, backlogBytes: 0 }

const post = (worker: Worker, message: ToIngest): void => worker.postMessage(message, [])

/**
 * Runs the reader in its own thread: counting clicks takes a large part of the processor time that redirects take, and must
 * not delay them.
 */
export function startIngest(options: IngestOptions): IngestHost {
  const settings: IngestSettings = {
    folder: options.folder,
    owner: options.owner,
    database: options.database,
    pollMs: options.pollMs ?? 200,
    merges: options.merges ?? true,
    compileCache: getCompileCacheDir(),
  }
  let status: IngestStatus = { ok: true, fault: null, counts: NOTHING }
  let ending = false
  let onDrained = (): void => undefined
  let watched: readonly string[] = []
  let worker = spawn()

  function spawn(): Worker {
    const url = new URL('./ingest-thread.ts', import.meta.url)
    const started = new Worker(url, { workerData: settings, execArgv: [], name: 'clicks', resourceLimits })
    started.on('message', receive)
    started.on('error', (error) => failed(error instanceof Error ? error.message : String(error)))
    started.on('exit', () => {
      if (!ending) setTimeout(restart, RESTART_MS).unref()
    })
    started.unref()
    if (watched.length > 0) post(started, { type: 'watch', userUuids: watched })
    return started
  }

  function restart(): void {
    if (!ending) worker = spawn()
  }

  function failed(fault: string): void {
    // A persistent fault is logged only when it changes; `status` always shows it.
    if (fault !== status.fault) options.onFault?.(fault)
    status = { ...status, ok: false, fault }
  }

  function receive(message: FromIngest): void {
    if (message.type === 'oddity') options.onFault?.(message.text)
    if (message.type === 'drained') onDrained()
    if (message.type === 'live') options.onLive?.(message.userUuid, message.clicks)
    if (message.type !== 'status') return
    if (message.fault !== null) failed(message.fault)
    status = { ok: message.fault === null, fault: message.fault, counts: message.counts }
  }

  return {
    status: () => status,
    watch(userUuids) {
      watched = userUuids
      post(worker, { type: 'watch', userUuids })
    },
    async drain(deadlineMs) {
      ending = true
      const drained = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), deadlineMs)
        const end = (inTime: boolean): void => {
          clearTimeout(timer)
          resolve(inTime)
        }
        onDrained = () => end(true)
        worker.once('exit', () => end(false))
        post(worker, { type: 'drain' })
      })
      await worker.terminate()
      return drained
    },
    async stop() {
      ending = true
      await worker.terminate()
    },
  }
}
