import { openDatabase } from '../db/open.ts'
import { openBlobs } from './open.ts'
import { BlobReferences } from './blob-references.ts'

/** Started by blob-references.crash.test.ts, which kills it: stores and releases files, and prints what it has done. */
const [dataDir = '', worker = ''] = process.argv.slice(2)
const db = await openDatabase({ url: undefined, dataDir })
const references = new BlobReferences(db, await openBlobs({ url: undefined, dataDir }))

async function live(lane: number): Promise<void> {
  for (let n = 0; ; n++) {
    // All workers use the same few files under their own owners, so that they compete for them.
    const content = `content ${n % 5}`
    const owner = `${worker}-${lane}-${n}`
    const staged = await references.stage(Buffer.from(content))
    await db.write(() => references.adopt(staged, owner, { workspace: 'workspace' }))
    process.stdout.write(`kept ${owner} ${content}\n`)
    if (n % 3 === 0) continue
    process.stdout.write(`releasing ${owner} ${content}\n`)
    await db.write(() => references.release(owner))
  }
}

await Promise.all([1, 2, 3].map(live))
