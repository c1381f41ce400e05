import { openDatabase } from '../db/open.ts'
import { openBlobs } from './open.ts'
import { BlobKeeper } from './keeper.ts'

/** Started by keeper.crash.test.ts and killed in the middle: keeps and releases files, and says what it has done. */
const [dataDir = '', worker = ''] = process.argv.slice(2)
const db = await openDatabase({ url: undefined, dataDir })
const keeper = new BlobKeeper(db, await openBlobs({ url: undefined, dataDir }))

async function live(lane: number): Promise<void> {
  for (let n = 0; ; n++) {
    // The workers keep the same few files under owners of their own, so that they get in each other's way.
    const content = `content ${n % 5}`
    const owner = `${worker}-${lane}-${n}`
    const staged = await keeper.stage(Buffer.from(content))
    await db.write(() => keeper.adopt(staged, owner, { workspace: 'workspace' }))
    process.stdout.write(`kept ${owner} ${content}\n`)
    if (n % 3 === 0) continue
    process.stdout.write(`releasing ${owner} ${content}\n`)
    await db.write(() => keeper.release(owner))
  }
}

await Promise.all([1, 2, 3].map(live))
