import { closeSync, fdatasync, fdatasyncSync } from 'node:fs'

/**
 * Holds effects back until what was written before them is on the disk itself. One flush serves all that arrived while
 * the one before it ran, and the event loop goes on meanwhile.
 */
export class FileSyncs {
  readonly #flushFile: typeof fdatasync
  readonly #onFault: (error: Error) => void
  #waiting: (() => void)[] = []
  #running = false
  #closeAfter: number[] = []
  /** Where the waiting effects' bytes are. */
  #fd = -1

  constructor(onFault: (error: Error) => void, flushFile: typeof fdatasync = fdatasync) {
    this.#flushFile = flushFile
    this.#onFault = onFault
  }

  /** Runs the effects once everything written to the file by now is on the disk, or the disk has failed. */
  after(fd: number, effects: readonly (() => void)[]): void {
    for (const effect of effects) this.#waiting.push(effect)
    this.#fd = fd
    if (!this.#running) this.#flush()
  }

  /** Flushes and closes the file. */
  close(fd: number): void {
    try {
      fdatasyncSync(fd)
    } catch (error) {
      this.#onFault(error as Error)
    }
    this.#runWaiting()
    // The number must not be given to another file while a flush of this one is under way.
    if (this.#running) this.#closeAfter.push(fd)
    else closeSync(fd)
  }

  #flush(): void {
    const effects = this.#waiting
    this.#waiting = []
    this.#running = true
    this.#flushFile(this.#fd, (error) => {
      this.#running = false
      if (error !== null) this.#onFault(error)
      for (const effect of effects) effect()
      for (const closed of this.#closeAfter.splice(0)) closeSync(closed)
      if (this.#waiting.length > 0 && !this.#running) this.#flush()
    })
  }

  #runWaiting(): void {
    const effects = this.#waiting
    this.#waiting = []
    for (const effect of effects) effect()
  }
}
