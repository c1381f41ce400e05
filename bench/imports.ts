/*
 * Imports 100,000 links into a fresh instance, takes the import back, and changes as many links in bulk. Meanwhile another
 * account and the same account create links one after another. For each of these jobs it prints how long it took, how
 * long the other writes waited, as clients see it, and the longest that a batch of the job had its transaction open;
 * before that, how long writes take while there is no job. Of PostgreSQL, where only writes of the same rows wait for each
 * other, it also prints how long statements waited for a lock, by PostgreSQL's own log.
 *
 *   npm run -s node bench/imports.ts [lines]                    SQLite
 *   ENGINE=postgres npm run -s node bench/imports.ts [lines]    a PostgreSQL of its own, which flushes to disk
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@waymark/sdk'
import { startWaymark } from '../e2e/support/waymark.ts'
import './support/released.ts'
import { startPostgres } from '../scripts/services/postgres.ts'
import { processorTime } from './support/processor-time.ts'
import { LockLog } from './support/lock-log.ts'
import { type WatchedAccount, watchWrites, type WriteWatch } from './support/watch-writes.ts'

const lines = Number(process.argv[2] ?? 100_000)
const WARM_UP_MS = 3_000
const IDLE_MS = 5_000
const POLL_MS = 100
const locks = new LockLog()
const flushing = { fsync: 'on', full_page_writes: 'on', shared_buffers: '256MB' }
const postgres =
  process.env['ENGINE'] === 'postgres'
    ? await startPostgres({ ...flushing, ...LockLog.settings }, (text) => locks.read(text))
    : undefined
const METRICS_TOKEN = 'bench'
const waymark = await startWaymark({
  METRICS_TOKEN,
  ...(postgres && {
    DATABASE_URL: await postgres.createDatabase(),
    SECRET_KEY: 'a secret for this benchmark alone',
  }),
})

const newAccount = async (): Promise<WatchedAccount> => {
  const { apiKey, secret } = await waymark.account()
  return { baseUrl: waymark.url, apiKey, secret }
}

const share = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)
const told = (who: string, waits: readonly number[]): string => {
  const sorted = waits.toSorted((a, b) => a - b)
  return `${who} ${waits.length} writes, median ${share(sorted, 0.5)}, 99 % ${share(sorted, 0.99)}, longest ${share(sorted, 1)} ms`
}

const metric = async (name: string): Promise<string> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${waymark.url}/metrics`, { headers })).text()
  return new RegExp(`^${name}\\S*\\s+(\\d+)`, 'm').exec(text)?.[1] ?? '?'
}

const fileOf = (prefix: string): Blob => {
  const rows = Array.from(
    { length: lines },
    (_, n) =>
      `https://example.com/products/${n}?from=mail,${prefix}${n},Product ${n},shop,2024-05-06 07:08:09,${n}`,
  )
  return new Blob([`link,customLink,title,tag,created_at,clicks\n${rows.join('\n')}\n`])
}

try {
  const [own, other] = [await newAccount(), await newAccount()]
  const importer = createClient(own)
  await using watches = new AsyncDisposableStack()
  const [ofOther, ofOwn] = [other, own].map((account) => {
    const watch = watchWrites(account)
    watches.defer(async () => void (await watch.stop()))
    return watch
  }) as [WriteWatch, WriteWatch]
  const takeBoth = () => Promise.all([ofOther.take(), ofOwn.take()])
  await delay(WARM_UP_MS)
  const during = async (what: string, work: () => Promise<string>, hold?: string): Promise<void> => {
    await takeBoth()
    locks.take()
    const [startedMs, before] = [performance.now(), processorTime(waymark.pid).all]
    const outcome = await work()
    const tookMs = performance.now() - startedMs
    const usedMs = (processorTime(waymark.pid).all - before) / 1_000
    const [others, same] = await takeBoth()
    console.log(
      `${what}: ${outcome}, ${(tookMs / 1000).toFixed(1)} s, ${(usedMs / 1000).toFixed(1)} s of processor time`,
    )
    console.log(`  ${told('another account:', others)}`)
    console.log(`  ${told('the same account:', same)}`)
    if (postgres !== undefined) console.log(`  ${locks.take()}`)
    if (hold !== undefined) console.log(`  longest transaction so far: ${await metric(hold)} ms`)
  }

  /** Waits for a job to end. */
  const ended = async (look: () => Promise<{ state: string } | undefined>): Promise<string> => {
    for (;;) {
      const found = await look()
      if (found !== undefined && !['running', 'undoing'].includes(found.state)) return found.state
      await delay(POLL_MS)
    }
  }
  const imported = async (uuid: string): Promise<string> => {
    const look = async () => (await importer.imports({ uuid })).data[0]
    return `${await ended(look)}, ${(await look())?.created} created`
  }
  const edited = async (uuid: string): Promise<string> => {
    const look = async () => (await importer.bulkEdits({ uuid })).data[0]
    return `${await ended(look)}, ${(await look())?.changed} changed`
  }

  console.log(`${postgres ? 'PostgreSQL' : 'SQLite'}, ${lines} links`)
  await during('no job', () => delay(IDLE_MS, 'idle'))
  const file = fileOf('code-')
  let importUuid = ''
  await during('upload', async () => {
    importUuid = (await importer.importLinks({ file, preview: true })).import.uuid
    return 'read'
  })
  const importHold = 'waymark_import_longest_hold_ms'
  const start = async () => {
    await importer.runImport({ uuid: importUuid })
    return imported(importUuid)
  }
  await during('import', start, importHold)
  let editUuid = ''
  const editHold = 'waymark_bulk_edit_longest_hold_ms'
  const edit = async () => {
    const change = { add_tags: ['sale'], expire: '2099-01-01' }
    editUuid = (await importer.bulkEditLinks({ filter: { tag: 'shop' }, change })).data.uuid
    return edited(editUuid)
  }
  await during('bulk edit', edit, editHold)
  const undoEdit = async () => {
    await importer.undoBulkEdit({ uuid: editUuid })
    return edited(editUuid)
  }
  await during('undo of the bulk edit', undoEdit, editHold)
  const undoImport = async () => {
    await importer.undoImport({ uuid: importUuid })
    return imported(importUuid)
  }
  await during('undo of the import', undoImport, importHold)
} finally {
  await waymark.stop()
  await postgres?.stop()
}
