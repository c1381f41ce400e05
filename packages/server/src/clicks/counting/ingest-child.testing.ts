import { randomUUID } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Ingest } from './ingest.ts'
import type { ClickDatabase } from './ingest-host.ts'
import { openPostgresStore } from './postgres-store.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { Spool } from '../spool/spool.ts'
import { testClickOf } from '../spool/click.testing.ts'

/** A child process for tests that kill it: `write` spools clicks until it dies, `read` counts clicks of dead processes. */
const [role, folder = '', given = '', answeredFile = ''] = process.argv.slice(2)

/** Clicks spooled together. A killed writer has at most this many unanswered clicks. */
const CLICKS_PER_TURN = 5

/** Limit of batches (ten clicks each) that a reader counts, so that clicks remain for the next even if it is killed late. */
const MAX_BATCHES = 60

/** Longer than any test waits before it kills the reader. */
const UNTIL_KILLED_MS = 600_000

if (role === 'write') await write(given, answeredFile)
else await read(JSON.parse(given) as ClickDatabase)

async function write(resourceUuid: string, answeredFile: string): Promise<void> {
  const spool = new Spool({ folder, owner: randomUUID(), rotateBytes: 20_000, rotateMs: 50 })
  const file = openSync(answeredFile, 'w')
  for (let answered = 0; ; answered += CLICKS_PER_TURN) {
    for (let i = 0; i < CLICKS_PER_TURN; i++) spool.append(testClickOf(resourceUuid))
    await new Promise<void>((resolve) => spool.afterWrite(resolve))
    // Responses are recorded after the write. In a file, because a killed process loses what is still in its pipe.
    writeSync(file, String(answered + CLICKS_PER_TURN).padStart(12), 0)
    if (answered % 500 === 0) await delay(1)
  }
}

async function read(database: ClickDatabase): Promise<void> {
  const store =
    database.engine === 'sqlite'
      ? openSqliteStore(database.file)
      : openPostgresStore(database.url, () => undefined)
  const ingest = new Ingest({
    folder,
    owner: randomUUID(),
    store,
    countryOf: () => '',
    now: Date.now,
    onOddity: () => undefined,
    batchClicks: 10,
  })
  process.stdout.write('reading\n')
  for (let batches = 0; batches < MAX_BATCHES;) {
    if ((await ingest.step()) !== 'none') batches++
    // Slow enough to be killed halfway.
    await delay(2)
  }
  await delay(UNTIL_KILLED_MS)
}
