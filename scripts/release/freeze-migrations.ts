import { appendFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Dialect } from '../../packages/server/src/storage/db/dialect.ts'
import { checksumOf } from '../../packages/server/src/storage/db/migration-checksums.ts'
import { loadMigrations, type Migration } from '../../packages/server/src/storage/db/migrations.ts'

/** A migration of a release: its name, and what it does to each database. */
export interface FrozenMigration {
  readonly name: string
  readonly sqlite: string
  readonly postgres: string
}

/** The migrations up to the last one that ends a release, with their checksums. */
export async function frozenAmong(known: readonly Migration[]): Promise<FrozenMigration[]> {
  const end = known.findLastIndex(({ release }) => release !== undefined)
  return Promise.all(
    known.slice(0, end + 1).map(async (migration) => ({
      name: migration.name,
      sqlite: await checksumOf(migration, new Dialect('sqlite')),
      postgres: await checksumOf(migration, new Dialect('postgres')),
    })),
  )
}

/**
 * Ends a release with the migrations of a folder. Before the first release they become the steps of one baseline, which
 * does the same to a database; later on, the last one is marked.
 */
export async function endRelease(folder: string, release: string): Promise<void> {
  const known = await loadMigrations(pathToFileURL(`${folder}/`))
  const last = known.at(-1)
  if (last === undefined || last.release !== undefined) return
  if (known.every((migration) => migration.release === undefined)) await squash(folder, release)
  else await appendFile(join(folder, `${last.name}.ts`), `\nexport const release = '${release}'\n`)
}

async function squash(folder: string, release: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.ts$/.test(name)).sort()
  const steps = join(folder, 'baseline')
  await mkdir(steps)
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), text.replaceAll("'../", "'../../"))
    await rename(join(folder, file), join(steps, file))
  }
  const names = files.map((file) => file.replace(/^\d+_(\w+)\.ts$/, '$1'))
  const camel = names.map((name) =>
    name.replaceAll(/_(\w)/g, (_text, letter: string) => letter.toUpperCase()),
  )
  const imports = files.map((file, at) => `import { up as ${camel[at]} } from './baseline/${file}'`)
  await writeFile(
    join(folder, '0001_baseline.ts'),
    `import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'
${imports.join('\n')}

export const release = '${release}'

/** How the schema came to be before the first release, in order. Neither this list nor a step is ever changed. */
const steps = [
${camel.map((name) => `  ${name},`).join('\n')}
]

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const step of steps) await step(db, dialect)
}
`,
  )
}
