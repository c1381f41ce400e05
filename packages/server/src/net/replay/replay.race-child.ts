import { openDatabase } from '../../storage/db/open.ts'
import { openReplay } from './open.ts'

/** Started several times at once by replay.test.ts: tries the same signatures, and prints those that were accepted. */
const [dataDir = '', url = ''] = process.argv.slice(2)
const db = await openDatabase({ url: url === '' ? undefined : url, dataDir })
const replay = await openReplay(db, dataDir, Buffer.alloc(32), { now: () => 1_800_000_000_000 })
const names = Array.from({ length: 400 }, (_, n) => `race-${n}`)

// In small groups, so that the processes overlap.
for (let at = 0; at < names.length; at += 8) {
  const group = names.slice(at, at + 8)
  const firsts = await Promise.all(group.map((name) => replay.use('wm_race', name, 1_800_000_300_000)))
  for (const [index, first] of firsts.entries()) if (first) console.log(group[index])
}

await replay.close()
await db.close()
