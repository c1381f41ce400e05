import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { type Job, JobRunner } from './jobs.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2027, 0, 15, 10, 30)

forEachDatabase((_engine, open) => {
  let db: Database
  let nowMs = START_MS
  let clockMs = 0
  let ran: string[] = []
  let faults: string[] = []

  const job = (name: string, cron: string, more: Partial<Job> = {}): Job => ({
    name,
    cron,
    run: () => Promise.resolve(void ran.push(name)),
    ...more,
  })
  const runner = (holder: string, jobs: readonly Job[]): JobRunner =>
    new JobRunner({
      db,
      jobs,
      holder,
      lifeMs: 10_000,
      now: () => nowMs,
      clock: () => clockMs,
      report: (error) => faults.push((error as Error).message),
    })
  const pass = async (ms: number, ...runners: JobRunner[]): Promise<string[]> => {
    nowMs += ms
    clockMs += Math.min(ms, 5_000)
    ran = []
    for (const each of runners) {
      await each.step()
      await each.settled()
    }
    return ran
  }

  beforeEach(async () => {
    db ??= await open()
    await db.write(async () => {
      await db.sql.deleteFrom('leases').execute()
      await db.sql.deleteFrom('job_runs').execute()
    })
    ;[nowMs, ran, faults] = [START_MS, [], []]
  })

  it('runs new jobs immediately, and then each job on its schedule', async () => {
    const one = runner('a', [job('hourly', '5 * * * *'), job('daily', '0 3 * * *')])
    expect(await pass(0, one)).toEqual(['hourly', 'daily'])
    expect(await pass(34 * 60_000, one)).toEqual([])
    expect(await pass(60_000, one)).toEqual(['hourly'])
    expect(await pass(1_000, one)).toEqual([])
    expect(await pass(15 * HOUR_MS + 54 * 60_000, one)).toEqual(['hourly'])
    expect(await pass(60_000, one)).toEqual(['daily'])
    expect(faults).toEqual([])
  })

  it('makes up for missed times, once', async () => {
    const first = runner('a', [job('daily', '0 3 * * *')])
    await pass(0, first)
    await first.close()
    expect(await pass(72 * HOUR_MS, runner('b', [job('daily', '0 3 * * *')]))).toEqual(['daily'])
  })

  it('runs in one of several processes, and in the next when that one dies', async () => {
    const jobs = [job('hourly', '0 * * * *'), job('resume', '0 * * * *', { atTakeover: true })]
    const [a, b] = [runner('a', jobs), runner('b', jobs)]
    expect(await pass(0, a, b)).toEqual(['hourly', 'resume'])
    expect([a.leading, b.leading]).toEqual([true, false])
    expect(await pass(HOUR_MS, a, b)).toEqual(['hourly', 'resume'])
    // From here on `a` is dead. Nothing is due, but interrupted work has to be finished.
    expect(await pass(5_000, b)).toEqual([])
    expect(await pass(5_000, b)).toEqual(['resume'])
    expect([a.leading, b.leading]).toEqual([false, true])
    expect(await pass(5_000, a, b)).toEqual([])
  })

  it('takes over immediately when the other process has closed', async () => {
    const jobs = [job('hourly', '0 * * * *', { atTakeover: true })]
    const [a, b] = [runner('a', jobs), runner('b', jobs)]
    await pass(0, a, b)
    await a.close()
    expect(await pass(1_000, b)).toEqual(['hourly'])
  })

  describe('a job that fails', () => {
    it('is reported, does not block other jobs, and is retried before it is due', async () => {
      let broken = true
      const failing = job('daily', '0 3 * * *', {
        run: () => (broken ? Promise.reject(new Error('no')) : Promise.resolve(void ran.push('daily'))),
      })
      const one = runner('a', [failing, job('hourly', '0 * * * *')])
      expect(await pass(0, one)).toEqual(['hourly'])
      expect(faults).toEqual(['The job daily failed'])
      expect(one.failures).toBe(1)
      broken = false
      expect(await pass(299_000, one)).toEqual([])
      expect(await pass(1_000, one)).toEqual(['daily'])
      expect(await pass(300_000, one)).toEqual([])
    })
  })

  it('aborts running jobs when the lease is lost', async () => {
    let cut = false
    const endless = job('endless', '0 * * * *', {
      run: (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            cut = true
            resolve()
          })
        }),
    })
    const [a, b] = [runner('a', [endless]), runner('b', [])]
    await a.step()
    await b.step()
    clockMs += 10_000
    await b.step()
    expect(b.leading).toBe(true)
    await a.step()
    await a.settled()
    expect([cut, a.leading]).toEqual([true, false])
    const row = await db.sql.selectFrom('job_runs').selectAll().executeTakeFirstOrThrow()
    expect(row.ended_at).toBeNull()
  })
})
