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
