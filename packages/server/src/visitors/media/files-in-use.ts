import { SingleFlight } from '../../work/single-flight.ts'
import { bufferOf } from '../../work/threads.ts'

/**
 * Reads a stored file once for all responses that are sending it. Clients that read slowly, or not at all, then hold
 * one copy in memory, however many they are.
 */
export class FilesInUse {
  readonly #read: (hash: string) => Promise<Uint8Array | undefined>
  readonly #reads = new SingleFlight<Buffer | undefined>()
  readonly #files = new Map<string, WeakRef<Buffer>>()
  readonly #freed = new FinalizationRegistry<string>((hash) => {
    if (this.known(hash) === undefined) this.#files.delete(hash)
  })

  constructor(read: (hash: string) => Promise<Uint8Array | undefined>) {
    this.#read = read
  }

  /** The bytes of a file that a response is sending; the file itself may be removed by now. */
  known(hash: string): Buffer | undefined {
    return this.#files.get(hash)?.deref()
  }

  read(hash: string): Promise<Buffer | undefined> {
    return this.#reads.run(hash, async () => {
      const bytes = await this.#read(hash)
      if (bytes === undefined) return undefined
      const file = bufferOf(bytes)
      this.#files.set(hash, new WeakRef(file))
      this.#freed.register(file, hash)
      return file
    })
  }
}
