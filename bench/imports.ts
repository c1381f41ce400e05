/*
 * Imports 100,000 links into a fresh instance while another account creates links one after another, and prints how
 * long the import took, the longest time that a batch held the database, and how long the other account waited.
 *
 *   npm run -s node bench/imports.ts [lines]                    SQLite
 *   ENGINE=postgres npm run -s node bench/imports.ts [lines]    a PostgreSQL of its own, which flushes to disk
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@waymark/sdk'
import { startWaymark } from '../e2e/support/waymark.ts'
import './support/released.ts'
import { startPostgres } from '../scripts/services/postgres.ts'

const lines = Number(process.argv[2] ?? 100_000)
const postgres =
  process.env['ENGINE'] === 'postgres'
    ? await startPostgres({ fsync: 'on', full_page_writes: 'on', shared_buffers: '256MB' })
    : undefined
const METRICS_TOKEN = 'bench'
const waymark = await startWaymark({
  METRICS_TOKEN,
  ...(postgres && {
    DATABASE_URL: await postgres.createDatabase(),
    SECRET_KEY: 'a secret for this benchmark alone',
  }),
})

const clientOf = async () => {
  const { apiKey, secret } = await waymark.account()
  return createClient({ baseUrl: waymark.url, apiKey, secret })
}
const percentile = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)

try {
  const [importer, bystander] = [await clientOf(), await clientOf()]
  const rows = Array.from(
    { length: lines },
    (_, n) =>
      `https://example.com/products/${n}?from=mail,code-${n},Product ${n},shop,2024-05-06 07:08:09,${n}`,
  )
  const file = new Blob([`link,customLink,title,tag,created_at,clicks\n${rows.join('\n')}\n`])
  const startedMs = performance.now()
  const { import: started } = await importer.importLinks({ file, background: true })
  const uploadedMs = performance.now()
  const waits: number[] = []
  const ending = new AbortController()
  const watching = (async () => {
    for (let n = 0; !ending.signal.aborted; n++) {
      const atMs = performance.now()
      await bystander.generateLink({ link: `https://example.com/${n}` })
      waits.push(performance.now() - atMs)
      await delay(10)
    }
  })()
  let last = started
  while (last.state === 'running') {
    await delay(250)
    last = (await importer.imports({ uuid: started.uuid })).data[0] ?? last
  }
  const endedMs = performance.now()
  ending.abort()
  await watching
  const metrics = await (
    await fetch(`${waymark.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  ).text()
  const hold = /^waymark_import_longest_hold_ms\S*\s+(\d+)/m.exec(metrics)?.[1]
  const sorted = waits.toSorted((a, b) => a - b)
  console.log(`${last.state}: ${last.created} of ${lines} links created, ${last.skipped} skipped`)
  console.log(
    `reading ${((uploadedMs - startedMs) / 1000).toFixed(1)} s, creating ${((endedMs - uploadedMs) / 1000).toFixed(1)} s`,
  )
  console.log(`longest hold of a batch: ${hold ?? '?'} ms`)
  console.log(
    `another account's writes meanwhile (${waits.length}): median ${percentile(sorted, 0.5)} ms, 99 % ${percentile(sorted, 0.99)} ms, longest ${percentile(sorted, 1)} ms`,
  )
  const undoneMs = performance.now()
  await importer.undoImport({ uuid: started.uuid })
  do await delay(250)
  while ((await importer.imports({ uuid: started.uuid })).data[0]?.state === 'undoing')
  console.log(`undone in ${((performance.now() - undoneMs) / 1000).toFixed(1)} s`)
} finally {
  await waymark.stop()
  await postgres?.stop()
}
