import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { on, type RequestFacts, type Routes } from '../../api/routes.ts'
import { admission, laneRules } from '../../net/admission/lanes.ts'
import { actingFor } from '../../net/admission/gate.ts'
import type { Caller } from '../../net/caller.ts'
import type { Database } from '../../storage/db/database.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { ClickHouseError } from '../../clicks/clickhouse/client.ts'
import { databaseStatistics } from '../../clicks/statistics/database.ts'
import type { ExportedClick, Statistics } from '../../clicks/statistics/statistics.ts'
import { storedClick } from '../../clicks/testing.ts'
import { Takeout } from './takeout-archive.ts'

let db: Database
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waymark-takeout-test-'))
  db = await openDatabase({ url: undefined, dataDir })
})
afterAll(async () => {
  await db.close()
  await rm(dataDir, { recursive: true })
})

/** More pages than any client buffers. */
const routes: Routes = [
  on('links', async ({ query }) => {
    const page = Number((query as { cursor?: string }).cursor ?? 0)
    const data = [{ uuid: String(page), text: randomBytes(100_000).toString('hex') }] as never
    const meta = { count: 1, total: 50, next_cursor: page < 50 ? String(page + 1) : null }
    return { status: 200, payload: { status: 'success', message: 'Links', data, meta } }
  }),
]

const open = (
  account: string,
  address: string,
  statistics: Pick<Statistics, 'clicks'> = databaseStatistics(db, undefined),
): Promise<Readable> => {
  const takeout = new Takeout({
    db,
    workspaces: { firstOf: async () => undefined },
    statistics,
    blobs: { get: () => Promise.resolve(undefined) },
    routes: () => routes,
    now: Date.now,
  })
  const caller = { kind: 'session', uuid: account, workspaceUuid: account } as Caller
  return actingFor({ account, address }, () => takeout.open(caller, {} as RequestFacts))
}

it('slow readers do not block archives of other accounts', async () => {
  const slow = await Promise.all(Array.from({ length: 8 }, (_, n) => open(`slow ${n}`, 'crowd')))
  for (const archive of slow) await once(archive, 'readable')
  await expect(open('one more', 'crowd')).rejects.toMatchObject({ status: 503 })
  const archive = await open('other', 'elsewhere')
  let bytes = 0
  for await (const chunk of archive) bytes += (chunk as Buffer).length
  expect(bytes).toBeGreaterThan(5_000_000)
  for (const one of slow) one.destroy()
  await expect.poll(() => admission.counts().downloads.running).toBe(0)
  expect(laneRules.downloads.addressShare).toBe(8)
})

describe('clicks that cannot be read', () => {
  const fault = new ClickHouseError('ClickHouse cannot be reached', undefined)
  /** Fails after this many clicks. */
  const failing = (after: number): Pick<Statistics, 'clicks'> => ({
    async *clicks(): AsyncGenerator<ExportedClick> {
      for (let n = 0; n < after; n++) yield storedClick(crypto.randomUUID(), n)
      throw fault
    },
  })

  it('cause an error response', async () => {
    await expect(open('a', 'somewhere', failing(0))).rejects.toBe(fault)
    await expect(open('a', 'somewhere', failing(10))).rejects.toBe(fault)
    expect(admission.counts().downloads.running).toBe(0)
  })

  it('abort an archive that has begun', async () => {
    const archive = await open('a', 'somewhere', failing(20_000))
    await expect(buffer(archive)).rejects.toBe(fault)
    await expect.poll(() => admission.counts().downloads.running).toBe(0)
  })
})
