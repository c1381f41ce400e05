const WORK_MS = 0.2
const REST_MS = 0.1
/** With more unread than this, some 300,000 clicks, it does not pause. */
const BEHIND_BYTES = 64 * 1024 * 1024

/** To be called every few microseconds of long work that no client waits for. */
export type Pause = () => void
export const noPause: Pause = () => undefined

/** The clock is read once for this many clicks. */
export const PAUSE_EVERY_CLICKS = 16

const neverNotified = new Int32Array(new SharedArrayBuffer(4))

/**
 * Short sleeps during long work: where there are fewer cores than threads, they made the slowest redirects faster,
 * which a lower priority alone did not (docs/adr/0008-counting-pauses.md, bench/v8.ts).
 */
export class CountingPauses {
  #workingSince = 0
  #behind = false

  readonly pause: Pause = () => {
    if (this.#behind || performance.now() - this.#workingSince < WORK_MS) return
    Atomics.wait(neverNotified, 0, 0, REST_MS)
    this.#workingSince = performance.now()
  }

  /** How much is waiting to be read. */
  noteBacklog(bytes: number): void {
    this.#behind = bytes > BEHIND_BYTES
  }
}
