import fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import type { Core } from '../modules/module.ts'
import type { Metrics } from '../runtime/metrics/metrics.ts'
import { DiskRoom } from '../storage/disk-room.ts'
import { statusOf } from './status.ts'
import type { Visitors } from './visitors.ts'

const GIB = 1024 ** 3

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The response of `/readyz` with so much room on the disk, and a spool that can be written or not. */
const readyWith = async (freeBytes: number, spoolFault?: string) => {
  const core = {
    config: { redisUrl: undefined, metricsToken: undefined },
    db: { ping: () => Promise.resolve() },
  } as unknown as Core
  const clicks = { fault: () => spoolFault, spool: { status: () => ({ fault: spoolFault }) } }
  const disk = new DiskRoom(
    '',
    () => {},
    () => Promise.resolve({ freeBytes, totalBytes: 100 * GIB }),
  )
  await disk.refresh()
  const app = fastify()
  closing.push(
    () => app.close(),
    () => disk.close(),
  )
  const registry = { metrics: () => Promise.resolve('') }
  statusOf(core, { clicks } as unknown as Visitors, disk, { registry } as unknown as Metrics)(app)
  const { statusCode, body } = await app.inject('/readyz')
  return [statusCode, JSON.parse(body)]
}

it('a disk that is nearly full is shown, and the node stays ready', async () => {
  const checks = { database: 'ok', clicks: 'ok', disk: 'ok' }
  expect(await readyWith(GIB)).toEqual([200, { status: 'ready', checks }])
  expect(await readyWith(GIB / 4)).toEqual([200, { status: 'ready', checks: { ...checks, disk: 'low' } }])
})

it('a node that cannot write clicks is not ready', async () => {
  const [status, { checks }] = await readyWith(0, 'no space left')
  expect([status, checks]).toEqual([503, { database: 'ok', clicks: 'no space left', disk: 'low' }])
})
