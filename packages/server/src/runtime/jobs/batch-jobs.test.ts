import { expect, it } from 'vitest'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { Batch, BatchTooLong } from './batch.ts'
import { type BatchJob, BatchJobs } from './batch-jobs.ts'

const spend = (ms: number): void => {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}

interface Row {
  readonly user_uuid: string
}

forEachDatabase((_engine, open) => {
  const lease = (name: string) => ({ name, holder: 'x', beat: 1 })

  it('rolls back a batch that takes too long, and makes the next one smaller', async () => {
    const db = await open()
    const batch = new Batch(db, 1, () => undefined)
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

  it('lets the smallest batch take its time', async () => {
    const db = await open()
    const holds: number[] = []
    const batch = new Batch(db, 25, (ms) => holds.push(ms))
    await batch.write(async (checkTime) => {
      await Promise.resolve()
      spend(250)
      checkTime()
    })
    expect(batch.rows).toBe(25)
    expect(holds[0]).toBeGreaterThanOrEqual(250)
  })

  it('repeats a step whose batch was rolled back, until the job ends', async () => {
    const db = await open()
    const steps: string[] = []
    const job: BatchJob<Row> = {
      name: crypto.randomUUID(),
      lane: 'imports',
      fewestRows: 1,
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
    const jobs = new BatchJobs(job, { db, holder: crypto.randomUUID(), report: () => undefined })
    await jobs.runSlice({ user_uuid: crypto.randomUUID() })
    expect(steps).toEqual(['Error', 'more', 'ended'])
    await jobs.close()
  })
})
