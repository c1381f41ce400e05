import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openDatabase } from './open.ts'
import { loadMigrations } from './migrator.ts'
import { forEachDatabase } from './testing.ts'
import { readTotal } from './totals.ts'

const child = fileURLToPath(new URL('processes.child.ts', import.meta.url))
const WRITES = 100

forEachDatabase((_engine, _open, databases) => {
  it('is created correctly when several processes start at once, and loses none of their writes', async () => {
    const place = await databases.emptyPlace()
    const runs = ['a', 'b', 'c'].map((name) =>
      promisify(execFile)(process.execPath, [child, place.dataDir, place.url ?? '', name, `${WRITES}`]),
    )
    for (const { stdout, stderr } of await Promise.all(runs)) expect([stdout, stderr]).toEqual(['done\n', ''])
    const db = await openDatabase(place)
    const rows = await db.sql.selectFrom('sequences').select('name').execute()
    expect(rows).toHaveLength(3 * 4 * WRITES)
    expect(await readTotal(db, 'everybody', 'rows')).toBe(3 * 4 * WRITES)
    const applied = await db.sql.selectFrom('schema_migrations').select('name').orderBy('name').execute()
    const known = await loadMigrations()
    expect(applied.map((row) => row.name)).toEqual(known.map(({ name }) => name))
    await db.close()
  })
})
