// Reads BODIES request bodies of 4 MiB, as the API does, and prints the most memory that took, in megabytes.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { spend } from '../../packages/server/src/work/v8/spent-bytes.ts'

const BODY_BYTES = 4 * 1024 * 1024
const asksForCollections = process.env['TRICK'] === 'collections'
let most = 0

for (let body = 0; body < Number(process.env['BODIES']); body++) {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream('/dev/zero', { end: BODY_BYTES - 1 }) as AsyncIterable<Buffer>) {
    digest.update(chunk)
    if (asksForCollections) spend(chunk.length)
  }
  most = Math.max(most, process.memoryUsage.rss())
}
console.log(Math.round(most / 1024 / 1024))
