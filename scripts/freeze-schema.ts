import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { loadMigrations } from '../packages/server/src/storage/db/migrator.ts'
import { endRelease, frozenAmong } from './release/freeze-migrations.ts'

/*
 * Freezes the schema for a release: npm run -s node scripts/freeze-schema.ts 1.1.0
 *
 * From then on the current migrations belong to the release, and a test compares them with their checksums.
 */

const [release] = process.argv.slice(2)
if (release === undefined || !/^\d+\.\d+\.\d+$/.test(release)) {
  console.error('Name the release: npm run -s node scripts/freeze-schema.ts 1.1.0')
  process.exit(2)
}
const folder = fileURLToPath(new URL('../packages/server/src/storage/db/migrations', import.meta.url))
await endRelease(folder, release)
const frozen = await frozenAmong(await loadMigrations())
await writeFile(
  new URL('./release/frozen-migrations.json', import.meta.url),
  `${JSON.stringify(frozen, null, 2)}\n`,
)
console.log(`${frozen.length} migrations are frozen`)
