import { once } from 'node:events'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SHORT_LOG_PAGES } from '../../storage/db/write-ahead-log.ts'
import { dataFolder } from '../../storage/data-folder.ts'
import type { ReplayStore } from './replay.ts'
import { SignatureLog } from './signature-log.ts'
import { openSqliteReplay } from './sqlite.ts'

const LATER = Date.now() + 300_000
let dataDir: string
let replay: ReplayStore

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waymark-signatures-'))
  replay = await openSqliteReplay(dataDir, {})
})

afterEach(async () => {
  await replay.close()
  await rm(dataDir, { recursive: true })
})

const file = (): string => join(dataDir, dataFolder.usedSignatures)

/** The rows of the file without its log. */
async function kept(): Promise<unknown[]> {
  const alone = join(dataDir, 'alone.db')
  await copyFile(file(), alone)
  const copy = new SqliteDatabase(alone)
  try {
    return copy.prepare('select hash from used_signatures').pluck().all()
  } finally {
    copy.close()
  }
}

it('checkpoints stored signatures into the file', async () => {
  const log = new SignatureLog(dataDir)
  const setUp = new SqliteDatabase(file())
  setUp.pragma('wal_checkpoint(truncate)')
  setUp.close()
  for (let n = 0; n < SHORT_LOG_PAGES; n++) await replay.use({ hash: String(n), expiresAtMs: LATER })
  expect(await kept()).toEqual([])
  log.empty()
  expect(await kept()).toHaveLength(SHORT_LOG_PAGES)
  log.close()
})

it('does nothing if there is no file', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'waymark-signatures-'))
  const log = new SignatureLog(empty)
  log.empty()
  log.close()
  expect(await readdir(empty)).toEqual([])
  await rm(empty, { recursive: true })
})

it('neither loses nor rejects signatures while another thread empties the log', async () => {
  const worker = new Worker(new URL('./signature-log.worker.ts', import.meta.url), { workerData: dataDir })
  const emptying = new AbortController()
  const emptied = once(worker, 'exit').finally(() => emptying.abort())
  let rounds = 0
  for (; !emptying.signal.aborted; rounds++) {
    const signatures = Array.from({ length: 20 }, (_, n) => `${rounds}-${n}`)
    const first = await Promise.all(
      signatures.map((signature) => replay.use({ hash: signature, expiresAtMs: LATER })),
    )
    expect(first).not.toContain(false)
  }
  expect(await emptied).toEqual([0])
  expect(await replay.use({ hash: '0-0', expiresAtMs: LATER })).toBe(false)
  expect(await replay.use({ hash: `${rounds - 1}-19`, expiresAtMs: LATER })).toBe(false)
})
