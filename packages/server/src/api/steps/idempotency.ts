import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../storage/db/database.ts'
import type { IdempotencyRow } from '../../storage/db/tables.ts'
import { admission } from '../../net/admission/lanes.ts'
import type { Caller } from '../../net/caller.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import { toAppError } from '../app-errors.ts'
import type { Call, Step } from '../call.ts'
import type { Needs, Payload, Reply } from '../routes.ts'
import { checkNeeds } from './authorise.ts'
import { jsonInTurns } from './long-lists.ts'
import { SingleFlight } from '../../work/single-flight.ts'
import { DAY_MS } from '../../work/times.ts'

const KEPT_MS = DAY_MS
const CLAIM_LAPSES_MS = 60_000
/** How often a running request renews its claim: creating 1,000 codes takes minutes. */
const RENEW_MS = 20_000
/** First interval for polling the response of another process; it doubles each time. */
const FIRST_POLL_MS = 50
const LAST_POLL_MS = 500

/** A stored response. */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/** The response of an earlier request, with the rights that it required. */
export interface Repeated extends StoredResponse {
  readonly needs: string | null
}

/** A request with an Idempotency-Key. */
export interface IdempotentRequest {
  readonly workspaceUuid: string
  readonly userUuid: string
  /** The API key alone is public, so unsigned requests have separate idempotency keys. */
  readonly unsigned: boolean
  readonly operation: string
  readonly key: string
  readonly digest: string
  /** The rights that its fields require, as JSON; null: none. A replay requires them as well. */
  readonly needs: string | null
}

/** The result of a run: the response, and whether it may be repeated. */
export interface RunResult {
  readonly response: StoredResponse
  readonly keep: boolean
}

/** Runs the effect of a request in the transaction that stores its response. */
type Transact = (run: () => Promise<RunResult>) => Promise<RunResult>

interface Work {
  readonly work: (transact: Transact) => Promise<RunResult>
  readonly rejection: (error: unknown) => RunResult
}

/** The validated key of a request; undefined if there is none. */
export function readIdempotencyKey(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined
  // Header values have one character per byte.
  const key = Buffer.from(Array.isArray(value) ? value.join(', ') : value, 'latin1').toString('utf8')
  const { length } = Array.from(key)
  if (length < 1 || length > 255) throw fieldError('Idempotency-Key', 'Must be 1 to 255 characters')
  return key
}

type Name = Pick<IdempotencyRow, 'workspace_uuid' | 'user_uuid' | 'unsigned' | 'operation' | 'key'>

/** Another request has taken the claim meanwhile: the changes of this one are rolled back. */
class ClaimLost extends Error {}

/** Returns the first response to a repeated write, and never runs it twice. */
export function createIdempotency(db: Database, now: () => number, renewMs = RENEW_MS) {
  const nameOf = ({ workspaceUuid, userUuid, unsigned, operation, key }: IdempotentRequest): Name => ({
    workspace_uuid: workspaceUuid,
    user_uuid: userUuid,
    unsigned: unsigned ? 1 : 0,
    operation,
    key,
  })
  const keyOf = (request: IdempotentRequest): string => JSON.stringify(nameOf(request))
  const find = (request: IdempotentRequest) =>
    db.sql
      .selectFrom('idempotency')
      .selectAll()
      .where((eb) => eb.and(nameOf(request)))
      .executeTakeFirst()

  /** The time of the claim, if this request runs. Undefined: another request has the claim or has finished. */
  const claim = (request: IdempotentRequest): Promise<number | undefined> =>
    db.write(async () => {
      const claimed_at = now()
      const claimed = {
        digest: request.digest,
        needs: request.needs,
        state: 'running' as const,
        status: null,
        body: null,
        claimed_at,
        expires_at: claimed_at + KEPT_MS,
      }
      const result = await db.sql
        .insertInto('idempotency')
        .values({ ...nameOf(request), ...claimed })
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_uuid', 'user_uuid', 'unsigned', 'operation', 'key'])
            .doUpdateSet(claimed)
            .where((eb) =>
              eb.or([
                eb('idempotency.expires_at', '<=', claimed_at),
                eb.and([
                  eb('idempotency.state', '=', 'running'),
                  eb('idempotency.claimed_at', '<=', claimed_at - CLAIM_LAPSES_MS),
                ]),
              ]),
            ),
        )
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0) > 0 ? claimed_at : undefined
    })

  const release = async (request: IdempotentRequest, claimedAt: number): Promise<void> => {
    await db.write(() =>
      db.sql
        .deleteFrom('idempotency')
        .where((eb) => eb.and(nameOf(request)))
        .where('state', '=', 'running')
        .where('claimed_at', '=', claimedAt)
        .execute(),
    )
  }

  /** Renews a claim until the returned function ends it and returns the last time of the claim. */
  const renewed = (request: IdempotentRequest, claimedAt: number): (() => Promise<number>) => {
    let at = claimedAt
    let renewal = Promise.resolve()
    const renew = async (): Promise<void> => {
      const claimed_at = now()
      const { numUpdatedRows } = await db.write(() =>
        db.sql
          .updateTable('idempotency')
          .set({ claimed_at })
          .where((eb) => eb.and(nameOf(request)))
          .where('state', '=', 'running')
          .where('claimed_at', '=', at)
          .executeTakeFirstOrThrow(),
      )
      if (numUpdatedRows > 0n) at = claimed_at
    }
    // A renewal that fails is tried again the next time.
    const timer = setInterval(() => {
      renewal = renewal.then(renew).catch(() => undefined)
    }, renewMs).unref()
    return async () => {
      clearInterval(timer)
      await renewal
      return at
    }
  }

  /** Stores the response. If the claim was lost because it could not be renewed, the effect is rolled back. */
  const store = async (
    request: IdempotentRequest,
    claimedAt: number,
    { status, body }: StoredResponse,
  ): Promise<void> => {
    const { numUpdatedRows } = await db.sql
      .updateTable('idempotency')
      .set({ state: 'done', status, body })
      .where((eb) => eb.and(nameOf(request)))
      .where('state', '=', 'running')
      .where('claimed_at', '=', claimedAt)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new ClaimLost()
  }

  const isRunning = (row: IdempotencyRow | undefined): boolean =>
    row?.state === 'running' && row.expires_at > now() && row.claimed_at > now() - CLAIM_LAPSES_MS

  /** Requests running in this process; aborted when they have ended. */
  const runs = new Map<string, AbortController>()

  /** One poll per key, for any number of waiting requests. */
  const polls = new SingleFlight<IdempotencyRow | undefined>()

  /** The row of a request after that request has ended, in this process or in another. */
  const whenEnded = async (name: string, request: IdempotentRequest) => {
    for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(LAST_POLL_MS, 2 * waitMs)) {
      const signal = runs.get(name)?.signal
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
      const row = await find(request)
      if (!isRunning(row)) return row
    }
  }

  /** The response of another request with this key; undefined if there is none any more and this one may run. */
  const waitForResponse = async (request: IdempotentRequest): Promise<Repeated | undefined> => {
    let row = await find(request)
    if (isRunning(row) && row?.digest === request.digest) {
      const name = keyOf(request)
      row = await admission.run('repeatedRequests', () => polls.run(name, () => whenEnded(name, request)))
    }
    if (row === undefined || row.expires_at <= now()) return undefined
    if (row.digest !== request.digest) throw new AppError('idempotency_mismatch')
    if (row.state !== 'done') return undefined
    return { status: row.status ?? 200, body: row.body ?? '', needs: row.needs }
  }

  const runClaimed = async (
    request: IdempotentRequest,
    claimedAt: number,
    { work, rejection }: Work,
  ): Promise<StoredResponse> => {
    const endClaim = renewed(request, claimedAt)
    const transact: Transact = async (run) => {
      const claimed = await endClaim()
      return db.write(async () => {
        const result = await run()
        if (result.keep) await store(request, claimed, result.response)
        return result
      })
    }
    const run = new AbortController()
    const name = keyOf(request)
    runs.set(name, run)
    try {
      const { response, keep: kept } = await work(transact)
      if (!kept) await release(request, await endClaim())
      return response
    } catch (error) {
      if (error instanceof ClaimLost) throw error
      const rejected = rejection(error)
      const claimed = await endClaim()
      await (rejected.keep
        ? db.write(() => store(request, claimed, rejected.response))
        : release(request, claimed))
      throw error
    } finally {
      void endClaim()
      if (runs.get(name) === run) runs.delete(name)
      run.abort()
    }
  }

  return {
    /**
     * Runs the work once per key. The work does slow parts first, then passes its effect to `transact`, whose transaction also
     * stores the response. A rejection is stored in a separate transaction, after the effect was rolled back.
     */
    async once(
      request: IdempotentRequest,
      work: Work['work'],
      rejection: Work['rejection'],
    ): Promise<(StoredResponse & { replayed: false }) | (Repeated & { replayed: true })> {
      for (;;) {
        const claimedAt = await claim(request)
        if (claimedAt === undefined) {
          const kept = await waitForResponse(request)
          if (kept !== undefined) return { ...kept, replayed: true }
          continue
        }
        try {
          const response = await runClaimed(request, claimedAt, { work, rejection })
          return { ...response, replayed: false }
        } catch (error) {
          if (!(error instanceof ClaimLost)) throw error
        }
      }
    },
    /** Deletes responses that are too old to be repeated. */
    async sweep(): Promise<void> {
      await db.write(() => db.sql.deleteFrom('idempotency').where('expires_at', '<=', now()).execute())
    },
  }
}

export type Idempotency = ReturnType<typeof createIdempotency>

export interface IdempotencyDependencies {
  readonly idempotency: Pick<Idempotency, 'once'>
}

/** Rejections that say nothing about a later try: the cause is the request itself, a right, a limit, or the server. */
const isKept = (status: number): boolean =>
  status < 500 && ![400, 401, 403, 412, 413, 415, 422, 429].includes(status)

/** Returns the first response to a repeated `Idempotency-Key`. What earlier steps reject leaves the key unused. */
export const repeatResponse =
  ({ idempotency }: IdempotencyDependencies): Step =>
  async (call, next) => {
    const { caller, request, raw, isWrite } = call
    const key = isWrite ? readIdempotencyKey(request.headers['idempotency-key']) : undefined
    if (key === undefined || caller === undefined || raw === undefined) return next()
    let headers: Reply['headers'] = {}
    const stored = await idempotency.once(
      requestOf(call, caller, key, raw.digest),
      async (transact) => {
        let result: RunResult | undefined
        call.transact = async (run) => {
          let reply: Reply | undefined
          result = await transact(async () => {
            reply = await run()
            return { response: await toStored(reply), keep: call.operation.repeatable !== false }
          })
          if (reply === undefined) throw new Error('The effect did not run')
          return reply
        }
        headers = (await next()).headers
        if (result === undefined) throw new Error('The effect was not stored')
        return result
      },
      (error) => {
        const { status, body } = toAppError(error)
        return { response: { status, body: JSON.stringify(body) }, keep: isKept(status) }
      },
    )
    if (stored.replayed) {
      // The fields of some requests no longer say what they required: a restored resource is not in the trash.
      if (stored.needs !== null) checkNeeds(caller, JSON.parse(stored.needs) as Needs)
      headers = { 'idempotent-replayed': 'true' }
    }
    return { status: stored.status, payload: Buffer.from(stored.body), ...(headers && { headers }) }
  }

const requestOf = (
  { route, needs }: Call,
  { workspaceUuid, userUuid, unsigned }: Caller,
  key: string,
  digest: string,
): IdempotentRequest => ({
  workspaceUuid,
  userUuid,
  unsigned: unsigned === true,
  operation: route.name,
  key,
  digest,
  needs: needs.role === undefined && needs.scopes.length === 0 ? null : JSON.stringify(needs),
})

const toStored = async ({ status, payload }: Reply): Promise<StoredResponse> => ({
  status,
  body: Buffer.isBuffer(payload) ? payload.toString() : await jsonInTurns(payload as Payload<unknown>),
})
