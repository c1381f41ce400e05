const WORK_MS = 0.2
const REST_MS = 0.1
/** Past this much unread, which is some 300,000 clicks, catching up goes first. */
const BEHIND_BYTES = 64 * 1024 * 1024

/** Work of so many clicks between two looks at the clock. */
export const PAUSE_EVERY_CLICKS = 16

const nobody = new Int32Array(new SharedArrayBuffer(4))

/**
 * Short sleeps in the middle of long work: where there are fewer cores than threads, the slowest redirects are
 * measurably quicker for it, which a lower priority alone did not bring about (docs/adr/0008-counting-pauses.md).
 */
export class CountingPauses {
  #workingSince = 0
  #behind = false

  /** To be called every few microseconds of work. */
  readonly pause = (): void => {
    if (this.#behind || performance.now() - this.#workingSince < WORK_MS) return
    Atomics.wait(nobody, 0, 0, REST_MS)
    this.#workingSince = performance.now()
  }

  /** How much is waiting to be read. */
  noteBacklog(bytes: number): void {
    this.#behind = bytes > BEHIND_BYTES
  }
}
