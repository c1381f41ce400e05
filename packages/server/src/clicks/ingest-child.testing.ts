import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Ingest } from './ingest.ts'
import type { ClickDatabase } from './ingest-messages.ts'
import { openPostgresStore } from './postgres-store.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { Spool } from './spool.ts'
import { testClickOf } from './click.testing.ts'

/** A process of its own for tests that kill it: `write` spools clicks until it dies, `read` counts those of the dead. */
const [role, folder = '', given = ''] = process.argv.slice(2)

if (role === 'write') await write(given)
else await read(JSON.parse(given) as ClickDatabase)

async function write(subject: string): Promise<void> {
  const spool = new Spool({ folder, owner: randomUUID(), rotateBytes: 20_000, rotateMs: 50 })
  for (let answered = 0; ; answered += 5) {
    for (let i = 0; i < 5; i++) spool.append(testClickOf(subject))
    await new Promise<void>((resolve) => spool.afterWrite(resolve))
    // The answer goes out after the write, so this is what the visitors have seen.
    process.stdout.write(`${answered + 5}\n`)
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
  for (;;) {
    await ingest.step()
    // Slow enough to be killed in the middle.
    await delay(2)
  }
}
