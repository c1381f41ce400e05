/*
 * Imports 100,000 links into a fresh instance, takes the import back, and changes as many links in bulk. Meanwhile another
 * account and the same account create links one after another. For each of these jobs it prints how long it took, and
 * how long the other writes waited, as clients see it; before that, how long they wait while there is no job.
 *
 *   npm run -s node bench/imports.ts [lines]                    SQLite
 *   ENGINE=postgres npm run -s node bench/imports.ts [lines]    a PostgreSQL of its own, which flushes to disk
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '@waymark/sdk'
import { startWaymark } from '../e2e/support/waymark.ts'
import './support/released.ts'
import { startPostgres } from '../scripts/services/postgres.ts'
import { processorTime } from './support/processor-time.ts'

const lines = Number(process.argv[2] ?? 100_000)
const IDLE_MS = 5_000
const POLL_MS = 100
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

const clientOf = async (): Promise<Client> => {
  const { apiKey, secret } = await waymark.account()
  return createClient({ baseUrl: waymark.url, apiKey, secret })
}

/** Creates links one after another until the signal, and says how long each one took in milliseconds. */
const watch = async (client: Client, signal: AbortSignal): Promise<number[]> => {
  const waits: number[] = []
  while (!signal.aborted) {
    const startedMs = performance.now()
    await client.generateLink({ link: `https://example.com/${waits.length}` })
    waits.push(performance.now() - startedMs)
    await delay(5)
  }
  return waits.toSorted((a, b) => a - b)
}

const share = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)
const told = (who: string, waits: readonly number[]): string =>
  `${who} ${waits.length} writes, median ${share(waits, 0.5)}, 99 % ${share(waits, 0.99)}, longest ${share(waits, 1)} ms`

const metric = async (name: string): Promise<string> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${waymark.url}/metrics`, { headers })).text()
  return new RegExp(`^${name}\\S*\\s+(\\d+)`, 'm').exec(text)?.[1] ?? '?'
}

try {
  const [importer, bystander] = [await clientOf(), await clientOf()]
  const during = async (what: string, work: () => Promise<string>): Promise<void> => {
    const ending = new AbortController()
    const watching = Promise.all([watch(bystander, ending.signal), watch(importer, ending.signal)])
    const [startedMs, before] = [performance.now(), processorTime(waymark.pid).all]
    const outcome = await work()
    const tookMs = performance.now() - startedMs
    const usedMs = (processorTime(waymark.pid).all - before) / 1_000
    ending.abort()
    const [others, own] = await watching
    console.log(
      `${what}: ${outcome}, ${(tookMs / 1000).toFixed(1)} s, ${(usedMs / 1000).toFixed(1)} s of processor time`,
    )
    console.log(`  ${told('another account:', others)}`)
    console.log(`  ${told('the same account:', own)}`)
  }

  /** Waits for an import to end. */
  const imported = async (uuid: string): Promise<string> => {
    for (;;) {
      const [found] = (await importer.imports({ uuid })).data
      if (found !== undefined && !['running', 'undoing'].includes(found.state))
        return `${found.state}, ${found.created} created`
      await delay(POLL_MS)
    }
  }
  const edited = async (uuid: string): Promise<string> => {
    for (;;) {
      const [found] = (await importer.bulkEdits({ uuid })).data
      if (found !== undefined && !['running', 'undoing'].includes(found.state))
        return `${found.state}, ${found.changed} changed`
      await delay(POLL_MS)
    }
  }
  const file = (prefix: string): Blob => {
    const rows = Array.from(
      { length: lines },
      (_, n) =>
        `https://example.com/products/${n}?from=mail,${prefix}${n},Product ${n},shop,2024-05-06 07:08:09,${n}`,
    )
    return new Blob([`link,customLink,title,tag,created_at,clicks\n${rows.join('\n')}\n`])
  }

  console.log(`${postgres ? 'PostgreSQL' : 'SQLite'}, ${lines} links`)
  await during('no job', () => delay(IDLE_MS, 'idle'))
  let uuid = ''
  await during('upload', async () => {
    uuid = (await importer.importLinks({ file: file('code-'), preview: true })).import.uuid
    return 'read'
  })
  await during('import', async () => {
    await importer.runImport({ uuid })
    return imported(uuid)
  })
  await during('bulk edit', async () => {
    const change = { add_tags: ['sale'], expire: '2099-01-01' }
    uuid = (await importer.bulkEditLinks({ filter: { tag: 'shop' }, change })).data.uuid
    return edited(uuid)
  })
  await during('undo of the bulk edit', async () => {
    await importer.undoBulkEdit({ uuid })
    return edited(uuid)
  })
  await during('undo of the import', async () => {
    const [last] = (await importer.imports()).data
    await importer.undoImport({ uuid: last?.uuid ?? '' })
    return imported(last?.uuid ?? '')
  })
  console.log(`longest transaction of an import: ${await metric('waymark_import_longest_hold_ms')} ms`)
} finally {
  await waymark.stop()
  await postgres?.stop()
}
