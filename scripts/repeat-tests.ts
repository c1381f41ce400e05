import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'

/*
 * Runs the same tests several times in a row to find those that fail now and then:
 *
 *   npm run test:repeat -- --project unit --runs 10 --busy half [files…]
 *
 * During a busy run, one thread per core never sleeps; with `half`, every second run is busy. Prints one row per run and stops
 * at the first failure, with the failed tests and the output of the run. The same in pieces, if a
 * command may not take hours: `--busy none --runs 1` and `--busy all --runs 1`, repeatedly.
 */

const BUSY = ['none', 'half', 'all'] as const
type Busy = (typeof BUSY)[number]

interface Outcome {
  readonly status: string
  readonly fullName: string
  readonly failureMessages: readonly string[]
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly Outcome[]
  }[]
}

interface Run {
  readonly isBusy: boolean
  readonly seconds: number
  readonly hasPassed: boolean
  readonly report: Report | undefined
}

const { values, positionals } = parseArgs({
  options: {
    project: { type: 'string', default: 'unit' },
    runs: { type: 'string', default: '10' },
    busy: { type: 'string', default: 'half' },
  },
  allowPositionals: true,
})
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a whole number above 0')
const busy = readBusy(values.busy)
const folder = await mkdtemp(join(tmpdir(), 'waymark-repeat-'))
const log = join(folder, 'output.log')
console.log('| run | load | seconds | passed | failed | result |\n|---|---|---|---|---|---|')
for (let number = 1; number <= runs; number++) {
  const run = await runOnce(busy === 'all' || (busy === 'half' && number % 2 === 0))
  console.log(rowOf(number, run))
  if (run.hasPassed) continue
  for (const name of failedTests(run)) console.log(`\n${name}`)
  console.log(`\nrun ${number} of ${runs} failed; its output is in ${log}`)
  process.exit(1)
}
await rm(folder, { recursive: true, force: true })
console.log(`\n${runs} of ${runs} runs passed`)

function readBusy(text: string): Busy {
  const found = BUSY.find((name) => name === text)
  if (found === undefined) throw new Error(`--busy must be one of: ${BUSY.join(', ')}`)
  return found
}

async function runOnce(isBusy: boolean): Promise<Run> {
  const file = join(folder, 'report.json')
  await rm(file, { force: true })
  const load = isBusy ? startLoad() : []
  const startedAt = performance.now()
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
  const output = await open(log, 'w')
  const child = spawn('vitest', ['run', '--project', `${values.project}*`, ...reporters, ...positionals], {
    stdio: ['ignore', output.fd, output.fd],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  await output.close()
  const seconds = (performance.now() - startedAt) / 1000
  await Promise.all(load.map((worker) => worker.terminate()))
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const report = text === undefined ? undefined : (JSON.parse(text) as Report)
  return { isBusy, seconds, hasPassed: code === 0, report }
}

/** Threads, because they always end with this process. */
function startLoad(): Worker[] {
  return Array.from({ length: availableParallelism() }, () => new Worker('for (;;) {}', { eval: true }))
}

function rowOf(number: number, { isBusy, seconds, hasPassed, report }: Run): string {
  const counts = [report?.numPassedTests ?? '?', report?.numFailedTests ?? '?']
  const cells = [number, isBusy ? 'busy' : 'idle', seconds.toFixed(1), ...counts, hasPassed ? 'pass' : 'FAIL']
  return `| ${cells.join(' | ')} |`
}

function failedTests({ hasPassed, report }: Run): string[] {
  if (hasPassed) return []
  const names = (report?.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length > 0)
      return failed.map(
        ({ fullName, failureMessages }) => `${name}: ${fullName}\n${failureMessages.join('\n')}`,
      )
    return message === '' ? [] : [`${name}: ${message.split('\n')[0]}`]
  })
  return names.length > 0 ? names : ['an error outside of the tests: see the output']
}
