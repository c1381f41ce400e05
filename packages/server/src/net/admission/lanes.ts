import { Readable } from 'node:stream'
import {
  busy,
  currentRequester,
  Gate,
  type GateCounts,
  type GateRules,
  type JobOptions,
  type Requester,
} from './gate.ts'

/** Rules for every kind of expensive work. */
type AdmissionRules<Kind extends string> = Readonly<Record<Kind, GateRules>>

interface AdmitOptions extends JobOptions {
  /** The requester, if not that of the current request. */
  readonly requester?: Requester
}

/** The admission gate for expensive work, with a lane for each kind. */
export interface Admission<Kind extends string> {
  /** Runs the work when it is its turn. Throws an `AppError` (503) if the queue is full. */
  run<T>(kind: Kind, work: () => Promise<T>, options?: AdmitOptions): Promise<T>
  /** Enters if the work may start immediately, and returns how to leave; for work with its own queue. */
  tryEnter(kind: Kind, options?: AdmitOptions): (() => void) | undefined
  /** Counts of each lane. */
  counts(): Record<Kind, GateCounts>
}

export function createAdmission<Kind extends string>(rules: AdmissionRules<Kind>): Admission<Kind> {
  const kinds = Object.keys(rules) as Kind[]
  const gates = new Map(kinds.map((kind) => [kind, new Gate(rules[kind])]))
  const gateOf = (kind: Kind): Gate => {
    const gate = gates.get(kind)
    if (gate === undefined) throw new Error(`There is no gate for ${kind}`)
    return gate
  }
  return {
    run: (kind, work, { requester = currentRequester(), ...options } = {}) =>
      gateOf(kind).run(requester, work, options),
    tryEnter: (kind, { requester = currentRequester(), ...options } = {}) =>
      gateOf(kind).tryEnter(requester, options),
    counts: () =>
      Object.fromEntries(kinds.map((kind) => [kind, gateOf(kind).counts])) as Record<Kind, GateCounts>,
  }
}

const MEGAPIXEL = 1_000_000

/** The limits of each lane; docs/operations.md has the same table. */
export const laneRules = {
  /** Verifying the password of a sign-in: 30 ms and 19 MiB each. */
  signIn: { capacity: 2, share: 1, queue: 64, waitMs: 5_000 },
  /** Hashing and verifying all other passwords. */
  hashing: { capacity: 2, share: 1, queue: 256, waitMs: 10_000 },
  /** Drawing pictures, in pixels: the largest picture of one requester, and a small one of another beside it. */
  drawing: { capacity: 17 * MEGAPIXEL, share: 16 * MEGAPIXEL, queue: 64, waitMs: 10_000 },
  /** Decoding uploads, in pixels: the largest image of one account, and ordinary ones of others beside it. */
  decoding: { capacity: 50 * MEGAPIXEL, share: 40 * MEGAPIXEL, queue: 64, waitMs: 30_000 },
  /** Invoices as PDF: 0.3 s each, the first one 0.8 s. */
  pdfs: { capacity: 1, share: 1, queue: 32, waitMs: 20_000 },
  /** Statistics: a second or two for ten million clicks, on SQLite in one thread. */
  statistics: { capacity: 2, share: 1, queue: 64, waitMs: 10_000 },
  /** Lists of more than 100 items. Those of links with many rules take a second and a hundred megabytes. */
  longLists: { capacity: 2, share: 1, queue: 64, waitMs: 10_000 },
  /** Creating up to a thousand links in one request of at most 4 MB: half a second of processor time. */
  bulkCreates: { capacity: 1, share: 1, queue: 32, waitMs: 10_000 },
  /** Creating up to a thousand codes in one request: minutes of proofs, each of which uses its own lane. */
  bulkCodes: { capacity: 4, share: 1, queue: 16, waitMs: 10_000 },
  /** Requests waiting for the response of an earlier one with the same Idempotency-Key, with bodies of up to 4 MB. */
  repeatedRequests: { capacity: 64, share: 16, queue: 0, waitMs: 0 },
  /** Reading files to import: up to 280 MB of memory, half a minute and a thread each. One per account. */
  importReading: { capacity: 2, share: 1, queue: 32, waitMs: 30_000 },
  /** Creating and removing imported links, a slice of one import at a time. */
  imports: { capacity: 1, share: 1, queue: 8, waitMs: 30_000 },
  /** Changing many links, a slice of one bulk edit at a time. */
  bulkEdits: { capacity: 1, share: 1, queue: 8, waitMs: 30_000 },
  /** Drawing a new code and decoding it. */
  proofs: { capacity: 3, share: 2, queue: 256, waitMs: 20_000 },
  /**
   * Requests to name servers and to port 443 of custom domains. They take no processor time, but a server that does not
   * respond occupies a slot for several seconds.
   */
  domainLookups: { capacity: 32, share: 2, queue: 128, waitMs: 10_000 },
  /** Sign-ins waiting for the OpenID provider: they take no processor time, but a slow provider occupies slots. */
  oidc: { capacity: 32, share: 4, queue: 64, waitMs: 10_000 },
  /** Open exports and archives: each lasts as long as its client reads, and holds a piece of a few megabytes. */
  downloads: { capacity: 64, share: 2, addressShare: 8, queue: 0, waitMs: 0 },
  /** Producing the next piece of an account archive or of an export of single clicks. */
  takeouts: { capacity: 2, share: 1, queue: 64, waitMs: 60_000 },
  /** Open streams of live clicks. */
  liveStreams: { capacity: 1_000, share: 10, addressShare: 250, queue: 0, waitMs: 0 },
  /** Webhook deliveries to receivers that respond. They wait in the outbox, so these lanes have no queue. */
  deliveries: { capacity: 96, share: 16, queue: 0, waitMs: 0 },
  /** Deliveries to new receivers. One that hangs occupies its slot for ten seconds. */
  newDeliveries: { capacity: 128, share: 4, queue: 0, waitMs: 0 },
  /** Deliveries to receivers whose last attempt failed. */
  failingDeliveries: { capacity: 32, share: 2, queue: 0, waitMs: 0 },
} as const satisfies AdmissionRules<string>

export type Lane = keyof typeof laneRules

/**
 * The lanes of this process. There is one set, because the process's threads and memory are what the lanes limit.
 */
export const admission = createAdmission(laneRules)

/**
 * A response that is produced while its client reads it. It counts as a download until it is closed; only producing a piece
 * uses a lane, because the client decides how fast it reads. The first piece is produced before the response begins, so that
 * a failure there becomes an error response. A later failure closes the connection before the response ends.
 */
export async function openDownload(pieces: AsyncGenerator<Buffer>): Promise<Readable> {
  const leave = admission.tryEnter('downloads')
  if (leave === undefined) throw busy()
  const made = inLane(pieces)
  try {
    const first = await made.next()
    const stream = Readable.from(first.done === true ? [] : withFirst(first.value, made), {
      objectMode: false,
    })
    // A response that is never read, as for HEAD, ends its source here.
    return stream.once('close', () => {
      leave()
      void made.return(undefined).catch(() => undefined)
    })
  } catch (error) {
    leave()
    throw error
  }
}

async function* inLane(pieces: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const requester = currentRequester()
  try {
    for (;;) {
      const { done, value } = await admission.run('takeouts', () => pieces.next(), { requester })
      if (done === true) return
      yield value
    }
  } finally {
    await pieces.return(undefined)
  }
}

async function* withFirst(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

/** Counts a streamed response as a download until it is closed. Throws an `AppError` (503) if there are too many. */
export function asDownload<Stream extends Readable>(stream: Stream): Stream {
  const leave = admission.tryEnter('downloads')
  if (leave === undefined) throw busy()
  stream.once('close', leave)
  return stream
}
