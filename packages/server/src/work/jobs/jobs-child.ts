import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../../storage/db/open.ts'
import { startJobs } from './jobs.ts'

/** Started twice by jobs.processes.test.ts: runs one job as often as possible, and records when. */
const [dataDir = '', url = '', holder = ''] = process.argv.slice(2)
const db = await openDatabase({ url: url === '' ? undefined : url, dataDir })
let atMs = Date.now()

const note = async (what: string): Promise<void> => {
  await db.write(async () => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from sequences`.execute(db.sql)
    const name = `${String(Number(rows[0]?.n)).padStart(6, '0')} ${holder} ${what}`
    await db.sql.insertInto('sequences').values({ name, value: 0 }).execute()
  })
}

startJobs({
  db,
  holder,
  beatMs: 100,
  // Long, so that a busy machine does not make the first process look dead.
  lifeMs: 6_000,
  // An hour passes between two steps, so that the job is always due.
  now: () => (atMs += 3_600_000),
  report: (error) => console.error(error),
  jobs: [
    {
      name: 'work',
      cron: '0 * * * *',
      async run() {
        await note('begins')
        await delay(20)
        await note('ends')
      },
    },
  ],
})
setInterval(() => undefined, 60_000)
console.log('started')
