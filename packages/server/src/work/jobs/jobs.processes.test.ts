import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { openDatabase } from '../../storage/db/open.ts'
import { type Place, forEachDatabase } from '../../storage/db/testing.ts'

const program = fileURLToPath(new URL('jobs-child.ts', import.meta.url))
const children: ChildProcess[] = []

const start = async ({ dataDir, url }: Place, holder: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [program, dataDir, url ?? '', holder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout, 'data')
  return child
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

forEachDatabase((_engine, _open, databases) => {
  it('runs in one process at a time, and in the other after a kill', async () => {
    const place = await databases.place()
    const db = await openDatabase(place)
    const lines = async (): Promise<string[][]> => {
      const rows = await db.sql.selectFrom('sequences').select('name').orderBy('name').execute()
      return rows.map((row) => row.name.split(' ').slice(1))
    }
    const runsOf = async (holder: string): Promise<number> =>
      (await lines()).filter(([who, what]) => who === holder && what === 'ends').length
    const a = await start(place, 'a')
    await expect.poll(() => runsOf('a')).toBeGreaterThan(2)
    await start(place, 'b')
    const before = await runsOf('a')
    await expect.poll(() => runsOf('a')).toBeGreaterThan(before + 2)
    expect(await runsOf('b')).toBe(0)

    a.kill('SIGKILL')
    await once(a, 'exit')
    await expect.poll(() => runsOf('b')).toBeGreaterThan(2)

    const seen = await lines()
    const handover = seen.findIndex(([who]) => who === 'b')
    expect(seen.slice(handover).every(([who]) => who === 'b')).toBe(true)
    for (const [at, [who, what]] of seen.entries()) {
      // Only the kill itself may leave a run without its end.
      if (what === 'begins' && at !== handover - 1 && at !== seen.length - 1)
        expect(seen[at + 1]).toEqual([who, 'ends'])
    }
    await db.close()
  })
})
