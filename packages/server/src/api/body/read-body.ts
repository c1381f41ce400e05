import { createHash, type Hash, hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { nextTurn } from '../../work/turns.ts'
import { BodyError, type BodyLimits, ByteCollector } from './body-limits.ts'
import { MultipartIntake, parameter, parseHeaderValue, type RawPart, unescapeQuoted } from './multipart.ts'
import { TempFolder, type UploadShare } from './temp-folder.ts'

/** A digested but unparsed body: nothing is parsed before the signature has been verified. */
export type RawBody = {
  /** Payload digest of the signature, lower-case hex. */
  readonly digest: string
  /** Removes the temporary files. Must be called at the end of the request; may be called again. */
  dispose(): Promise<void>
} & (
  | { kind: 'none' }
  | { kind: 'json'; bytes: Buffer }
  | { kind: 'urlencoded'; bytes: Buffer }
  | { kind: 'multipart'; parts: RawPart[] }
)

/** The digest of a request without a body. */
export const EMPTY_DIGEST = hash('sha256', '')

/** How long to wait for the response to a client that has stopped sending and has probably disconnected. */
const LAST_RESPONSE_MS = 1_000

type Shape = { kind: 'json' } | { kind: 'urlencoded' } | { kind: 'multipart'; boundary: string }

/**
 * Reads and digests a request's body, within its limit. Throws `BodyError` for invalid bodies; the response can then be sent
 * immediately, while the rest of the body is discarded, up to a limit. `begin` is called after the declared type and length
 * were validated, before the first byte is read.
 */
export async function readBody(
  request: Readable,
  headers: IncomingHttpHeaders,
  limits: BodyLimits,
  tempDir: string,
  begin: () => void = () => {},
  share?: UploadShare,
): Promise<RawBody> {
  const folder = new TempFolder(tempDir, share)
  try {
    return await readWithin(request, headers, limits, folder, begin)
  } catch (error) {
    const silent = error instanceof BodyError && error.code === 'too_slow'
    discardRest(request, silent ? { ...limits, discardMs: LAST_RESPONSE_MS } : limits)
    await folder.remove()
    throw error
  }
}

async function readWithin(
  request: Readable,
  headers: IncomingHttpHeaders,
  limits: BodyLimits,
  folder: TempFolder,
  begin: () => void,
): Promise<RawBody> {
  const dispose = (): Promise<void> => {
    if (intake instanceof RawIntake) intake.free()
    return folder.remove()
  }
  let intake: MultipartIntake | RawIntake | undefined
  const declaredBytes = Number(headers['content-length'] ?? 0)
  // Without a length, only the first byte shows whether there is a body, and so whether its type matters.
  let shape = declaredBytes > 0 ? shapeOf(headers) : undefined
  if (shape !== undefined && declaredBytes > limitOf(shape, limits)) throw tooLarge(limitOf(shape, limits))
  let size = 0
  begin()
  const take = (chunk: Buffer): Promise<void> | undefined => {
    if (chunk.length === 0) return undefined
    shape ??= shapeOf(headers)
    size += chunk.length
    if (size > limitOf(shape, limits)) throw tooLarge(limitOf(shape, limits))
    intake ??= intakeFor(shape, limits, folder)
    return intake.push(chunk)
  }
  const whole = readWhole(request, declaredBytes)
  await (whole === undefined ? pump(request, limits.idleMs, take) : take(whole))
  if (shape === undefined || intake === undefined) {
    return { kind: 'none', digest: EMPTY_DIGEST, dispose }
  }
  if (intake instanceof MultipartIntake) {
    const digest = intake.finish()
    await folder.pending()
    return { kind: 'multipart', parts: intake.parts, digest, dispose }
  }
  const kind = shape.kind === 'json' ? 'json' : 'urlencoded'
  return new WholeBody(kind, intake.bytes(), intake.digest(), dispose)
}

/** A body without parts. */
class WholeBody {
  readonly kind: 'json' | 'urlencoded'
  readonly bytes: Buffer
  readonly dispose: () => Promise<void>
  #digest: string | undefined

  constructor(
    kind: 'json' | 'urlencoded',
    bytes: Buffer,
    digest: string | undefined,
    dispose: () => Promise<void>,
  ) {
    this.kind = kind
    this.bytes = bytes
    this.#digest = digest
    this.dispose = dispose
  }

  get digest(): string {
    return (this.#digest ??= hash('sha256', this.bytes))
  }
}

function intakeFor(shape: Shape, limits: BodyLimits, folder: TempFolder): MultipartIntake | RawIntake {
  return shape.kind === 'multipart'
    ? new MultipartIntake(shape.boundary, limits, folder)
    : new RawIntake(folder)
}

class RawIntake {
  readonly #kept = new ByteCollector()
  readonly #folder: TempFolder
  /** The first chunk is nearly always the only one, which needs no copying. */
  #first: Buffer | undefined
  /** Hashes several chunks as they arrive: four megabytes at once would block redirects for 16 ms. */
  #hash: Hash | undefined

  constructor(folder: TempFolder) {
    this.#folder = folder
  }

  push(chunk: Buffer): undefined {
    if (this.#first === undefined && this.#kept.length === 0) {
      this.#first = chunk
      return
    }
    // A body that arrives in one piece is not held for longer than it takes to verify it.
    this.#folder.hold(chunk.length + (this.#first?.length ?? 0))
    if (this.#first !== undefined) this.#keep(this.#first)
    this.#first = undefined
    this.#keep(chunk)
  }

  #keep(chunk: Buffer): void {
    this.#hash ??= createHash('sha256')
    this.#hash.update(chunk)
    this.#kept.push(chunk)
  }

  bytes(): Buffer {
    return this.#first ?? this.#kept.bytes()
  }

  /** Undefined for a single chunk, which stays valid after `free`: requests without a signature need no digest. */
  digest(): string | undefined {
    return this.#hash?.digest('hex')
  }

  free(): void {
    this.#first = undefined
    this.#kept.free()
  }
}

function shapeOf(headers: IncomingHttpHeaders): Shape {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity') {
    throw new BodyError('unsupported_type', 'Compressed bodies are not supported')
  }
  const type = parseHeaderValue(headers['content-type'] ?? '')
  if (type?.value === 'application/x-www-form-urlencoded') return { kind: 'urlencoded' }
  if (type !== undefined && /^application\/(?:[^\s/]+\+)?json$/.test(type.value)) return { kind: 'json' }
  // A type that cannot be parsed completely is still recognised by its beginning.
  if (!/^\s*multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    throw new BodyError(
      'unsupported_type',
      'Send application/json, multipart/form-data or a url-encoded form',
    )
  }
  const boundary = unescapeQuoted((type && parameter(type, 'boundary')) ?? '')
  if (boundary.length < 1 || boundary.length > 70 || /[^ -~]| $/.test(boundary)) {
    throw new BodyError('broken_multipart', 'The content type has no usable boundary')
  }
  return { kind: 'multipart', boundary }
}

function limitOf(shape: Shape, limits: BodyLimits): number {
  return shape.kind === 'multipart' ? limits.multipartBytes : limits.rawBytes
}

function tooLarge(limit: number): BodyError {
  return new BodyError('too_large', `The body is over ${limit} bytes`)
}

/** Bytes read of one body before other requests are served: a buffered body would otherwise be read 2 MB at a time. */
const BYTES_AT_ONCE = 256 * 1024

/**
 * Passes on a request's chunks one by one, waiting whenever `take` returns a promise. Uses events instead of iteration, which
 * costs several promises per chunk: a client may send millions of them. The stream stays open if `take` throws, so that the
 * request gets a response. Silence longer than `idleMs` is a fault of the client; the time that `take` needs does not
 * count.
 */
function pump(
  request: Readable,
  idleMs: number,
  take: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  if (request.readableEnded) return Promise.resolve()
  if (request.destroyed) return Promise.reject(aborted(request.errored))
  return new Promise((resolve, reject) => {
    let isTaking = false
    const silence = setTimeout(() => {
      if (isTaking) silence.refresh()
      else fail(new BodyError('too_slow', 'The body arrived too slowly'))
    }, idleMs).unref()
    let atOnce = 0
    const stop = () => {
      clearTimeout(silence)
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
    }
    const fail = (error: unknown) => {
      stop()
      reject(error)
    }
    const onData = (chunk: Buffer | string) => {
      try {
        silence.refresh()
        atOnce += chunk.length
        let pending: Promise<unknown> | undefined = take(
          typeof chunk === 'string' ? Buffer.from(chunk) : chunk,
        )
        if (atOnce >= BYTES_AT_ONCE) pending ??= nextTurn()
        if (pending === undefined) return
        atOnce = 0
        request.pause()
        isTaking = true
        pending.then(() => {
          isTaking = false
          silence.refresh()
          request.resume()
        }, fail)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = () => {
      stop()
      resolve()
    }
    const onError = (error: unknown) => fail(aborted(error))
    const onClose = () => fail(aborted(undefined))
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  })
}

/**
 * A body that has already arrived with the headers, as short ones do: no waiting and no timeout is needed. Undefined if more
 * is to come.
 */
function readWhole(request: Readable, declaredBytes: number): Buffer | undefined {
  if (declaredBytes === 0 || request.readableLength !== declaredBytes) return undefined
  // By its length: without one, a stream returns only its first chunk.
  const bytes: unknown = request.read(declaredBytes)
  if (!Buffer.isBuffer(bytes) || bytes.length !== declaredBytes) throw aborted(undefined)
  // Lets the stream end, which shows that it has been read completely.
  request.resume()
  return bytes
}

const discarding = new WeakSet<Readable>()

/**
 * Reads and discards the rest: a client that is still sending when the connection closes never sees the response. Above the
 * limits the connection is closed. May be called again.
 */
export function discardRest(
  request: Readable,
  { discardBytes, discardMs }: { discardBytes: number; discardMs: number },
): void {
  if (request.readableEnded || request.destroyed || discarding.has(request)) return
  discarding.add(request)
  let discarded = 0
  const cutOff = () => {
    request.off('data', count).pause().destroy()
  }
  const tooLong = setTimeout(cutOff, discardMs).unref()
  const count = (chunk: Buffer | string) => {
    discarded += chunk.length
    if (discarded > discardBytes) cutOff()
  }
  request
    .on('error', () => {})
    .on('close', () => clearTimeout(tooLong))
    .on('end', () => clearTimeout(tooLong))
    .on('data', count)
  request.resume()
}

function aborted(cause: unknown): BodyError {
  return new BodyError('aborted', 'The body is incomplete', { cause })
}
