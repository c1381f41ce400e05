import { randomUUID } from 'node:crypto'
import { describe, inject } from 'vitest'
import { type ClickHouse, openClickHouse } from '../clickhouse/client.ts'
import { ClickHouseLease } from '../clickhouse/lease.ts'
import { ClickSender } from '../clickhouse/sender.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { askServices, forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { insertTestLink, insertTestPage, openTestStore } from '../testing.ts'
import { clickHouseStatistics } from './clickhouse.ts'
import { describeStatistics } from './contract.testing.ts'

describe.runIf(inject('hasClickHouse'))('ClickHouse', () => {
  forEachDatabase((_engine, _open, databases) => {
    describeStatistics(async () => {
      const place = await databases.place()
      const db = await openDatabase(place)
      const store = openTestStore(place)
      const { url = '' } = await askServices('clickhouse/create')
      const clickhouse = openClickHouse(url)
      const lease = new ClickHouseLease(db)
      const log = { info: () => undefined, warn: () => undefined }
      const sender = new ClickSender({ db, clickhouse, lease, log, sweep: () => Promise.resolve() })
      const send = async (): Promise<void> => {
        await lease.exclusively(async () => {
          while (await sender.sendSome());
        })
      }
      await send()
      let rowsRead = 0
      const counting: ClickHouse = {
        ...clickhouse,
        async rows<Row>(statement: string) {
          rowsRead += await rowsReadBy(url, statement)
          return clickhouse.rows<Row>(statement)
        },
      }
      return {
        statistics: clickHouseStatistics(db, counting, lease),
        rowsRead: () => rowsRead,
        async workspace(links) {
          const uuid = await insertTestUser(db)
          const rows = await Promise.all(
            Array.from({ length: links }, () => insertTestLink(db, { workspace_uuid: uuid })),
          )
          return { uuid, links: rows.map((row) => row.uuid), page: await insertTestPage(db, uuid) }
        },
        async count(clicks) {
          const file = randomUUID()
          await store.position(file)
          await store.write({ file, from: 0, to: 1, clicks })
          await send()
        },
        settle: send,
        write: (work) => db.write(work),
        async close() {
          await lease.close()
          await store.close()
          await db.close()
        },
      }
    })
  })
})

/** ClickHouse itself reports how many rows it reads for a statement. */
async function rowsReadBy(address: string, statement: string): Promise<number> {
  const { origin, pathname, username, password } = new URL(address)
  const query = new URLSearchParams({ user: username, password, database: pathname.slice(1) })
  const response = await fetch(`${origin}/?${query}`, { method: 'POST', body: `${statement} format JSON` })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return (JSON.parse(text) as { statistics: { rows_read: number } }).statistics.rows_read
}
