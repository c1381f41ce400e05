// What each engine trick of packages/server/src/work/v8 and bin/start-flags.mjs does, with it and without it.
//
//   npm run -s node bench/v8.ts                 about fifteen minutes; needs wrk and Linux
//   ROUNDS=3 SECONDS=2 npm run -s node bench/v8.ts
//
// Both sides take turns, and the median of all rounds counts. Processor time is the kernel's account of the process.
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { COMMAND_FLAGS, SERVER_FLAGS } from '../packages/server/bin/start-flags.mjs'
import { type CommandCost, commandCost } from './support/command-time.ts'
import { load, median } from './support/load.ts'
import { processorTime } from './support/processor-time.ts'
import { type Running, startPackage, startTrick, startWithFlags } from './support/servers.ts'

const run = promisify(execFile)
const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 3)
const CONNECTIONS = 8
const COMMANDS_PER_ROUND = 4
/** By then every thread has been idle for long enough to collect the garbage of its start. */
const LOADED_MS = 25_000

interface Measured {
  readonly microseconds: number
  readonly p99Ms: number
  readonly memoryMb: number
}

async function measure(server: Running): Promise<Measured> {
  try {
    const before = processorTime(server.pid).serving
    const { answers, p99Ms } = await load(server.url, { connections: CONNECTIONS, seconds, path: '/none' })
    const microseconds = (processorTime(server.pid).serving - before) / answers
    return { microseconds, p99Ms, memoryMb: server.memoryMb() }
  } finally {
    await server.stop()
  }
}

/** The medians of both sides, asked in turn. */
async function compare(
  open: (isOn: boolean) => Promise<Running>,
): Promise<{ readonly on: Measured; readonly off: Measured }> {
  const found = { on: [] as Measured[], off: [] as Measured[] }
  for (let round = 0; round < rounds; round++) {
    for (const isOn of round % 2 === 0 ? [true, false] : [false, true])
      found[isOn ? 'on' : 'off'].push(await measure(await open(isOn)))
  }
  const middle = (all: readonly Measured[]): Measured => ({
    microseconds: median(all.map((each) => each.microseconds)),
    p99Ms: median(all.map((each) => each.p99Ms)),
    memoryMb: median(all.map((each) => each.memoryMb)),
  })
  return { on: middle(found.on), off: middle(found.off) }
}

const print = (what: string, on: string, off: string): void =>
  console.log(`${what.padEnd(58)} with ${on.padEnd(10)} without ${off}`)

const pauses = await compare((isOn) => startTrick(isOn ? 'pauses' : 'no pauses'))
print('pauses while counting: slowest hundredth, ms', pauses.on.p99Ms.toFixed(2), pauses.off.p99Ms.toFixed(2))

const bodies = fileURLToPath(new URL('./support/v8-bodies.ts', import.meta.url))
const peak = async (trick: string): Promise<string> => {
  const env = { ...process.env, TRICK: trick, BODIES: '100' }
  return (await run(process.execPath, [bodies], { env })).stdout.trim()
}
print('collections while bodies are read: most memory, MB', await peak('collections'), await peak('none'))

/** Idle memory of the package as it is released, and of a copy without one of the things that keep it small. */
async function idleMemory(
  files: string,
  without: (text: string) => string,
): Promise<{ readonly on: number; readonly off: number }> {
  const released = dirname(dirname(process.env['WAYMARK_LAUNCHER'] ?? ''))
  const changed = `${released}-without`
  cpSync(released, changed, { recursive: true })
  for (const name of globSync(files, { cwd: changed })) {
    const path = join(changed, name)
    writeFileSync(path, without(readFileSync(path, 'utf8')))
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'waymark-bench-'))
  const found = { on: [] as number[], off: [] as number[] }
  try {
    for (let round = 0; round < rounds; round++) {
      for (const side of ['on', 'off'] as const) {
        const server = await startPackage(side === 'on' ? released : changed, dataDir)
        await delay(LOADED_MS)
        found[side].push(server.memoryMb())
        await server.stop()
      }
    }
  } finally {
    rmSync(changed, { recursive: true, force: true })
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { on: median(found.on), off: median(found.off) }
}

const idle: Record<string, Parameters<typeof idleMemory>> = {
  'garbage of the start released': [
    'dist/*.js',
    (text) => text.replaceAll(/^\s*releaseStartGarbage\(\);$/gm, ''),
  ],
  'settings of the allocator': ['bin/start-flags.mjs', (text) => text.replaceAll(/^ {2}MALLOC_.*$/gm, '')],
  // One wide character, and the engine keeps two bytes for each.
  'one byte per character of the package': ['dist/*.js', (text) => `${text}// \u2026\n`],
}
for (const [what, change] of Object.entries(idle)) {
  const { on, off } = await idleMemory(...change)
  print(`${what}: idle memory, MB`, on.toFixed(0), off.toFixed(0))
}

for (const flag of SERVER_FLAGS) {
  const others = SERVER_FLAGS.filter((other) => other !== flag)
  const dataDir = mkdtempSync(join(tmpdir(), 'waymark-bench-'))
  try {
    const { on, off } = await compare((isOn) => startWithFlags(dataDir, isOn ? SERVER_FLAGS : others))
    const inWords = ({ microseconds, p99Ms, memoryMb }: Measured): string =>
      `${microseconds.toFixed(1)} µs, p99 ${p99Ms.toFixed(2)} ms, ${Math.round(memoryMb)} MB`
    print(flag, inWords(on), inWords(off))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** One of the flags of a command, with and without it, in turn: the commands of users, which end soon. */
async function compareCommands(flag: string, flags: readonly string[], dataDir: string): Promise<void> {
  const program = join(dirname(dirname(process.env['WAYMARK_LAUNCHER'] ?? '')), 'dist/cli.js')
  const others = flags.filter((other) => other !== flag)
  const found = { on: [] as CommandCost[], off: [] as CommandCost[] }
  for (let round = 0; round < rounds * COMMANDS_PER_ROUND; round++) {
    for (const side of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const))
      found[side].push(
        await commandCost(program, ['user', 'list', '--json'], dataDir, side === 'on' ? flags : others),
      )
  }
  const inWords = (all: readonly CommandCost[]): string =>
    `${median(all.map(({ ms }) => ms)).toFixed(0)} ms, ${median(all.map(({ memoryMb }) => memoryMb)).toFixed(0)} MB`
  print(`${flag}: processor time of a command`, inWords(found.on), inWords(found.off))
}

const dataDir = mkdtempSync(join(tmpdir(), 'waymark-bench-'))
try {
  for (const flag of COMMAND_FLAGS) await compareCommands(flag, COMMAND_FLAGS, dataDir)
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
