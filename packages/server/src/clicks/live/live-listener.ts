import { Readable } from 'node:stream'

/** What one listener may have waiting; a slower one is cut off, and connects again. */
const MAX_WAITING_BYTES = 256 * 1024
/** How long a client waits before it connects again. */
const RETRY_MS = 3_000

/** The response of one listener: server-sent events. */
export class LiveListener extends Readable {
  readonly #onEnd: () => void

  constructor(onEnd: () => void) {
    super({ encoding: 'utf8', highWaterMark: MAX_WAITING_BYTES })
    this.#onEnd = onEnd
    this.push(`retry: ${RETRY_MS}\n\n`)
  }

  /** Sends an event; ends a listener that does not read. */
  send(event: string, data: unknown): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** A comment, so that proxies and the client see that the connection is alive. */
  beat(): void {
    this.#write(':\n\n')
  }

  /** The response comes to its end. */
  end(): void {
    this.#onEnd()
    this.push(null)
  }

  override _read(): void {
    // Events are pushed as they come.
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#onEnd()
    done(error)
  }

  #write(text: string): void {
    if (this.readableLength + text.length > MAX_WAITING_BYTES) this.destroy()
    else this.push(text)
  }
}
