import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClickHouse } from '../../clicks/clickhouse/client.ts'
import { prepareTable } from '../../clicks/clickhouse/table.ts'
import { readConfig } from '../../config.ts'
import type { Database } from '../../storage/db/database.ts'
import { createIds } from '../../storage/db/ids.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { askServices, insertTestUser } from '../../storage/db/testing.ts'
import { HOUR_MS } from '../../work/times.ts'
import { checkClicks, checkPasskeys } from './storage-checks.ts'

describe.runIf(inject('hasClickHouse'))('doctor on ClickHouse', () => {
  let dataDir: string
  let clicksUrl: string
  let db: Database

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'waymark-doctor-'))
    clicksUrl = (await askServices('clickhouse/create'))['url'] ?? ''
    db = await openDatabase({ url: undefined, dataDir })
  })
  afterAll(async () => {
    vi.useRealTimers()
    await db.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const check = () => checkClicks(readConfig({ DATA_DIR: dataDir, CLICKS_URL: clicksUrl }))

  test('reports columns that the next start creates', async () => {
    expect(await check()).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('columns to be created: workspace_uuid, link_uuid'),
    })
    await prepareTable(openClickHouse(clicksUrl))
    expect((await check()).detail).toMatch(/^version \S+, batches waiting in the database: 0$/)
  })

  test('reports clocks that differ', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS })
    const { state, detail, fix } = await check()
    vi.useRealTimers()
    expect([state, fix]).toEqual(['warning', 'synchronise the clocks of both machines with NTP'])
    expect(detail).toMatch(/its clock is (3599|3600|3601) s apart$/)
  })

  test('reports batches that have waited for long', async () => {
    const since = Date.now() - 2 * HOUR_MS
    vi.useFakeTimers({ toFake: ['Date'], now: since })
    const id = createIds()()
    vi.useRealTimers()
    const row = { workspace_uuid: crypto.randomUUID(), day: 0, open_day: 0, first_at: 0, clicks: 1 }
    await db.write(() =>
      db.sql
        .insertInto('click_batches')
        .values({ ...row, id, data: Buffer.alloc(1) })
        .execute(),
    )
    expect(await check()).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining(
        `batches waiting in the database: 1, the oldest since ${new Date(since).toISOString()}`,
      ),
    })
  })
})

test('doctor warns when BASE_URL changed after passkeys were created', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waymark-doctor-'))
  const check = (baseUrl: string) => checkPasskeys(readConfig({ DATA_DIR: dataDir, BASE_URL: baseUrl }))
  const db = await openDatabase({ url: undefined, dataDir })
  expect(await check('https://way.example')).toMatchObject({ state: 'ok', detail: 'none yet' })
  const row = {
    user_uuid: await insertTestUser(db),
    public_key: '',
    counter: 0,
    transports: '[]',
    name: 'Phone',
    created_at: 0,
    last_used_at: null,
  }
  for (const rp_id of ['way.example', 'old.example']) {
    expect(await check('https://way.example')).toMatchObject({ state: 'ok' })
    const passkey = { ...row, uuid: crypto.randomUUID(), credential_id: crypto.randomUUID(), rp_id }
    await db.write(() => db.sql.insertInto('passkeys').values(passkey).execute())
  }
  expect(await check('https://way.example')).toMatchObject({
    state: 'warning',
    detail: 'some were created for old.example and do not work at https://way.example',
    fix: 'set BASE_URL back, or let users sign in with a recovery code and add new passkeys',
  })
  expect((await check('https://new.example:8443')).detail).toContain('old.example, way.example')
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})
