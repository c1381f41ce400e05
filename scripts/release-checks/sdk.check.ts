import { deepStrictEqual } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EXPECTED, installSdk } from '../../packages/sdk/test/installed-sdk.ts'
import { NODE_MAJORS } from './installs/toolchains.ts'
import { printTable } from './table.ts'

/*
 * The published SDK, installed into an empty project and compiled with both kinds of module resolution, with the newest
 * release of every supported major version of Node. `npm test` does this with one of them.
 */

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'waymark-nodes-'))
const sdk = await installSdk()
try {
  const packages = NODE_MAJORS.map(
    (major) => `node${major}@npm:node-${process.platform}-${process.arch}@${major}`,
  )
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', ...packages], { cwd: folder })
  const rows: string[][] = []
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const program = await sdk.compile({ module, moduleResolution })
    for (const major of NODE_MAJORS) {
      const node = join(folder, `node_modules/node${major}/bin/node`)
      const { printed, requests } = await sdk.consume(node, program)
      deepStrictEqual(printed, EXPECTED)
      const { stdout: version } = await run(node, ['--version'])
      rows.push([version.trim(), moduleResolution, `${requests.length} requests`])
    }
  }
  printTable(['Node', 'resolution', 'seen'], rows)
} finally {
  await sdk.remove()
  await rm(folder, { recursive: true, force: true })
}
