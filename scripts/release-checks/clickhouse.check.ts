import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Counted, killUnderLoad } from '../../e2e/support/click-kills.ts'
import { Batch, packBatch } from '../../packages/server/src/clicks/batches/packed-batch.ts'
import { blockOf, INSERT, prepareTable } from '../../packages/server/src/clicks/clickhouse/table.ts'
import { type ClickHouse, openClickHouse } from '../../packages/server/src/clicks/clickhouse/client.ts'
import { clickHouseStatistics } from '../../packages/server/src/clicks/statistics/clickhouse.ts'
import { storedClick } from '../../packages/server/src/clicks/testing.ts'
import { ClickHouseLease } from '../../packages/server/src/clicks/clickhouse/lease.ts'
import { ClickSender } from '../../packages/server/src/clicks/clickhouse/sender.ts'
import type { Database } from '../../packages/server/src/storage/db/database.ts'
import { createIds } from '../../packages/server/src/storage/db/ids.ts'
import { openDatabase } from '../../packages/server/src/storage/db/open.ts'
import { startClickHouse } from '../services/clickhouse.ts'
import { startPostgres } from '../services/postgres.ts'
import { Steps } from './steps.ts'

/*
 * Long tests of click storage: twenty kills under load on SQLite, PostgreSQL and ClickHouse, and the statements on a current
 * ClickHouse, which chdb provides as a library. It is installed only for this check.
 */

const KILLS = Number(process.env['KILLS'] ?? 20)
const LIBRARY = ['chdb@3.4.0', `@chdb/lib-linux-${process.arch}-gnu@26.7.3-stable.1`]
const DAY = Date.UTC(2026, 10, 9)
const FULL_BATCH = 10_000
const newId = createIds()

const steps = new Steps()
try {
  await steps.take('statements on the installed ClickHouse', onServer, (version) => version)
  await steps.take('statements on a current ClickHouse', onCurrentEngine, (version) => version)
  await steps.take('a full disk', onFullDisk, (text) => text)
  await steps.take(`SQLite, ${KILLS} kills`, () => killed({}), described)
  await steps.take(`PostgreSQL, ${KILLS} kills`, onPostgres, described)
  await steps.take(`ClickHouse, ${KILLS} kills`, onClickHouse, described)
} finally {
  steps.print()
}

function described({ redirects, underWay, clicks, total }: Counted): string {
  return `${redirects} redirects, ${clicks} clicks, total ${total}, ${underWay} under way`
}

async function killed(...args: [Record<string, string>, Parameters<typeof killUnderLoad>[2]?]) {
  const counted = await killUnderLoad(args[0], KILLS, args[1])
  const { redirects, underWay, clicks, total } = counted
  console.log(described(counted))
  assert.equal(clicks, total)
  assert.ok(clicks >= redirects && clicks <= redirects + underWay)
  return counted
}

async function onPostgres(): Promise<Counted> {
  const postgres = await startPostgres()
  try {
    const SECRET_KEY = 'a secret for tests that nobody else knows'
    return await killed({ DATABASE_URL: await postgres.createDatabase(), SECRET_KEY })
  } finally {
    await postgres.stop()
  }
}

async function onClickHouse(): Promise<Counted> {
  const clickhouse = await startClickHouse()
  try {
    const kill = () => clickhouse.halt('SIGKILL')
    return await killed({}, { url: clickhouse.url, kill, resume: () => clickhouse.resume() })
  } finally {
    await clickhouse.stop()
  }
}

/** Sends more than fits on the disk of ClickHouse, then frees space. Runs as root, because it mounts a small file system. */
async function onFullDisk(): Promise<string> {
  if (process.getuid?.() !== 0) return 'LEFT OUT: needs root'
  const disk = await mkdtemp(join(tmpdir(), 'waymark-disk-'))
  const mount = (...args: string[]) => execFileSync('mount', [...args, disk])
  mount('-t', 'tmpfs', '-o', 'size=8m', 'tmpfs')
  const folder = await mkdtemp(join(tmpdir(), 'waymark-clicks-'))
  const server = await startClickHouse(disk)
  const db = await openDatabase({ url: undefined, dataDir: folder })
  const lease = new ClickHouseLease(db)
  try {
    const clickhouse = openClickHouse(server.url)
    const log = { info: () => undefined, warn: () => undefined }
    const sender = new ClickSender({
      db,
      clickhouse,
      lease,
      log,
      sweep: () => Promise.resolve(),
      maxRows: 1,
    })
    const send = async (): Promise<void> => {
      while ((await lease.exclusively(() => sender.sendSome())) === true);
    }
    for (let batch = 0; batch < 10; batch++) await addBatch(db)
    const failure = await send().then(() => assert.fail('All clicks fit'), String)
    assert.match(failure, /ClickHouse failed/)
    mount('-o', 'remount,size=200m')
    await send()
    const [stored] = await clickhouse.rows<{ all: number; different: number }>(
      'select count() as all, uniqExact(batch_uuid, at, ms) as different from clicks',
    )
    assert.deepEqual(stored, { all: 10 * FULL_BATCH, different: 10 * FULL_BATCH })
    return `${failure.slice(0, 120)}; then ${stored.all} clicks, each once`
  } finally {
    await lease.close()
    await db.close()
    await server.stop()
    execFileSync('umount', [disk])
    await rm(folder, { recursive: true, force: true })
    await rm(disk, { recursive: true, force: true })
  }
}

/** Values that do not compress. */
async function addBatch(db: Database): Promise<void> {
  const link = crypto.randomUUID()
  const clicks = Array.from({ length: FULL_BATCH }, (_, n) =>
    storedClick(link, DAY + n, { visitor: n, utm_source: randomBytes(64).toString('hex') }),
  )
  const row = { workspace_uuid: crypto.randomUUID(), day: DAY, id: newId(), open_day: DAY, first_at: DAY }
  const data = packBatch(clicks, DAY)
  await db.write(() =>
    db.sql
      .insertInto('click_batches')
      .values({ ...row, clicks: FULL_BATCH, data })
      .execute(),
  )
}

async function onServer(): Promise<string> {
  const server = await startClickHouse()
  const folder = await mkdtemp(join(tmpdir(), 'waymark-clicks-'))
  try {
    const clickhouse = openClickHouse(server.url)
    await ask(clickhouse, folder)
    return await versionOf(clickhouse)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function versionOf(clickhouse: ClickHouse): Promise<string> {
  const [found] = await clickhouse.rows<{ version: string }>('select version() as version')
  return `version ${found?.version}`
}

async function onCurrentEngine(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-chdb-'))
  try {
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    const npm = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...LIBRARY]
    try {
      execFileSync('npm', npm, { cwd: folder, stdio: 'pipe' })
    } catch (error) {
      // Some registries do not have the library for every processor.
      if (!String(error).includes('E404')) throw error
      return `LEFT OUT: the registry has no chdb for ${process.arch}`
    }
    const { Session } = (await import(join(folder, 'node_modules/chdb/index.js'))) as {
      Session: new (path: string) => { query(statement: string, format: string): string; cleanup(): void }
    }
    const session = new Session(join(folder, 'data'))
    session.query('create database waymark', 'CSV')
    session.query('use waymark', 'CSV')
    const rows = async <Row>(statement: string): Promise<Row[]> =>
      session
        .query(`${statement} settings output_format_json_quote_64bit_integers = 0`, 'JSONEachRow')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
    const clickhouse: ClickHouse = {
      run: async (statement) => void session.query(statement, 'CSV'),
      rows,
      async *stream<Row>(statement: string) {
        yield* await rows<Row>(statement)
      },
      async insert(statement, _id, body) {
        const file = join(folder, 'block.native')
        await writeFile(file, body)
        const into = statement.replace(' format Native', '')
        session.query(`${into} select * from file('${file}', Native)`, 'CSV')
      },
      ping: () => Promise.resolve(),
    }
    await mkdir(join(folder, 'database'))
    await ask(clickhouse, join(folder, 'database'))
    const version = await versionOf(clickhouse)
    session.cleanup()
    return version
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Creates the table, inserts a block, and runs all queries of the statistics. */
async function ask(clickhouse: ClickHouse, dataDir: string): Promise<void> {
  const db = await openDatabase({ url: undefined, dataDir })
  const lease = new ClickHouseLease(db)
  await prepareTable(clickhouse)
  await prepareTable(clickhouse)
  const [workspaceUuid, link] = [crypto.randomUUID(), crypto.randomUUID()]
  const hostile = `'; \\N "\t\0é`
  const clicks = [
    storedClick(link, DAY, { utm_source: hostile }),
    storedClick(link, DAY + 1, { visitor: 2 ** 47, country: 'FR' }),
    storedClick(link, DAY + 2, { bot: true }),
  ]
  const batch = new Batch(packBatch(clicks, DAY))
  const id = crypto.randomUUID()
  await clickhouse.insert(INSERT, id, blockOf([{ workspaceUuid, id, day: DAY, batch }]))
  const statistics = clickHouseStatistics(db, clickhouse, lease)
  const period = { workspaceUuid, scope: [link], retainedFromMs: 0, fromMs: DAY, toMs: DAY + 86_399_999 }
  const question = {
    ...period,
    previousFromMs: DAY - 86_400_000,
    interval: 'day',
    timezone: 'UTC',
    bot: undefined,
    filters: new Map(),
  } as const
  for (const by of [['country'], [], ['utm_source', 'source', 'link', 'hour_of_week', 'button']] as const) {
    const { totals } = await statistics.figures({ ...question, by })
    assert.deepEqual(totals, { clicks: 2, uniques: 2, bots: 1 })
  }
  const filters = new Map([['utm_source', new Set([hostile])]] as const)
  const filtered = await statistics.figures({ ...question, by: ['country'], filters })
  assert.deepEqual(filtered.breakdowns.get('country'), [{ value: 'DE', clicks: 1 }])
  const found: unknown[] = []
  for await (const click of statistics.clicks(period)) found.push(click)
  assert.deepEqual(
    found,
    clicks.map(({ visitor: _visitor, ...click }) => click),
  )
  const stored = () =>
    clickhouse.rows<{ clicks: number }>(
      `select count() as clicks from clicks where batch_uuid = toUUID('${id}')`,
    )
  assert.deepEqual(await stored(), [{ clicks: 3 }])
  await clickhouse.run(`alter table clicks delete where batch_uuid in (toUUID('${crypto.randomUUID()}'))`)
  await statistics.dropBefore(Date.UTC(2026, 11))
  assert.deepEqual(await stored(), [{ clicks: 0 }])
  const summed = await statistics.figures({ ...question, by: ['country'] })
  assert.deepEqual(summed.totals, { clicks: 2, uniques: 2, bots: 1 })
  await lease.close()
  await db.close()
}
