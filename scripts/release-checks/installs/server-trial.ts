import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Person } from './people.ts'
import { endGroup, startAs } from './run.ts'

export interface Served {
  /** From `npm start` to the first response, in seconds. */
  readonly startSeconds: number
  /** Status of `/app`. */
  readonly dashboard: number
  /** From SIGTERM to npm's end, in seconds, and npm's exit code. */
  readonly stopSeconds: number
  readonly exitCode: number | null
  /** Files and folders of the checkout that changed meanwhile. */
  readonly written: string[]
}

const START_MS = 120_000

/** Runs a command, `npm start`, on an empty data folder until it responds, then sends SIGTERM to npm alone. */
export async function serve(
  person: Person,
  checkout: string,
  path: string,
  command: readonly string[],
): Promise<Served | { readonly error: string }> {
  const dataDir = await mkdtemp(join(person.home, 'data-'))
  const port = await freePort()
  await chown(dataDir, person.uid, person.uid)
  const settings = { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const mark = join(person.home, 'mark')
  await writeFile(mark, '')
  const startedAt = performance.now()
  const { child, output } = startAs(person, checkout, path, command, settings)
  try {
    if (!(await isUp(port, child))) return { error: output().trim() || 'no response' }
    const startSeconds = (performance.now() - startedAt) / 1000
    const { status: dashboard } = await fetch(`http://localhost:${port}/app`)
    const stoppedAt = performance.now()
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    const stopSeconds = (performance.now() - stoppedAt) / 1000
    if (await answers(port)) return { error: 'the port is still in use after npm has ended' }
    return {
      startSeconds,
      dashboard,
      stopSeconds,
      exitCode: child.exitCode,
      written: writtenSince(mark, checkout),
    }
  } finally {
    endGroup(child)
    await rm(dataDir, { recursive: true, force: true })
  }
}

const writtenSince = (mark: string, folder: string): string[] =>
  execFileSync('find', [folder, '-newer', mark], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')

async function isUp(port: number, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline && child.exitCode === null) {
    if (await answers(port)) return true
    await delay(20)
  }
  return false
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://localhost:${port}/v1/healthcheck`).then(
    ({ ok }) => ok,
    () => false,
  )

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}
