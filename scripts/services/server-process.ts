import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'

/** A real server for tests and measurements. */
export interface Service {
  readonly url: string
  readonly port: number
  /** Stops the server but not its data. */
  halt(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again on the same port and data. */
  resume(): Promise<void>
  /** Stops responding without closing connections, like a network that drops packets. */
  freeze(): void
  /** Resumes a frozen server. */
  thaw(): void
  /** Stops it permanently and deletes its data. */
  stop(): Promise<void>
}

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  /** Printed when the server accepts connections. */
  readonly ready: RegExp
  readonly endSignal: NodeJS.Signals
  /** Receives all its output. */
  readonly onOutput?: (text: string) => void
  readonly uid?: number
  readonly gid?: number
}

const READY_WAIT_MS = 30_000
const OUTPUT_KEPT = 4_000

/** A port that is free at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return address.port
}

/** One listener for all of them, for any number in a test run. */
const living = new Set<ServerProcess>()
process.on('exit', () => {
  for (const server of living) server.kill()
})

/** A program that can be started and stopped repeatedly, and never outlives this process. */
export class ServerProcess {
  readonly #command: Command
  #child: ChildProcess | undefined

  constructor(command: Command) {
    this.#command = command
    living.add(this)
  }

  async start(): Promise<void> {
    if (this.#child !== undefined) return
    const { file, args, ready, onOutput, uid, gid } = this.#command
    const child = spawn(file, args, { uid, gid, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    let output = ''
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`${file} ${why}\n${output}`))
      const timer = setTimeout(() => fail('did not become ready'), READY_WAIT_MS)
      const read = (chunk: Buffer): void => {
        const text = chunk.toString()
        onOutput?.(text)
        output = (output + text).slice(-OUTPUT_KEPT)
        if (!ready.test(output)) return
        clearTimeout(timer)
        resolve()
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('error', (error) => fail(`could not be started: ${error.message}`))
      child.once('exit', (code) => {
        clearTimeout(timer)
        if (this.#child === child) this.#child = undefined
        fail(`ended with ${code}`)
      })
    })
  }

  /** Requests its end without waiting. */
  kill(): void {
    this.#child?.kill(this.#command.endSignal)
  }

  /** Sends a signal to the program and its child processes. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#child?.pid
    if (pid === undefined) return
    process.kill(pid, signal)
    for (const child of childrenOf(pid)) {
      try {
        process.kill(child, signal)
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  async end(signal: NodeJS.Signals = this.#command.endSignal): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    // A frozen process receives the signal only now.
    this.signal('SIGCONT')
    this.#child = undefined
    await ended
  }

  async dispose(): Promise<void> {
    await this.end()
    living.delete(this)
  }
}

/** Actions on a service that is one program with its data in a folder. */
export function commandsOf(
  server: ServerProcess,
  folder: string,
): Pick<Service, 'halt' | 'resume' | 'freeze' | 'thaw' | 'stop'> {
  return {
    halt: (signal) => server.end(signal),
    resume: () => server.start(),
    freeze: () => server.signal('SIGSTOP'),
    thaw: () => server.signal('SIGCONT'),
    async stop() {
      await server.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function childrenOf(pid: number): number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return listed.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
