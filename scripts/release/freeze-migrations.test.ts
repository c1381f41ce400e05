import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Dialect } from '../../packages/server/src/storage/db/dialect.ts'
import { checksumOf } from '../../packages/server/src/storage/db/migration-checksums.ts'
import { loadMigrations, type Migration } from '../../packages/server/src/storage/db/migrations.ts'
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

  /** Each folder is only loaded once: a second import of a file would return the first one. */
  const load = async (): Promise<Migration[]> => {
    const copy = await mkdtemp(join(folder, 'copy-'))
    await cp(migrations, copy, { recursive: true })
    return loadMigrations(pathToFileURL(`${copy}/`))
  }

  const inOne = (known: readonly Migration[]): Migration => ({
    name: 'all',
    up: async (db, dialect) => {
      for (const { up } of known) await up(db, dialect)
    },
  })

  it('does to an empty database what the migrations did before', async () => {
    const before = await load()
    await endRelease(migrations, '1.0.0')
    const after = await load()
    expect(after.at(-1)?.release).toBe('1.0.0')
    for (const engine of ['sqlite', 'postgres'] as const) {
      const dialect = new Dialect(engine)
      expect(await checksumOf(inOne(after), dialect)).toBe(await checksumOf(inOne(before), dialect))
    }
  })

  it('is extended by later releases, and tells when one of its migrations was changed', async () => {
    await endRelease(migrations, '1.0.0')
    const first = await frozenAmong(await load())
    const later = `import { sql } from 'kysely'\nexport const up = async (db) => { await sql\`select 1\`.execute(db) }\n`
    await writeFile(join(migrations, '9999_later.ts'), later)
    expect(await frozenAmong(await load())).toEqual(first)
    await endRelease(migrations, '1.1.0')
    const second = await frozenAmong(await load())
    expect(second.slice(0, -1)).toEqual(first)
    expect(second.at(-1)?.name).toBe('9999_later')
    await writeFile(
      join(migrations, '9999_later.ts'),
      `${later.replace('select 1', 'select 2')}export const release = '1.1.0'\n`,
    )
    expect(await frozenAmong(await load())).not.toEqual(second)
  })
})
