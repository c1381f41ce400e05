import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nextTurn } from '../../runtime/turns.ts'
import { openDatabase } from './open.ts'

/** Longer than the reads of one turn of the event loop may take. */
const LONG_MS = 10

const keepBusy = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('lets visitors in between two long reads of SQLite that are requested together', async () => {
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
