import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { AppError, fieldError } from '../errors.ts'

const KEPT_MS = 24 * 60 * 60 * 1000
const CLAIM_LAPSES_MS = 60_000
const WAIT_MS = 50

/** An answer as it is kept. */
export interface KeptAnswer {
  readonly status: number
  readonly body: string
}

/** One request that carries an Idempotency-Key. */
export interface IdempotentRequest {
  readonly userUuid: string
  readonly operation: string
  readonly key: string
  readonly digest: string
}

/** What a run gave: the answer, and whether a repeated request may have it. */
export interface RunResult {
  readonly answer: KeptAnswer
  readonly keep: boolean
}

/** Runs the effect of a request in the transaction that keeps its answer. */
export type Transact = (run: () => Promise<RunResult>) => Promise<RunResult>

/** The key of a request, checked; undefined if there is none. */
export function readIdempotencyKey(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined
  const key = Array.isArray(value) ? value.join(', ') : value
  if (key.length < 1 || key.length > 255) throw fieldError('Idempotency-Key', 'Must be 1 to 255 characters')
  return key
}

/** Answers a repeated write with the first answer, and never runs it twice. */
export function createIdempotency(db: Database, now: () => number) {
  const at = (request: IdempotentRequest) =>
    [
      ['user_uuid', '=', request.userUuid],
      ['operation', '=', request.operation],
      ['key', '=', request.key],
    ] as const

  const find = (request: IdempotentRequest) => {
    const [user, operation, key] = at(request)
    return db.sql
      .selectFrom('idempotency')
      .selectAll()
      .where(...user)
      .where(...operation)
      .where(...key)
      .executeTakeFirst()
  }

  /** True: this request runs it. False: another one has it or has done it. */
  const claim = (request: IdempotentRequest): Promise<boolean> =>
    db.write(async () => {
      const nowMs = now()
      const values = {
        user_uuid: request.userUuid,
        operation: request.operation,
        key: request.key,
        digest: request.digest,
        state: 'running' as const,
        status: null,
        body: null,
        claimed_at: nowMs,
        expires_at: nowMs + KEPT_MS,
      }
      const { digest, state, status, body, claimed_at, expires_at } = values
      const result = await db.sql
        .insertInto('idempotency')
        .values(values)
        .onConflict((conflict) =>
          conflict
            .columns(['user_uuid', 'operation', 'key'])
            .doUpdateSet({ digest, state, status, body, claimed_at, expires_at })
            .where((eb) =>
              eb.or([
                eb('idempotency.expires_at', '<=', nowMs),
                eb.and([
                  eb('idempotency.state', '=', 'running'),
                  eb('idempotency.claimed_at', '<=', nowMs - CLAIM_LAPSES_MS),
                ]),
              ]),
            ),
        )
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
    })

  const release = async (request: IdempotentRequest): Promise<void> => {
    const [user, operation, key] = at(request)
    await db.write(() =>
      db.sql
        .deleteFrom('idempotency')
        .where(...user)
        .where(...operation)
        .where(...key)
        .where('state', '=', 'running')
        .execute(),
    )
  }

  const keep = async (request: IdempotentRequest, { status, body }: KeptAnswer): Promise<void> => {
    const [user, operation, key] = at(request)
    await db.sql
      .updateTable('idempotency')
      .set({ state: 'done', status, body })
      .where(...user)
      .where(...operation)
      .where(...key)
      .execute()
  }

  /** The answer of another request with this key; undefined when there is none any more and this one may run. */
  const waitForAnswer = async (request: IdempotentRequest): Promise<KeptAnswer | undefined> => {
    for (;;) {
      const row = await find(request)
      if (row === undefined || row.expires_at <= now()) return undefined
      if (row.digest !== request.digest) throw new AppError('idempotency_mismatch')
      if (row.state === 'done') return { status: row.status ?? 200, body: row.body ?? '' }
      if (row.claimed_at <= now() - CLAIM_LAPSES_MS) return undefined
      await sleep(WAIT_MS)
    }
  }

  return {
    /**
     * Runs the work once per key. Work does what is slow, then hands its effect to `transact`, whose transaction also
     * keeps the answer; a refusal is kept in a transaction of its own, after what had begun was taken back.
     */
    async once(
      request: IdempotentRequest,
      work: (transact: Transact) => Promise<RunResult>,
      refusal: (error: unknown) => RunResult,
    ): Promise<KeptAnswer & { replayed: boolean }> {
      while (!(await claim(request))) {
        const kept = await waitForAnswer(request)
        if (kept !== undefined) return { ...kept, replayed: true }
      }
      const transact: Transact = (run) =>
        db.write(async () => {
          const result = await run()
          if (result.keep) await keep(request, result.answer)
          return result
        })
      try {
        const { answer, keep: kept } = await work(transact)
        if (!kept) await release(request)
        return { ...answer, replayed: false }
      } catch (error) {
        const refused = refusal(error)
        await (refused.keep ? db.write(() => keep(request, refused.answer)) : release(request))
        throw error
      }
    },
    /** Forgets what is too old to be repeated. */
    async sweep(): Promise<void> {
      await db.write(() => db.sql.deleteFrom('idempotency').where('expires_at', '<=', now()).execute())
    },
  }
}

export type Idempotency = ReturnType<typeof createIdempotency>
