const KIB = 1024
const MIB = 1024 * KIB

export interface BodyLimits {
  /** Size of a whole JSON or url-encoded body. */
  rawBytes: number
  /** Size of a whole multipart body, including everything between the parts. */
  multipartBytes: number
  /** Number of multipart parts or url-encoded pairs. */
  fields: number
  partHeaderBytes: number
  /** Stored bytes of a text part; every string rule is far below it. */
  textBytes: number
  /** Stored bytes of all text parts together. */
  textTotalBytes: number
  /** Stored bytes of a file part: one more than an image may have, so that a truncated file is always rejected. */
  fileBytes: number
  /** Whether file parts are accepted. */
  files: boolean
  /** Bytes read and discarded after a rejection, so that the client can read the response. */
  discardBytes: number
  /** The same as a duration. */
  discardMs: number
  /** How long a sending client may pause. */
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

/** For unauthenticated clients: small enough for memory, so that nothing is written to disk. */
export const STRANGER_LIMITS: BodyLimits = {
  ...BODY_LIMITS,
  rawBytes: 64 * KIB,
  multipartBytes: 64 * KIB,
  files: false,
}

/** Levels of arrays and objects, including the outermost. */
export const MAX_LEVELS = 32

/** Values in a JSON body, including arrays and objects. Validating each takes up to a microsecond. */
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
  /** The client disconnected: it reads no response, and this is not an internal error. */
  aborted: 400,
  too_slow: 408,
  /** Not the client's fault: other uploads use all the space. */
  no_room: 503,
} as const

type BodyFaultCode = keyof typeof STATUS

/** An invalid body; any other error from this folder is a bug. */
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
 * Collects bytes in one buffer that doubles in size. A list would cost a hundred bytes of overhead per chunk, and a client
 * can send a body one byte at a time.
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

  /** Releases the memory immediately; what `bytes` returned is empty afterwards. */
  free(): void {
    release(this.#buffer)
    this.#buffer = Buffer.alloc(0)
    this.#length = 0
  }
}

/** Without this, the memory of every body stays allocated until the next garbage collection. */
export function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0)
}
