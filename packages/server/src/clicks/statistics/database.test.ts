import { randomUUID } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import { openDatabase } from '../../storage/db/open.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { insertTestLink, insertTestPage, mergeOldestDay, openTestStore } from '../testing.ts'
import { describeStatistics } from './contract.testing.ts'
import { openStatistics } from './open.ts'

forEachDatabase((_engine, _open, databases) => {
  describeStatistics(async () => {
    const place = await databases.place()
    const db = await openDatabase(place)
    const store = openTestStore(place)
    let rowsRead = 0
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        rowsRead += result.rows.length
        return result
      },
    }
    const counted = new Proxy(db, {
      get(target, name) {
        if (name === 'sql') return target.sql.withPlugin(counting)
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    const statistics = openStatistics(counted, place.dataDir)
    return {
      statistics,
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
      },
      async settle() {
        while (await mergeOldestDay(store, Date.UTC(2030, 0)));
      },
      write: (work) => db.write(work),
      async close() {
        await statistics.close()
        await store.close()
        await db.close()
      },
    }
  })
})
