import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadMigrations, type Migration } from '../../packages/server/src/storage/db/migrator.ts'
import { endRelease, frozenAmong } from './freeze-migrations.ts'
import frozen from './frozen-migrations.json' with { type: 'json' }

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

it('has not changed a migration of a release, and has frozen all of them', async () => {
  expect(await frozenAmong(await loadMigrations())).toEqual(frozen)
})

describe('a frozen schema', () => {
  let folder = ''
  let migrations = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waymark-freeze-'))
    migrations = join(folder, 'migrations')
    await symlink(path('node_modules'), join(folder, 'node_modules'))
    await cp(path('packages/server/src/storage/db/migrations'), migrations, { recursive: true })
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** Each folder is loaded only once: a second import of a file would return the first one. */
  const load = async (): Promise<Migration[]> => {
    const copy = await mkdtemp(join(folder, 'copy-'))
    await cp(migrations, copy, { recursive: true })
    return loadMigrations(pathToFileURL(`${copy}/`))
  }

  it('is extended by later releases, and detects changed migrations', async () => {
    const first = await frozenAmong(await load())
    const later = `import { sql } from 'kysely'\nexport const up = async (db) => { await sql\`select 1\`.execute(db) }\n`
    await writeFile(join(migrations, '9999_later.ts'), later)
    expect(await frozenAmong(await load())).toEqual(first)
    await endRelease(migrations, '1.1.0')
    const all = await load()
    const second = await frozenAmong(all)
    // All migrations added since the first release belong to the second one.
    expect(second.slice(0, first.length)).toEqual(first)
    expect(second.map(({ name }) => name)).toEqual(all.map(({ name }) => name))
    expect(second.at(-1)?.name).toBe('9999_later')
    await writeFile(
      join(migrations, '9999_later.ts'),
      `${later.replace('select 1', 'select 2')}export const release = '1.1.0'\n`,
    )
    expect(await frozenAmong(await load())).not.toEqual(second)
  })
})
