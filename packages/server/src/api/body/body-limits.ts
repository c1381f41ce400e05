const KIB = 1024
const MIB = 1024 * KIB

export interface BodyLimits {
  /** JSON and url-encoded bodies, whole. */
  rawBytes: number
  /** Multipart bodies, whole, with everything between the parts. */
  multipartBytes: number
  /** Multipart parts, and url-encoded pairs. */
  fields: number
  partHeaderBytes: number
  /** Kept of one text part; every string rule is far below it. */
  textBytes: number
  /** Kept of all text parts together. */
  textTotalBytes: number
  /** Kept of one file part: one byte more than an image may have, so that a truncated file is always rejected. */
  fileBytes: number
  /** Whether file parts are taken at all. */
  files: boolean
  /** Read and thrown away after a rejection, so that the client gets to read the response. */
  discardBytes: number
  /** The same in time. */
  discardMs: number
  /** The longest silence of a client that is sending. */
  idleMs: number
}

export const BODY_LIMITS: BodyLimits = {
  rawBytes: 4 * MIB,
  multipartBytes: 48 * MIB,
  fields: 1000,
  partHeaderBytes: 8 * KIB,
  textBytes: 64 * KIB,
  textTotalBytes: 4 * MIB,
  fileBytes: 2 * MIB + 1,
  files: true,
  discardBytes: 64 * MIB,
  discardMs: 30_000,
  idleMs: 15_000,
}

/** For a sender that has proved nothing: small enough for memory, so that nothing of it lies on the disk. */
export const STRANGER_LIMITS: BodyLimits = {
  ...BODY_LIMITS,
  rawBytes: 64 * KIB,
  multipartBytes: 64 * KIB,
  files: false,
}

/** Levels of arrays and objects, the outermost counted. */
export const MAX_LEVELS = 32

/** Values in a JSON body, arrays and objects counted. Validating each takes up to a microsecond. */
export const MAX_VALUES = 100_000

const STATUS = {
  too_large: 413,
  unsupported_type: 415,
  broken_multipart: 400,
  too_many_parts: 400,
  malformed: 400,
  too_deep: 400,
  too_many_values: 400,
  not_an_object: 400,
  /** The client disconnected: no response is read, and it must not count as an internal error. */
  aborted: 400,
  too_slow: 408,
  /** Not the client's fault: other uploads fill the room for them. */
  no_room: 503,
} as const

type BodyFaultCode = keyof typeof STATUS

/** Everything a client can do wrong with a body; any other error from this folder is a fault of ours. */
export class BodyError extends Error {
  readonly code: BodyFaultCode
  readonly status: 400 | 408 | 413 | 415 | 503

  constructor(code: BodyFaultCode, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'BodyError'
    this.code = code
    this.status = STATUS[code]
  }
}

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
