import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { converse, head, statuses } from './support/sockets.ts'
import { freePort } from './support/waymark.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const folders: string[] = []
afterAll(() =>
  Promise.all(
    folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })),
  ),
)

interface Started {
  readonly npm: ChildProcess
  readonly port: number
  readonly isListening: () => Promise<boolean>
  /** Whether npm or a process that it started still runs. */
  readonly isRunning: () => boolean
}

/** Starts the service with npm, in a process group of its own, as a process manager does. */
async function npmStart(
  settings: Record<string, string> = {},
  command: readonly string[] = ['start'],
): Promise<Started> {
  const dataDir = settings['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'waymark-npm-start-')))
  folders.push(dataDir)
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const npm = spawn('npm', command, {
    cwd: root,
    env: { PATH, HOME, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...settings },
    stdio: 'ignore',
    detached: true,
  })
  const isListening = (): Promise<boolean> =>
    fetch(`http://localhost:${port}/v1/healthcheck`).then(
      (response) => response.ok,
      () => false,
    )
  await expect.poll(isListening, { interval: 20 }).toBe(true)
  return { npm, port, isListening, isRunning: () => isGroup(npm.pid ?? 0) }
}

/** Whether a process group has members that run; those that have ended and wait for init to collect them do not. */
const isGroup = (leader: number): boolean =>
  globSync('/proc/[0-9]*/stat').some((file) => {
    const [state, , group] = statOf(file)
    return Number(group) === leader && state !== 'Z' && state !== 'X'
  })

/** State, parent and process group; nothing of a process that has ended meanwhile. */
function statOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}

const PATH = '/v1/sign-up'
let people = 0
const signUp = (): Buffer =>
  Buffer.from(JSON.stringify({ email: `person${++people}@example.com`, password: 'Correct-horse-1' }))

/** Sends a signal to npm alone while a request is half sent, and returns the status of that request. */
async function signalDuringRequest({ npm, port, isListening }: Started, signal: NodeJS.Signals) {
  const body = signUp()
  const client = await converse(port)
  await client.send(
    head('POST', PATH, { 'content-type': 'application/json', 'content-length': String(body.length) }),
  )
  await client.send(body.subarray(0, 10))
  const ended = once(npm, 'exit')
  npm.kill(signal)
  await expect.poll(isListening).toBe(false)
  await client.send(body.subarray(10))
  const [status] = statuses(await client.until(/"status":"success"/))
  await ended
  return status
}

/** When each file of the server, and each entry of the root, was last changed. */
const changedFiles = (): string[] =>
  globSync(['*', 'packages/server/**'], { cwd: root, exclude: ['node_modules'] }).map(
    (file) => `${file} ${statSync(join(root, file)).mtimeMs}`,
  )

describe('npm start', () => {
  it('serves, and again on the same data', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'waymark-npm-start-'))
    const before = changedFiles()
    for (const which of ['first', 'second']) {
      const startedAt = performance.now()
      const { npm, isRunning } = await npmStart({ DATA_DIR: dataDir })
      console.info(
        `npm start to the first 200, ${which} time: ${Math.round(performance.now() - startedAt)} ms`,
      )
      npm.kill('SIGTERM')
      await expect.poll(isRunning).toBe(false)
    }
    expect(changedFiles(), 'nothing is written outside DATA_DIR').toEqual(before)
  })
})

/** What one server compiled, for all of them. */
const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'waymark-e2e-compiled') }

// As on Node 20, where a process cannot replace itself: the server is then a child of the launcher.
const AS_CHILD = { NODE_OPTIONS: '--import data:text/javascript,process.execve=undefined' }

const shapes: [string, Record<string, string>][] = [
  ['the server in the place of the launcher', {}],
  ['the server as a child of the launcher', AS_CHILD],
  ['several processes', { WORKERS: '2' }],
]

describe('a signal to npm alone', () => {
  it.each(shapes)('SIGTERM drains %s, and npm exits 0', async (_, settings) => {
    const started = await npmStart({ ...COMPILED, ...settings })
    expect(await signalDuringRequest(started, 'SIGTERM')).toBe(201)
    expect(started.npm.exitCode).toBe(0)
    expect(started.isRunning()).toBe(false)
  })

  // npm does not forward these: the server notices that npm has ended.
  it.each(shapes)('SIGKILL drains %s, and nothing holds the port', async (_, settings) => {
    const started = await npmStart({ ...COMPILED, ...settings })
    expect(await signalDuringRequest(started, 'SIGKILL')).toBe(201)
    await expect.poll(() => started.isRunning()).toBe(false)
    expect(await started.isListening()).toBe(false)
  })

  it('SIGHUP drains the server', async () => {
    const started = await npmStart(COMPILED)
    expect(await signalDuringRequest(started, 'SIGHUP')).toBe(201)
    await expect.poll(() => started.isRunning()).toBe(false)
  })
})

describe('Ctrl-C', () => {
  it('reaches every process of the group, more than once, and drains all the same', async () => {
    const started = await npmStart(COMPILED)
    const kill = (): boolean => process.kill(-(started.npm.pid ?? 0), 'SIGINT')
    const again = setTimeout(kill, 50)
    kill()
    await once(started.npm, 'exit')
    clearTimeout(again)
    expect(started.npm.exitCode).toBe(0)
    await expect.poll(() => started.isRunning()).toBe(false)
  })
})

describe('npx waymark serve', () => {
  it('SIGTERM to npx alone ends the server', async () => {
    const started = await npmStart(COMPILED, ['exec', '--', 'waymark', 'serve'])
    expect(await signalDuringRequest(started, 'SIGTERM')).toBe(201)
    await expect.poll(() => started.isRunning()).toBe(false)
  })
})
