import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Person } from './people.ts'

export interface Outcome {
  readonly code: number | null
  readonly output: string
  readonly seconds: number
}

const running = new Set<ChildProcess>()
const TIMEOUT_MS = 10 * 60_000

/** Starts a command as a user, in its own process group. */
export function startAs(
  person: Person,
  cwd: string,
  path: string,
  command: readonly string[],
  settings: Record<string, string> = {},
): { readonly child: ChildProcess; readonly output: () => string } {
  const [program = '', ...args] = command
  const isSelf = person.uid === process.getuid?.()
  const child = spawn(program, args, {
    cwd,
    // None of the caller's own environment.
    env: { PATH: path, HOME: person.home, ...person.settings, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(isSelf ? {} : { uid: person.uid, gid: person.uid }),
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, output: () => output }
}

/** Runs a command as a user and waits for its end. */
export async function runAs(
  person: Person,
  cwd: string,
  path: string,
  command: readonly string[],
  settings: Record<string, string> = {},
): Promise<Outcome> {
  const startedAt = performance.now()
  const { child, output } = startAs(person, cwd, path, command, settings)
  const timer = setTimeout(() => endGroup(child), TIMEOUT_MS)
  await once(child, 'close')
  clearTimeout(timer)
  return { code: child.exitCode, output: output(), seconds: (performance.now() - startedAt) / 1000 }
}

/** Stops a command and its child processes. */
export function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}

/** Stops all running commands. */
export function endAll(): void {
  for (const child of running) endGroup(child)
}
