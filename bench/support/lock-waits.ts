import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import BetterSqlite from 'better-sqlite3'

const EVERY_MS = 5
const LONGEST_WAIT_MS = 10_000

/** A process that writes to an SQLite file every few milliseconds, and how long it waited each time. */
export class LockWaits {
  readonly #child

  constructor(file: string) {
    this.#child = fork(fileURLToPath(import.meta.url), [file])
  }

  /** Ends it. In milliseconds. */
  async end(): Promise<number[]> {
    const answer = once(this.#child, 'message')
    this.#child.send('end')
    const [waits] = (await answer) as [number[]]
    return waits
  }
}

const [, , file] = process.argv
if (process.send !== undefined && file !== undefined && import.meta.main) await writeAgainAndAgain(file)

async function writeAgainAndAgain(path: string): Promise<void> {
  const db = new BetterSqlite(path, { timeout: LONGEST_WAIT_MS })
  const waits: number[] = []
  const ended = new AbortController()
  process.once('message', () => ended.abort())
  while (!ended.signal.aborted) {
    const from = performance.now()
    db.exec('begin immediate')
    waits.push(performance.now() - from)
    db.exec('commit')
    await delay(EVERY_MS)
  }
  db.close()
  process.send?.(waits)
  process.disconnect?.()
}
