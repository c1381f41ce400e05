import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const started: { readonly name: string; readonly child: ChildProcess; readonly output: () => string }[] = []

/** Starts a program that runs until the check ends. */
export function start(
  name: string,
  command: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): void {
  const [program = '', ...args] = command
  const env = { PATH: process.env['PATH'] ?? '', HOME: options.cwd, ...options.env }
  const child = spawn(program, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.once('error', (error) => (output += String(error)))
  started.push({ name, child, output: () => output })
}

/** Stops every program with its child processes. */
export async function endAll(): Promise<void> {
  for (const { child } of started.toReversed()) {
    if (child.pid === undefined || child.exitCode !== null) continue
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      continue
    }
    await once(child, 'exit')
  }
}

/** The last output of the programs, for the report of a failure. */
export const lastOutputs = (): string =>
  started.map(({ name, output }) => `── ${name}\n${output().slice(-3_000)}`).join('\n')

/** Repeats the request until there is a response. */
export async function until<T>(what: string, ask: () => Promise<T>, limitMs = 120_000): Promise<T> {
  const deadline = Date.now() + limitMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${what} did not respond in time`, { cause: error })
      await delay(50)
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}
