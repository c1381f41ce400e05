import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from '../../../e2e/support/waymark.ts'
import { installPackage, makeRelease, SERVER_PACKAGE } from '../release-package.ts'

/**
 * The schema changes of the later version: an additional column in every table, and an additional table. Code of the previous
 * version must not depend on the set of columns.
 */
const LATER_MIGRATION = `
export const release = '1.1.0'
export async function up(db, dialect) {
  const tables = await db.introspection.getTables()
  for (const { name } of tables) if (name !== 'schema_migrations') await dialect.addColumn(db, name, 'added_later', 'text?')
  await dialect.createTable(db, 'added_later', { columns: { uuid: 'key' }, primary: ['uuid'] })
}
`

export interface Versions {
  readonly earlier: Program
  readonly later: Program
}

/**
 * Two releases as installed packages: this tree as 1.0.0, and the same with one more migration as 1.1.0.
 */
export function installVersions(folder: string): Versions {
  const file = makeRelease(join(folder, 'release'), SERVER_PACKAGE)
  const installed = installPackage(file, join(folder, 'installed'))
  endRelease(join(installed, 'dist/migrations'))
  const earlier = join(folder, '1.0.0')
  const later = join(folder, '1.1.0')
  for (const [version, to] of [
    ['1.0.0', earlier],
    ['1.1.0', later],
  ] as const) {
    cpSync(installed, to, { recursive: true, verbatimSymlinks: true })
    setVersion(to, version)
  }
  writeFileSync(join(later, 'dist/migrations/9999_added_later.js'), LATER_MIGRATION)
  return { earlier: programIn(earlier), later: programIn(later) }
}

/** Before its schema is frozen, the last migration of this tree does not yet mark the end of a release. */
function endRelease(migrations: string): void {
  const last =
    readdirSync(migrations)
      .filter((file) => file.endsWith('.js'))
      .sort()
      .at(-1) ?? ''
  const path = join(migrations, last)
  if (!/\brelease = /.test(readFileSync(path, 'utf8')))
    appendFileSync(path, `\nexport const release = '1.0.0'\n`)
}

function setVersion(folder: string, version: string): void {
  const path = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...manifest, version }))
}

const programIn = (folder: string): Program => ({
  node: process.execPath,
  launcher: join(folder, 'bin/waymark.mjs'),
})
