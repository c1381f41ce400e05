import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cloneFor } from './clone.ts'
import type { Installation, Trial } from './kinds.ts'
import type { People } from './people.ts'
import { runAs } from './run.ts'
import { serve, type Served } from './server-trial.ts'
import type { Toolchain } from './toolchains.ts'
import { canHideLibatomic, withoutLibatomic } from './without-libatomic.ts'

export const HEAD = [
  'Node',
  'npm',
  'kind',
  'install s',
  'MB',
  'start s',
  '/app',
  'stop s',
  'npx waymark',
  'npm test',
]

/** `node_modules` of a full installation, as `du` counts it. */
const MAX_MEGABYTES = 800
/** The oldest Node that runs the server if npm installed none. */
const OLDEST_MAJOR = 24
const STOP_SECONDS = 10
const HELP = { node: 'install it from https://nodejs.org', libatomic: 'apt-get install libatomic1' }
const ONE_FILE = 'packages/contract/src/table.test.ts'

export interface Attempt {
  readonly repository: string
  readonly checkout: string
  readonly toolchain: Toolchain
  readonly installation: Installation
  readonly people: People
}

export interface Found {
  readonly rows: string[][]
  readonly failures: string[]
}

/** Installs a clean clone in one way and runs it in every way of that installation: a row each. */
export async function tryInstallation(attempt: Attempt): Promise<Found> {
  const { checkout, toolchain, installation, people } = attempt
  const { node, npm, path } = toolchain
  const person = people[installation.by]
  const label = (name: string): string => `Node ${node}, npm ${npm}, ${name}`
  const found: Found = { rows: [], failures: [] }
  cloneFor(person, attempt.repository, checkout)
  let installSeconds = 0
  for (const command of installation.commands) {
    const { code, output, seconds } = await runAs(person, checkout, path, command)
    installSeconds += seconds
    if (code === 0) continue
    found.failures.push(
      `${label(installation.trials[0]?.name ?? '')}: ${command.join(' ')} exited ${code}: ${output.slice(-2000)}`,
    )
    console.log(found.failures.at(-1))
    return found
  }
  const megabytes = sizeOf(join(checkout, 'node_modules'))
  if (megabytes >= MAX_MEGABYTES) found.failures.push(`${label('node_modules')}: ${megabytes} MB`)
  for (const trial of installation.trials) {
    if (trial.lacks === 'libatomic' && !canHideLibatomic(majorOf(node))) continue
    const { cells, problems } = await tryServing(attempt, trial)
    const install = trial === installation.trials[0] ? [installSeconds.toFixed(0), `${megabytes}`] : ['', '']
    found.rows.push([node, npm, trial.name, ...install, ...cells])
    found.failures.push(...problems.map((problem) => `${label(trial.name)}: ${problem}`))
    console.log(`${label(trial.name)}: ${problems.length === 0 ? 'as expected' : problems.join('; ')}`)
  }
  return found
}

interface Tried {
  /** The cells after the columns of the installation. */
  readonly cells: string[]
  readonly problems: string[]
}

async function tryServing({ checkout, toolchain, people }: Attempt, trial: Trial): Promise<Tried> {
  const { node, path } = toolchain
  const person = people[trial.by]
  if (trial.lacks === 'node') await removeNode(checkout)
  const on = (command: readonly string[]): readonly string[] =>
    trial.lacks === 'libatomic' ? withoutLibatomic(command) : command
  const served = await serve(person, checkout, path, on(['npm', 'start']))
  if (trial.lacks !== undefined && majorOf(node) < OLDEST_MAJOR) return mustRefuse(served, HELP[trial.lacks])
  if ('error' in served) return { cells: ['no'], problems: [`npm start: ${served.error.slice(-1000)}`] }
  const problems = problemsOf(served, trial)
  const list = await runAs(person, checkout, path, on(['npx', 'waymark', 'key', 'list', '--json']), {
    DATA_DIR: join(person.home, 'command-line'),
  })
  if (list.code !== 0 || list.output.trim() !== '[]') problems.push(`npx waymark key list: ${list.output}`)
  const cells = [
    served.startSeconds.toFixed(1),
    `${served.dashboard}`,
    served.stopSeconds.toFixed(1),
    list.code === 0 ? 'works' : 'FAILS',
  ]
  if (trial.hasTests === true) {
    const test = await runAs(person, checkout, path, ['npm', 'test', '--', '--only', 'unit', ONE_FILE])
    if (test.code !== 0) problems.push(`npm test: ${test.output.slice(-2000)}`)
    cells.push(test.code === 0 ? '1 file passes' : 'FAILS')
  }
  return { cells, problems }
}

function problemsOf(served: Served, { dashboard }: Trial): string[] {
  const problems: string[] = []
  if (served.dashboard !== dashboard) problems.push(`/app is ${served.dashboard}, not ${dashboard}`)
  if (served.exitCode !== 0) problems.push(`npm exits ${served.exitCode} after SIGTERM`)
  if (served.stopSeconds > STOP_SECONDS) problems.push(`the stop takes ${served.stopSeconds.toFixed(1)} s`)
  if (served.written.length > 0) problems.push(`npm start wrote ${served.written.join(', ')}`)
  return problems
}

/** If no Node is new enough, one line says what to install. */
function mustRefuse(served: Served | { readonly error: string }, help: string): Tried {
  const lines =
    'error' in served ? served.error.split('\n').filter((line) => line.startsWith('waymark:')) : []
  const isRight = lines.length === 1 && lines[0]?.includes(help) === true
  return {
    cells: [isRight ? 'says what to install' : 'FAILS'],
    problems: isRight ? [] : [`no help: ${JSON.stringify(served)}`],
  }
}

async function removeNode(checkout: string): Promise<void> {
  await rm(join(checkout, 'node_modules', `node-${process.platform}-${process.arch}`), { recursive: true })
}

const majorOf = (version: string): number => Number(version.split('.')[0])

const sizeOf = (path: string): number =>
  Number(execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0])
