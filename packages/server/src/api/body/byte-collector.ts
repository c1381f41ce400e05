/**
 * Bytes gathered in one buffer that doubles. A list of chunks would cost a hundred bytes of bookkeeping for each
 * chunk, and a client can send a body one byte at a time.
 */
export class ByteCollector {
  #buffer: Buffer = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(bytes: Buffer): void {
    const length = this.#length + bytes.length
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, this.#buffer.length * 2))
      this.#buffer.copy(grown, 0, 0, this.#length)
      release(this.#buffer)
      this.#buffer = grown
    }
    bytes.copy(this.#buffer, this.#length)
    this.#length = length
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Gives the memory back at once; what `bytes` gave is empty from then on. */
  free(): void {
    release(this.#buffer)
    this.#buffer = Buffer.alloc(0)
    this.#length = 0
  }
}

/** Without this the memory of every body lasts until the collector of garbage happens to come by. */
export function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0)
}
