import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { testClickOf } from '../clicks/spool/click.testing.ts'
import { Spool } from '../clicks/spool/spool.ts'
import type { Core } from '../modules/module.ts'
import type { Metrics } from '../work/metrics.ts'
import { DiskRoom } from '../storage/disk-room.ts'
import { statusOf } from './api.ts'
import type { Visitors } from './visitors.ts'

const GIB = 1024 ** 3

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Node {
  readonly freeBytes?: number
  readonly spoolFault?: string
  readonly countingFault?: string
  readonly senderFault?: string
}

/** The spool of a node after a visit. */
async function visitedSpool(fault: string | undefined): Promise<Spool> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-status-'))
  const write = (): number => {
    throw new Error(fault)
  }
  const spool = new Spool({ folder, owner: crypto.randomUUID(), ...(fault === undefined ? {} : { write }) })
  closing.push(
    () => rmSync(folder, { recursive: true }),
    () => spool.release(),
    () => spool.close(),
  )
  spool.append(testClickOf(crypto.randomUUID()))
  await new Promise<void>((resolve) => spool.afterWrite(resolve))
  return spool
}

/** The response of `/readyz`. */
const readyWith = async ({ freeBytes = GIB, spoolFault, countingFault, senderFault }: Node) => {
  const disk = new DiskRoom('', {
    sqlite: undefined,
    report: () => {},
    look: () => Promise.resolve({ freeBytes, totalBytes: 100 * GIB }),
  })
  await disk.refresh()
  const core = {
    disk,
    config: { redisUrl: undefined, metricsToken: undefined },
    db: { ping: () => Promise.resolve() },
    statistics: { sender: senderFault === undefined ? undefined : { fault: senderFault } },
  } as unknown as Core
  const ingest = { status: () => ({ ok: countingFault === undefined, fault: countingFault ?? null }) }
  const clicks = { spool: await visitedSpool(spoolFault), ingest }
  const app = fastify()
  closing.push(
    () => app.close(),
    () => disk.close(),
  )
  const registry = { metrics: () => Promise.resolve('') }
  statusOf(core, { clicks } as unknown as Visitors, { registry } as unknown as Metrics)(app)
  const { statusCode, body } = await app.inject('/readyz')
  return [statusCode, JSON.parse(body)]
}

const checks = { database: 'ok', clicks: 'ok', disk: 'ok' }

it('reports a nearly full disk, and the node stays ready', async () => {
  expect(await readyWith({})).toEqual([200, { status: 'ready', checks }])
  const low = { status: 'ready', checks: { ...checks, disk: 'low' } }
  expect(await readyWith({ freeBytes: GIB / 4 })).toEqual([200, low])
})

it('a node that cannot count clicks stays ready while it can write them', async () => {
  const waiting = { status: 'ready', checks: { ...checks, clicks: 'waiting' } }
  expect(await readyWith({ countingFault: 'connect ECONNREFUSED 10.0.0.5:5432' })).toEqual([200, waiting])
  expect(await readyWith({ senderFault: 'ClickHouse cannot be reached' })).toEqual([200, waiting])
})

it('a node that cannot write clicks is not ready', async () => {
  const [status, body] = await readyWith({ freeBytes: 0, spoolFault: 'no space left' })
  expect([status, body.checks]).toEqual([503, { ...checks, clicks: 'unavailable', disk: 'low' }])
})
