import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../storage/db/open.ts'
import type { Place } from '../../storage/db/testing.ts'
import { openClickHouse } from './client.ts'
import { ClickHouseLease } from './lease.ts'
import { ClickSender } from './sender.ts'

/**
 * A sender in its own process, for tests that suspend it: `<place> <url> <where> <life>`. It prints "pausing" and waits
 * at the beginning of an insert, before the lease is confirmed, in the middle of the block, or before its end.
 */
const [place = '', url = '', where = '', lifeMs = ''] = process.argv.slice(2)
const PAUSE_MS = 500

const pause = async (): Promise<void> => {
  process.stdout.write('pausing\n')
  await delay(PAUSE_MS)
}

async function* pausing(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined
  let pieces = 0
  for await (const piece of body) {
    if (last !== undefined) yield last
    last = piece
    if (where === 'middle' && ++pieces === 10) await pause()
  }
  if (where === 'end') await pause()
  if (last !== undefined) yield last
}

const db = await openDatabase(JSON.parse(place) as Place)
const clickhouse = openClickHouse(url)
const lease = new ClickHouseLease(db, undefined, Number(lifeMs))
const log = { info: () => undefined, warn: () => undefined }
const sender = new ClickSender({
  db,
  lease,
  log,
  sweep: () => Promise.resolve(),
  clickhouse: {
    ...clickhouse,
    insert: (statement, id, body, confirm) =>
      clickhouse.insert(statement, id, pausing(body), async () => {
        if (where === 'beginning') await pause()
        await confirm?.()
      }),
  },
})
try {
  await lease.exclusively(() => sender.sendSome())
} catch (error) {
  process.stdout.write(`${String(error)}\n`)
}
await lease.close()
await db.close()
