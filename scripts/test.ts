import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium } from './services/chromium.ts'
import { needProgram } from './services/programs.ts'

/*
 * `npm test` checks the sources and runs the tests that a change should pass before it is committed; `npm run test:all` runs the
 * other tests. vitest.config.ts says which is which. Both install what the tests need (Redis and Chromium from the system's
 * packages; PostgreSQL and S3 come with npm) and stop at the first failing step. One project without the checks of the
 * sources: `npm test -- --only unit packages/contract`.
 */

/** Projects of vitest.config.ts by step. */
const FIRST: Readonly<Record<string, readonly string[]>> = { unit: ['unit', 'unit-alone'], e2e: ['e2e'] }
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'slow unit tests': ['unit-slow'],
  'slow e2e tests, and PostgreSQL, Redis and S3': ['e2e-slow', 'e2e-servers'],
  faults: ['faults'],
}

/** In a file or a pipe colours are noise, and a dot per test is one line of 15,000 characters. */
const isTerminal = process.stdout.isTTY
if (!isTerminal) {
  process.env['NO_COLOR'] = '1'
  delete process.env['FORCE_COLOR']
}

const run = async (title: string, command: string, args: readonly string[]): Promise<void> => {
  console.log(`\n── ${title}`)
  const startedAt = performance.now()
  const child = spawn(command, args, { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) {
    console.error(`\n${title} failed`)
    process.exit(code ?? 1)
  }
  console.log(`   ${title}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, only: { type: 'string' } },
})

const redis = await needProgram(['redis-server', 'valkey-server'], 'redis-server')
const chromium = await findChromium()
console.log(`Node ${process.version}, Redis at ${redis}, Chromium at ${chromium}, PostgreSQL and S3 from npm`)

if (!values.all && values.only === undefined) await checkSources()

async function checkSources(): Promise<void> {
  // Threads that check types repeat each other's work: more of them than cores only take longer.
  const checkers = ['--checkers', String(Math.min(availableParallelism(), 4))]
  await run('Format', 'oxfmt', ['--check', '.'])
  await run('Lint', 'oxlint', ['--type-aware', '--max-warnings', '0'])
  await run('Types', 'tsc', ['-p', 'tsconfig.json', ...checkers])
  await run('Types of the dashboard', 'tsc', ['-p', 'packages/web/tsconfig.json', ...checkers])
  await run('Unused code', 'knip', [])
}

const steps =
  values.only === undefined ? (values.all ? OTHERS : FIRST) : { [values.only]: [`${values.only}*`] }
const folder = await mkdtemp(join(tmpdir(), 'waymark-test-'))
const report = join(folder, 'report.json')
const counts = { passed: 0, failed: 0 }
for (const [step, projects] of Object.entries(steps)) {
  const reporters = [
    `--reporter=${isTerminal ? 'dot' : 'minimal'}`,
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const chosen = projects.flatMap((project) => ['--project', project])
  await run(`Tests: ${step}`, 'vitest', ['run', ...chosen, ...reporters, ...positionals])
  const { numPassedTests, numFailedTests } = JSON.parse(await readFile(report, 'utf8')) as Report
  counts.passed += numPassedTests
  counts.failed += numFailedTests
}
await rm(folder, { recursive: true, force: true })
console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
