import { createHash, type Hash, hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { nextTurn } from '../../work/turns.ts'
import { BodyError, type BodyLimits, ByteCollector } from './body-limits.ts'
import { MultipartIntake, parameter, parseHeaderValue, type RawPart, unescapeQuoted } from './multipart.ts'
import { TempFolder, type UploadShare } from './temp-folder.ts'

/** A body read, digested and not yet parsed: nothing in it has been looked into before the signature holds. */
export type RawBody = {
  /** Payload digest of the signature, lower-case hex. */
  readonly digest: string
  /** Removes the temporary files. Must be called when the request is over; may be called again. */
  dispose(): Promise<void>
} & (
  | { kind: 'none' }
  | { kind: 'json'; bytes: Buffer }
  | { kind: 'urlencoded'; bytes: Buffer }
  | { kind: 'multipart'; parts: RawPart[] }
)

/** For the response to a client that has fallen silent, which is likely to be gone. */
const FAREWELL_MS = 1_000

type Shape = { kind: 'json' } | { kind: 'urlencoded' } | { kind: 'multipart'; boundary: string }

/**
 * Reads a request's body once, within its limit, and digests it. Throws `BodyError` for what the client did;
 * the response may then be sent at once: the rest of the body is thrown away meanwhile, up to a bound. `begin` is told
 * when the declared type and length were found right and the first byte is about to be read.
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
    discardRest(request, silent ? { ...limits, discardMs: FAREWELL_MS } : limits)
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
  // Without a length only the first byte tells whether there is a body, and so whether its type matters.
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
    return { kind: 'none', digest: hash('sha256', ''), dispose }
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
  /** The first chunk is nearly always the only one: nothing needs to be gathered then. */
  #first: Buffer | undefined
  /** Of several chunks: each as it comes. Four megabytes at once would keep redirects waiting for 16 ms. */
  #hash: Hash | undefined

  constructor(folder: TempFolder) {
    this.#folder = folder
  }

  push(chunk: Buffer): undefined {
    if (this.#first === undefined && this.#kept.length === 0) {
      this.#first = chunk
      return
    }
    // A body that is whole at once is not held for longer than it takes to verify it.
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

  /** Undefined for a single chunk, which stays valid after `free`: requests without a signature need no digest of it. */
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
  // A type that cannot be parsed to its end is still known by its beginning.
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

/** What is read of one body before others are served: one that has arrived whole is 2 MB at a time otherwise. */
const BYTES_AT_ONCE = 256 * 1024

/**
 * Hands over a request's chunks one by one, to the end, waiting wherever `take` returns a promise. By events and
 * not by iteration, which costs several promises for each chunk: a client may send millions of them. The stream
 * is left open when `take` throws, so that the request can be answered. Silence longer than `idleMs` is a fault of the
 * client; the time that `take` needs is not.
 */
function pump(
  request: Readable,
  idleMs: number,
  take: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  if (request.readableEnded) return Promise.resolve()
  if (request.destroyed) return Promise.reject(aborted(request.errored))
  return new Promise((resolve, reject) => {
    const silence = setTimeout(
      () => fail(new BodyError('too_slow', 'The body arrived too slowly')),
      idleMs,
    ).unref()
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
        pending.then(() => {
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
 * A body that has already arrived with the headers, as short ones do: no waiting and no timeout is needed. Undefined:
 * there is more to come.
 */
function readWhole(request: Readable, declaredBytes: number): Buffer | undefined {
  if (declaredBytes === 0 || request.readableLength !== declaredBytes) return undefined
  // By its length: without one, a stream hands over its first chunk alone.
  const bytes: unknown = request.read(declaredBytes)
  if (!Buffer.isBuffer(bytes) || bytes.length !== declaredBytes) throw aborted(undefined)
  // So that it comes to its end, which is how others see that nothing is left of it.
  request.resume()
  return bytes
}

const discarding = new WeakSet<Readable>()

/**
 * Reads on without keeping anything: a client that is still sending when the connection closes never sees the
 * response. Past the bounds it is cut off. May be called again.
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
