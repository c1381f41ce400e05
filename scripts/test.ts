import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium } from './services/chromium.ts'
import { needProgram } from './services/programs.ts'

/*
 * The whole check of the project: `npm test`. It installs what the tests need (Redis and Chromium from the system's packages;
 * PostgreSQL and S3 come with npm) and stops at the first failing step. A part of it, without the checks of
 * the source: `npm test -- --only unit packages/contract`.
 */

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

const redis = await needProgram(['redis-server', 'valkey-server'], 'redis-server')
const chromium = await findChromium()
console.log(`Node ${process.version}, Redis at ${redis}, Chromium at ${chromium}, PostgreSQL and S3 from npm`)

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } })
if (values.only === undefined) await checkSource()

async function checkSource(): Promise<void> {
  // Threads that check types repeat each other's work: more of them than cores only take longer.
  const checkers = ['--checkers', String(Math.min(availableParallelism(), 4))]
  await run('Format', 'oxfmt', ['--check', '.'])
  await run('Lint', 'oxlint', ['--type-aware', '--max-warnings', '0'])
  await run('Types', 'tsc', ['-p', 'tsconfig.json', ...checkers])
  await run('Types of the dashboard', 'tsc', ['-p', 'packages/web/tsconfig.json', ...checkers])
  await run('Unused code', 'knip', [])
}

const folder = await mkdtemp(join(tmpdir(), 'waymark-test-'))
const counts = { passed: 0, failed: 0 }
for (const project of values.only === undefined ? ['unit', 'e2e'] : [values.only]) {
  const report = join(folder, `${project}.json`)
  const reporters = [
    `--reporter=${isTerminal ? 'dot' : 'minimal'}`,
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  // `unit` is two projects of Vitest.
  await run(`Tests: ${project}`, 'vitest', ['run', '--project', `${project}*`, ...reporters, ...positionals])
  const { numPassedTests, numFailedTests } = JSON.parse(await readFile(report, 'utf8')) as Report
  counts.passed += numPassedTests
  counts.failed += numFailedTests
}
await rm(folder, { recursive: true, force: true })
console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
