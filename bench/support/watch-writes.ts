import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface WatchedAccount {
  readonly baseUrl: string
  readonly apiKey: string
  readonly secret: string
}

export interface WriteWatch {
  /** How long each write took in milliseconds, since the last call. */
  take(): Promise<readonly number[]>
  stop(): Promise<unknown>
}

/**
 * Creates links one after another until it is stopped. In a thread of its own: what the benchmark itself does, as to sign
 * a large file, must not look like a slow server.
 */
export function watchWrites(account: WatchedAccount): WriteWatch {
  const worker = new Worker(new URL('watch-writes.worker.ts', import.meta.url), { workerData: account })
  return {
    async take() {
      const reply = once(worker, 'message') as Promise<[number[]]>
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage('take')
      return (await reply)[0]
    },
    stop: () => worker.terminate(),
  }
}
