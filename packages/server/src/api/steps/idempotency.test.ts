import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { admission, laneRules } from '../../net/admission/lanes.ts'
import { actingFor } from '../../net/admission/gate.ts'
import { type Database } from '../../storage/db/database.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { AppError } from '../../net/errors.ts'
import { DAY_MS } from '../../work/times.ts'
import { createIdempotency, type StoredResponse, readIdempotencyKey, type RunResult } from './idempotency.ts'

const MINUTE_MS = 60_000
const response = (text: string): StoredResponse => ({ status: 201, body: JSON.stringify({ text }) })
const reject = (error: unknown): RunResult => ({ response: response(String(error)), keep: true })

/** A promise that is settled from outside. */
const gate = () => {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { open, passed }
}

describe('readIdempotencyKey', () => {
  it('counts characters, not the bytes that headers arrive in', () => {
    const asHeader = (text: string): string => Buffer.from(text).toString('latin1')
    expect(readIdempotencyKey(undefined)).toBe(undefined)
    expect(readIdempotencyKey(asHeader('é'.repeat(255)))).toBe('é'.repeat(255))
    expect(() => readIdempotencyKey(asHeader('é'.repeat(256)))).toThrow(AppError)
    expect(() => readIdempotencyKey('')).toThrow(AppError)
  })
})

forEachDatabase((_, open) => {
  const setUp = async (renewMs?: number) => {
    const db: Database = await open()
    const clock = { ms: 1_000_000 }
    const idempotency = createIdempotency(db, () => clock.ms, renewMs)
    const userUuid = await insertTestUser(db)
    const request = {
      workspaceUuid: userUuid,
      userUuid,
      unsigned: false,
      operation: 'addFeedback',
      key: 'k',
      digest: 'd',
      needs: null,
    }
    const feedback = (text: string) => ({
      uuid: crypto.randomUUID(),
      user_uuid: request.userUuid,
      feedback: text,
      image_hash: null,
      created_at: 0,
    })
    /** Work with an effect that can be counted. */
    const leaving = (text: string, wait?: Promise<void>, started?: () => void) =>
      idempotency.once(
        request,
        async (transact) => {
          started?.()
          await wait
          return transact(async () => {
            await db.sql.insertInto('feedback').values(feedback(text)).execute()
            return { response: response(text), keep: true }
          })
        },
        reject,
      )
    const effects = async () =>
      (await db.sql.selectFrom('feedback').select('feedback').execute()).map((row) => row.feedback)
    return { db, clock, idempotency, request, leaving, effects }
  }

  it('returns the first response again for a day, and no longer', async () => {
    const { clock, leaving, effects } = await setUp()
    expect(await leaving('one')).toEqual({ ...response('one'), replayed: false })
    clock.ms += DAY_MS - 1
    expect(await leaving('two')).toEqual({ ...response('one'), needs: null, replayed: true })
    clock.ms += 1
    expect(await leaving('three')).toEqual({ ...response('three'), replayed: false })
    expect(await effects()).toEqual(['one', 'three'])
  })

  it('rejects another payload, even while the first is running', async () => {
    const { idempotency, request, leaving } = await setUp()
    const [start, finish] = [gate(), gate()]
    const first = leaving('one', finish.passed, start.open)
    await start.passed
    const other = idempotency.once(
      { ...request, digest: 'other' },
      () => Promise.reject(new Error('ran')),
      reject,
    )
    await expect(other).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    finish.open()
    expect((await first).replayed).toBe(false)
  })

  it('lets the second wait for the first', async () => {
    const { leaving, effects } = await setUp()
    const [start, finish] = [gate(), gate()]
    const first = leaving('one', finish.passed, start.open)
    await start.passed
    const second = leaving('two')
    finish.open()
    expect(await Promise.all([first, second])).toEqual([
      { ...response('one'), replayed: false },
      { ...response('one'), needs: null, replayed: true },
    ])
    expect(await effects()).toEqual(['one'])
  })

  it('polls once for all waiting requests with a key, and limits their number', async () => {
    const { db, idempotency, request, leaving, effects } = await setUp()
    const [start, finish] = [gate(), gate()]
    // Another process: this one is not notified when the request ends.
    const elsewhere = createIdempotency(db, () => 1_000_000)
    const first = elsewhere.once(
      request,
      async (transact) => {
        start.open()
        await finish.passed
        return transact(() => Promise.resolve({ response: response('one'), keep: true }))
      },
      reject,
    )
    await start.passed
    const { share } = laneRules.repeatedRequests
    const requester = { account: request.workspaceUuid }
    const waiting = Array.from({ length: share }, () => actingFor(requester, () => leaving('two')))
    await expect.poll(() => admission.counts().repeatedRequests.running).toBe(share)
    const reads = vi.spyOn(db, 'sql', 'get')
    await sleep(400)
    expect(reads.mock.calls.length).toBeLessThan(share)
    reads.mockRestore()
    await expect(actingFor(requester, () => leaving('three'))).rejects.toMatchObject({ code: 'busy' })
    const other = { account: 'another' }
    const mismatched = { ...request, digest: 'other' }
    const wrong = actingFor(other, () =>
      idempotency.once(mismatched, () => Promise.reject(new Error()), reject),
    )
    await expect(wrong).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    finish.open()
    expect((await first).replayed).toBe(false)
    const replayed = { ...response('one'), needs: null, replayed: true }
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: share }, () => replayed))
    expect([await effects(), admission.counts().repeatedRequests.running]).toEqual([[], 0])
  })

  it('gives the claim of a dead process to the next one after a minute', async () => {
    const { clock, leaving, effects } = await setUp()
    const [start, never] = [gate(), gate()]
    void leaving('dead', never.passed, start.open)
    await start.passed
    clock.ms += MINUTE_MS
    expect(await leaving('next')).toEqual({ ...response('next'), replayed: false })
    expect(await effects()).toEqual(['next'])
  })

  it('keeps the claim of a run that takes minutes', async () => {
    const { db, clock, leaving, effects } = await setUp(5)
    const [start, finish] = [gate(), gate()]
    const slow = leaving('slow', finish.passed, start.open)
    await start.passed
    for (let halves = 0; halves < 3; halves++) {
      clock.ms += MINUTE_MS / 2
      const claimedAt = () => db.sql.selectFrom('idempotency').select('claimed_at').executeTakeFirstOrThrow()
      await expect.poll(async () => (await claimedAt()).claimed_at).toBe(clock.ms)
    }
    const repeated = leaving('again')
    finish.open()
    expect([await slow, await repeated]).toEqual([
      { ...response('slow'), replayed: false },
      { ...response('slow'), needs: null, replayed: true },
    ])
    expect(await effects()).toEqual(['slow'])
  })

  it('rolls back a run that has lost its claim, and returns the response of the other', async () => {
    const { clock, leaving, effects } = await setUp()
    const [start, finish] = [gate(), gate()]
    const slow = leaving('slow', finish.passed, start.open)
    await start.passed
    clock.ms += MINUTE_MS
    await leaving('next')
    finish.open()
    expect(await slow).toEqual({ ...response('next'), needs: null, replayed: true })
    expect(await effects()).toEqual(['next'])
  })

  it('stores a rejection without its effects, unless it must not be stored', async () => {
    const { db, idempotency, request, effects } = await setUp()
    const failing = (keep: boolean) =>
      idempotency.once(
        request,
        (transact) =>
          transact(async () => {
            const row = {
              uuid: crypto.randomUUID(),
              user_uuid: request.userUuid,
              feedback: 'x',
              image_hash: null,
            }
            await db.sql
              .insertInto('feedback')
              .values({ ...row, created_at: 0 })
              .execute()
            throw new Error('refused')
          }),
        (error) => ({ ...reject(error), keep }),
      )
    await expect(failing(false)).rejects.toThrow('refused')
    await expect(failing(true)).rejects.toThrow('refused')
    expect(await failing(true)).toEqual({ ...response('Error: refused'), needs: null, replayed: true })
    expect(await effects()).toEqual([])
  })

  it('does not store a response that must not be stored', async () => {
    const { idempotency, request } = await setUp()
    const secretly = (text: string) =>
      idempotency.once(
        request,
        (transact) => transact(() => Promise.resolve({ response: response(text), keep: false })),
        reject,
      )
    expect(await secretly('one')).toEqual({ ...response('one'), replayed: false })
    expect(await secretly('two')).toEqual({ ...response('two'), replayed: false })
  })

  it('deletes responses after a day', async () => {
    const { db, clock, idempotency, leaving } = await setUp()
    await leaving('one')
    const rows = () => db.sql.selectFrom('idempotency').select('key').execute()
    await idempotency.sweep()
    expect(await rows()).toHaveLength(1)
    clock.ms += DAY_MS
    await idempotency.sweep()
    expect(await rows()).toEqual([])
  })
})
