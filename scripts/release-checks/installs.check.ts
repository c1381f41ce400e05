import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { INSTALLATIONS } from './installs/kinds.ts'
import { makePeople } from './installs/people.ts'
import { HEAD, tryInstallation } from './installs/row.ts'
import { endAll } from './installs/run.ts'
import { tryEngineStrict } from './installs/engine-strict.ts'
import { installToolchains, NODE_MAJORS, NPM_MAJORS } from './installs/toolchains.ts'
import { printTable } from './table.ts'

/*
 * Every kind of installation of a clean clone, with every Node and npm in the README: how long installing and starting take,
 * what `/app` returns, and whether SIGTERM to npm alone stops it. `npm test` runs one test file here, to check that the
 * launcher finds its Node and tools; the whole suite with every Node would take hours.
 * `--node 20` and `--npm 10` (both repeatable) choose versions.
 */

const { values } = parseArgs({
  options: { node: { type: 'string', multiple: true }, npm: { type: 'string', multiple: true } },
})
const repository = fileURLToPath(new URL('../../', import.meta.url))
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repository, encoding: 'utf8' }).trim()
const folder = await mkdtemp(join(tmpdir(), 'waymark-installs-'))
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    endAll()
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })
}
const rows: string[][] = []
const failures: string[] = []
try {
  await chmod(folder, 0o755)
  const people = await makePeople(folder)
  console.log(
    `Commit ${commit.slice(0, 7)}${people.root.uid === 0 ? '' : '; not root: every kind is tried as this user'}`,
  )
  const wanted = { nodes: values.node ?? NODE_MAJORS, npms: values.npm ?? NPM_MAJORS }
  for (const toolchain of await installToolchains(folder, people.root, wanted)) {
    for (const installation of INSTALLATIONS) {
      const checkout = join(folder, 'clone')
      const found = await tryInstallation({ repository, checkout, toolchain, installation, people })
      rows.push(...found.rows)
      failures.push(...found.failures)
      await rm(checkout, { recursive: true, force: true })
    }
    failures.push(...(await tryEngineStrict(repository, join(folder, 'strict'), toolchain, people.root)))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
printTable(HEAD, rows)
for (const failure of failures) console.error(`\nFAILED: ${failure}`)
process.exit(failures.length === 0 ? 0 : 1)
