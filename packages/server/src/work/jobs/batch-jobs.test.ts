import { expect, it } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import type { JobCaller } from '../../storage/db/tables.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { Batch, type BatchJob, BatchJobs, BatchTooLong, JobOvertaken, RIGHT_ENDED } from './batch-jobs.ts'

const rowOf = (workspaceUuid: string): JobCaller => ({
  workspace_uuid: workspaceUuid,
  created_by: workspaceUuid,
  credential_kind: null,
  credential_uuid: null,
})
const permits = (): Promise<boolean> => Promise.resolve(true)

forEachDatabase((_engine, open) => {
  const lease = (name: string) => ({ name, holder: 'x', beat: 1 })

  /** A batch, and a clock for it. */
  const timed = (db: Database, fewest: number) => {
    let nowMs = 0
    const holds: number[] = []
    const pace = { aimMs: 20, limitMs: 50, fewest }
    const batch = new Batch(
      db,
      (ms) => holds.push(ms),
      pace,
      () => nowMs,
    )
    return { batch, holds, spend: (ms: number) => void (nowMs += ms) }
  }

  it('rolls back a batch that takes too long, and shrinks the next one', async () => {
    const db = await open()
    const { batch, spend } = timed(db, 1)
    const before = batch.rows
    const name = crypto.randomUUID()
    const work = batch.write(async (checkTime) => {
      await db.sql.insertInto('leases').values(lease(name)).execute()
      spend(250)
      checkTime()
    })
    await expect(work).rejects.toThrow(BatchTooLong)
    expect(batch.rows).toBeLessThan(before)
    expect(await db.sql.selectFrom('leases').selectAll().where('name', '=', name).execute()).toEqual([])
  })

  it('shrinks the next batch if the commit takes long', async () => {
    const db = await open()
    let spend: (ms: number) => void = () => undefined
    const slow: Pick<Database, 'engine' | 'write'> = {
      engine: db.engine,
      write: (work, priority) => db.write(work, priority).finally(() => spend(250)),
    }
    const { batch, ...clock } = timed(slow as Database, 1)
    spend = clock.spend
    const before = batch.rows
    await batch.write(() => Promise.resolve())
    expect(batch.rows).toBeLessThan(before / 10)
  })

  it('does not limit the smallest batch', async () => {
    const db = await open()
    const { batch, holds, spend } = timed(db, 25)
    await batch.write(async (checkTime) => {
      await Promise.resolve()
      spend(250)
      checkTime()
    })
    expect(batch.rows).toBe(25)
    expect(holds).toHaveLength(1)
  })

  it('grows batches while they take less than their time', async () => {
    const { batch, spend } = timed(await open(), 1)
    const sizes = [batch.rows]
    for (let n = 0; n < 12; n++) {
      // A tenth of a millisecond for each row.
      await batch.write(() => Promise.resolve(spend(batch.rows / 10)))
      sizes.push(batch.rows)
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(batch.rows).toBe(200)
  })

  it('ends the turn of a job that was changed or deleted meanwhile, without an error', async () => {
    const job: BatchJob<JobCaller> = {
      name: crypto.randomUUID(),
      lane: 'imports',
      operation: 'importLinks',
      isUndo: () => false,
      fail: () => Promise.resolve(),
      next: () => Promise.resolve(undefined),
      postpone: () => Promise.resolve(),
      prepare: () => Promise.resolve(() => Promise.reject(new JobOvertaken())),
    }
    const jobs = new BatchJobs(job, { db: await open(), holder: 'x', permits, report: () => {} })
    await expect(jobs.runSlice(rowOf('a'))).resolves.toBe('ended')
  })

  it('ends a job whose creator has lost the right, but not an undo', async () => {
    const done: string[] = []
    const job = (isUndo: boolean): BatchJob<JobCaller> => ({
      name: crypto.randomUUID(),
      lane: 'imports',
      operation: 'importLinks',
      isUndo: () => isUndo,
      fail: (_row, error) => Promise.resolve(done.push(error)),
      next: () => Promise.resolve(undefined),
      postpone: () => Promise.resolve(),
      prepare: () => Promise.resolve(() => Promise.resolve(done.push('undone')).then(() => 'ended' as const)),
    })
    const options = { db: await open(), holder: 'x', permits: () => Promise.resolve(false), report: () => {} }
    for (const isUndo of [false, true])
      expect(await new BatchJobs(job(isUndo), options).runSlice(rowOf('a'))).toBe('ended')
    expect(done).toEqual([RIGHT_ENDED, 'undone'])
  })

  it('repeats a step whose batch was rolled back, until the job ends', async () => {
    const db = await open()
    const steps: string[] = []
    const job: BatchJob<JobCaller> = {
      name: crypto.randomUUID(),
      lane: 'imports',
      operation: 'importLinks',
      isUndo: () => false,
      fail: () => Promise.resolve(),
      next: () => Promise.resolve(undefined),
      postpone: () => Promise.resolve(),
      prepare: () => {
        const outcomes = [new BatchTooLong(), 'more', 'ended'] as const
        return Promise.resolve(() => {
          const outcome = outcomes[steps.length] ?? 'ended'
          steps.push(String(outcome))
          return typeof outcome === 'string' ? Promise.resolve(outcome) : Promise.reject(outcome)
        })
      },
    }
    const jobs = new BatchJobs(job, { db, holder: crypto.randomUUID(), permits, report: () => undefined })
    await jobs.runSlice(rowOf(crypto.randomUUID()))
    expect(steps).toEqual(['Error', 'more', 'ended'])
    await jobs.close()
  })
})
