import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../e2e/support/waymark.ts'
import { installToolchains } from './installs/toolchains.ts'
import { makePeople } from './installs/people.ts'
import { installPackage, makeRelease, SERVER_PACKAGE } from './release-package.ts'
import { printTable } from './table.ts'

/*
 * The server's npm package as users get it: built from this tree, installed into an empty folder with only its runtime
 * dependencies, with every supported Node. Then the tests of the whole service, with the installed package instead
 * of the clone: start and stop, links, codes, pages, clicks, backup, restore and migrate-data.
 */

const MAX_MEGABYTES = 120
const NODES = ['24', '26']
const TESTS = 'start stop links codes pages clicks accounts uploads backup migrate-data workers cli'
  .split(' ')
  .map((name) => `e2e/${name}.test.ts`)

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'waymark-package-'))
const problems: string[] = []
const rows: string[][] = []

/** Milliseconds until the first response, and the processor time of the start. */
async function timeStart(node: string, launcher: string, dataDir: string): Promise<number> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(node, [launcher, 'serve'], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const isLive = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isLive())) {
    if (child.exitCode !== null) throw new Error(`waymark serve exited ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const tookMs = performance.now() - startedAt
  // Compiled code is cached for the next start.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) problems.push(`waymark serve exited ${code} after SIGTERM`)
  return tookMs
}

try {
  const file = makeRelease(join(folder, 'release'), SERVER_PACKAGE)
  const people = await makePeople(folder)
  const toolchains = await installToolchains(folder, people.root, { nodes: NODES, npms: ['11'] })
  for (const { node: version, path } of toolchains) {
    const prefix = join(folder, `node-${version}`)
    const env = { ...process.env, PATH: path }
    const launcher = join(installPackage(file, prefix, env), 'bin/waymark.mjs')
    const node = execFileSync('node', ['-p', 'process.execPath'], { env, encoding: 'utf8' }).trim()
    const megabytes = Number(execFileSync('du', ['-sm', prefix], { encoding: 'utf8' }).split('\t')[0])
    if (megabytes >= MAX_MEGABYTES) problems.push(`installed with Node ${version}, it is ${megabytes} MB`)
    const dataDir = join(folder, `data-${version}`)
    const starts = [await timeStart(node, launcher, dataDir), await timeStart(node, launcher, dataDir)]
    const tests = spawnSync('vitest', ['run', '--project', 'e2e', ...TESTS], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, WAYMARK_LAUNCHER: launcher, WAYMARK_NODE: node },
    })
    if (tests.status !== 0) problems.push(`tests fail with the package under Node ${version}`)
    rows.push([
      version,
      `${megabytes}`,
      ...starts.map((ms) => ms.toFixed(0)),
      tests.status === 0 ? 'pass' : 'FAIL',
    ])
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
printTable(['Node', 'MB installed', 'first start ms', 'second start ms', `${TESTS.length} test files`], rows)
for (const problem of problems) console.error(`\nFAILED: ${problem}`)
process.exit(problems.length === 0 ? 0 : 1)
