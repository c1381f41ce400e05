import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const START_MS = 180_000

/**
 * The launcher, which replaces itself with the server, so that the process keeps its id: of the package that
 * build-server.ts has built, or of an installed one. Benchmarks and scripts run the one of this clone.
 */
export const launcher = process.env['WAYMARK_LAUNCHER'] ?? 'packages/server/bin/waymark.mjs'
export const launchedBy = process.env['WAYMARK_NODE'] ?? process.execPath

/** What is started: a launcher, and the Node that runs it. */
export interface Program {
  readonly node: string
  readonly launcher: string
}

const tested: Program = { node: launchedBy, launcher }

const TOO_MANY_REQUESTS = 429
/** Limits far above what tests send; what is about limits sets its own. */
const ROOMY = { RATE_LIMIT_READ: '1000000', RATE_LIMIT_WRITE: '1000000', RATE_LIMIT_SESSION: '1000000' }

/** Opens `/metrics` of every server that tests start. */
export const METRICS_TOKEN = 'a token for metrics'

export interface Waymark {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  readonly env: Record<string, string>
  readonly pid: number
  /** What it printed so far. */
  output(): string
  /**
   * Memory of its main process, in megabytes. Pages of files are not counted: the kernel drops them first, and it maps 66 or
   * 109 MB of Node's binary, depending on how that was read before.
   */
  privateMegabytes(): Promise<number>
  /** Ends it with a signal; answers its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
  /** Starts it again on the same port and data. */
  restart(): Promise<void>
  /** Runs the command line against its data. */
  cli(...args: string[]): Promise<Finished>
  /** An account with an API key. */
  account(): Promise<Account>
  stop(): Promise<void>
}

export interface Account {
  readonly email: string
  readonly password: string
  readonly apiKey: string
  readonly secret: string
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}

/** Nothing of the test run's own settings, and what one server compiled for all of them. */
const plainEnv = (): Record<string, string> => {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, NODE_COMPILE_CACHE: join(tmpdir(), 'waymark-e2e-compiled') }
}

export interface Finished {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

/** Runs the command line in an environment of its own. */
export const runCli = (settings: Record<string, string>, ...args: string[]): Promise<Finished> =>
  runCliOf(tested, settings, ...args)

/** Runs the command line of a certain version. */
export async function runCliOf(
  program: Program,
  settings: Record<string, string>,
  ...args: string[]
): Promise<Finished> {
  const env = { ...plainEnv(), ...settings }
  try {
    const command = [program.launcher, ...args]
    return { ...(await run(program.node, command, { cwd: root, env })), code: 0 }
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number }
    return { stdout, stderr, code }
  }
}

/** Starts the real service as its own process, on a free port and with data of its own. */
export async function startWaymark(
  settings: Record<string, string> = {},
  program: Program = tested,
): Promise<Waymark> {
  const dataDir = settings['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'waymark-e2e-')))
  const port = Number(settings['PORT'] ?? (await freePort()))
  const env = {
    ...plainEnv(),
    ...ROOMY,
    METRICS_TOKEN,
    LOG_LEVEL: 'warn',
    ...settings,
    PORT: String(port),
    DATA_DIR: dataDir,
  }
  const url = `http://localhost:${port}`
  let child: ChildProcess
  let printed = ''
  let accounts = 0

  const start = async (): Promise<void> => {
    child = spawn(program.node, [program.launcher, 'serve'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    await untilLive(url, child, () => printed)
  }
  const end = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    child.kill(signal)
    await once(child, 'exit')
    return child.exitCode
  }
  const cli = (...args: string[]) => runCliOf(program, env, ...args)
  await start()

  return {
    url,
    port,
    dataDir,
    env,
    get pid() {
      return child.pid ?? 0
    },
    output: () => printed,
    privateMegabytes: () => privateMegabytes(child.pid ?? 0),
    end,
    restart: start,
    cli,
    async account() {
      const email = `person${++accounts}.${Math.random().toString(36).slice(2)}@example.com`
      const password = 'Correct-horse-1'
      const call = async (path: string, body: object, cookie?: string): Promise<Response> => {
        const response = await fetch(url + path, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            origin: url,
            ...(cookie !== undefined && { cookie }),
          },
          body: JSON.stringify(body),
        })
        // One address may create 60 accounts a minute.
        if (response.status === TOO_MANY_REQUESTS) {
          await delay(1_000 * Number(response.headers.get('retry-after')))
          return call(path, body, cookie)
        }
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
        return response
      }
      const signedUp = await call('/v1/sign-up', { email, password })
      const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0]
      const { data } = (await (await call('/v1/generate-key', {}, cookie)).json()) as {
        data: Record<string, string>
      }
      return { email, password, apiKey: data['api_key'] ?? '', secret: data['secret'] ?? '' }
    },
    async stop() {
      await end('SIGKILL')
      // Its workers, if it has any, notice a moment later.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

async function untilLive(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`Waymark did not start: ${printed()}`)
    const live = await fetch(`${url}/livez`)
      .then((response) => response.ok)
      .catch(() => false)
    if (live) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Waymark was not up in time: ${printed()}`)
}

/** Starts it and expects it to give up; what it printed, and its exit code. */
export async function startInVain(
  settings: Record<string, string>,
  program: Program = tested,
): Promise<{ output: string; code: number | null }> {
  const env = { ...plainEnv(), PORT: String(await freePort()), ...settings }
  const child = spawn(program.node, [program.launcher, 'serve'], { cwd: root, env })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS)
  await once(child, 'exit')
  clearTimeout(timer)
  return { output, code: child.exitCode }
}

async function privateMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return (kilobytes('RssAnon') + kilobytes('RssShmem')) / 1024
}
