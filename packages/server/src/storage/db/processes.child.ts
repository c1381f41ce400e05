import { openDatabase } from './open.ts'
import { bumpTotal } from './totals.ts'

/** Started several times at once by processes.test.ts: opens the new database and writes to it immediately. */
const [dataDir = '', url = '', name = '', writes = '0'] = process.argv.slice(2)
const db = await openDatabase({ url: url === '' ? undefined : url, dataDir })

async function lane(number: number): Promise<void> {
  for (let n = 0; n < Number(writes); n++) {
    await db.write(async () => {
      await db.sql
        .insertInto('sequences')
        .values({ name: `${name}-${number}-${n}`, value: n })
        .execute()
      await bumpTotal(db, 'everybody', 'rows', 1)
    })
  }
}

await Promise.all([1, 2, 3, 4].map(lane))
await db.close()
console.log('done')
