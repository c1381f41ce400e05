import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Steps } from './steps.ts'
import { upgradeOneMachine } from './upgrade/one-machine.ts'
import { upgradeNodes } from './upgrade/rolling.ts'
import { installVersions } from './upgrade/versions.ts'

/*
 * Upgrading as in docs/upgrading.md, with installed packages: the next release opens the data of a release, two versions run
 * side by side on one PostgreSQL, and a backup is the way back.
 */

const steps = new Steps()
const folder = await mkdtemp(join(tmpdir(), 'waymark-upgrade-'))
let failure: unknown
try {
  const versions = await steps.take('install the package of this tree as 1.0.0 and as 1.1.0', () =>
    installVersions(folder),
  )
  await upgradeOneMachine(folder, versions, steps)
  await upgradeNodes(folder, versions, steps)
} catch (error) {
  failure = error
}
steps.print()
if (failure !== undefined) console.error('\nFAILED:', failure)
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
process.exit(failure === undefined ? 0 : 1)
