import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadMigrations } from './migrator.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-migrations-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('finds every file in the folder, in the order of their names', async () => {
  const names = (await loadMigrations()).map(({ name }) => name)
  const files = await readdir(new URL('./migrations/', import.meta.url))
  expect(names.length).toBeGreaterThan(0)
  expect(names).toEqual(files.flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : [])).sort())
})

it('loads built JavaScript as well, and ignores other files', async () => {
  const built = pathToFileURL(`${folder}/`)
  for (const file of ['0002_second.mjs', '0001_first.mjs'])
    await writeFile(join(folder, file), `export const up = async () => '${file}'`)
  for (const file of ['0001_first.mjs.map', '0001_first.d.ts', 'index.js', 'notes.md'])
    await writeFile(join(folder, file), 'throw new Error()')
  const found = await loadMigrations(built)
  expect(found.map(({ name }) => name)).toEqual(['0001_first', '0002_second'])
  expect(await found[1]?.up(undefined as never, undefined as never)).toBe('0002_second.mjs')
})

it('does not start with a build that lacks them', async () => {
  const empty = pathToFileURL(`${await mkdtemp(join(folder, 'empty-'))}/`)
  await expect(loadMigrations(empty)).rejects.toThrow('There are no migrations')
})
