import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { nextTurn } from '../../work/turns.ts'
import { openDatabase } from './open.ts'

/** Longer than reads of one turn of the event loop may take. */
const LONG_MS = 10

const keepBusy = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('serves visitors between two long concurrent reads of SQLite', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waymark-reads-test-'))
  const db = await openDatabase({ url: undefined, dataDir })
  const steps: string[] = []
  const read = (name: string): Promise<void> =>
    db.read(async () => {
      for (let statement = 1; statement <= 3; statement++) {
        await db.sql.selectFrom('users').select('uuid').execute()
        steps.push(`${name}${statement}`)
      }
      keepBusy(LONG_MS)
    })
  const visit = async (): Promise<void> => {
    for (let turn = 1; turn <= 3; turn++) {
      await nextTurn()
      steps.push('visitor')
    }
  }
  await Promise.all([visit(), read('a'), read('b')])
  expect(steps).toEqual(['a1', 'a2', 'a3', 'visitor', 'b1', 'b2', 'b3', 'visitor', 'visitor'])
  await db.close()
  await rm(dataDir, { recursive: true })
})

it('serves visitors during large reads of SQLite, which run in a thread', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waymark-reads-test-'))
  const db = await openDatabase({ url: undefined, dataDir })
  const count = sql<{ count: number; bytes: Buffer; folded: string }>`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 3000000)
    select count(*) as count, x'0102' as bytes, fold('ÄΣ') as folded from numbers`
  let turns = 0
  let waiting = setImmediate(function served() {
    turns++
    waiting = setImmediate(served)
  })
  const { rows } = await db.read(() => count.execute(db.sql), true)
  clearImmediate(waiting)
  expect(turns).toBeGreaterThan(100)
  expect(rows).toEqual([{ count: 3_000_000, bytes: Buffer.from([1, 2]), folded: 'äσ' }])
  await expect(db.read(() => sql`delete from users`.execute(db.sql), true)).rejects.toThrow()
  await db.close()
  await rm(dataDir, { recursive: true })
})
