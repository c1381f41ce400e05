import { mkdtemp, readFile, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openClickHouse } from '../../clicks/clickhouse/client.ts'
import { batchTime } from '../../clicks/clickhouse/sender.ts'
import { SENT_FIX, sentFault } from '../../clicks/clickhouse/sent-periods.ts'
import { missingColumns } from '../../clicks/clickhouse/table.ts'
import { rpIdOf } from '../../accounts/factors/passkeys.service.ts'
import { dataFolder } from '../../storage/data-folder.ts'
import { DAY_MS } from '../../work/times.ts'
import { KEPT_FILES } from '../../storage/backups/backup.ts'
import { backupTime, openTarget } from '../../storage/backups/targets.ts'
import { openBlobs } from '../../storage/blobs/open.ts'
import { loadMigrations } from '../../storage/db/migrator.ts'
import { createSecrets } from '../../storage/secrets.ts'
import { openStoredKey, TOMBSTONE_KEY } from '../../storage/stored-key.ts'
import { type Check, failed, type Finding, messageOf, ok, warning, within } from './finding.ts'

const TIMEOUT_MS = 5_000
const OTHERS = 0o077
const GIB = 1024 ** 3
/** Below this the service reserves the rest for the database and clicks. */
const LOW_BYTES = GIB / 2
const SCARCE_BYTES = 2 * GIB

/** The folder itself, or its closest existing parent. */
async function existingFolder(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  )
  return exists || dirname(path) === path ? path : existingFolder(dirname(path))
}

/** Creates a folder to find out: in /proc, the superuser has every permission but cannot create anything. */
async function canCreateIn(folder: string): Promise<boolean> {
  try {
    await rmdir(await mkdtemp(join(folder, '.waymark-doctor-')))
    return true
  } catch {
    return false
  }
}

export const checkFolder: Check = async ({ dataDir }) => {
  const existing = await existingFolder(dataDir)
  const isNew = existing !== dataDir
  if (await canCreateIn(existing))
    return ok(
      'data folder',
      isNew ? `${dataDir} does not exist yet; the first start creates it` : `${dataDir} can be written`,
    )
  const user = process.getuid?.() ?? 'USER'
  return isNew
    ? failed(
        'data folder',
        `${dataDir} does not exist, and this user cannot create it in ${existing}`,
        'set DATA_DIR to a folder that can be written',
      )
    : failed('data folder', `${dataDir} cannot be written by this user`, `chown -R ${user} ${dataDir}`)
}

export const checkModes: Check = async ({ dataDir }) => {
  const open: string[] = []
  for (const name of ['', dataFolder.secret, dataFolder.database]) {
    const path = join(dataDir, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && (found.mode & OTHERS) !== 0) open.push(path)
  }
  if (open.length === 0) return ok('file modes', 'no other user can read the data')
  return warning('file modes', `other users can read ${open.join(', ')}`, `chmod -R go-rwx ${dataDir}`)
}

export const checkDisk: Check = async ({ dataDir }) => {
  const volume = await statfs(await existingFolder(dataDir))
  const free = volume.bavail * volume.bsize
  const detail = `${(free / GIB).toFixed(1)} GiB free`
  const fix = 'free some space, or move DATA_DIR to a larger volume'
  if (free < LOW_BYTES) return failed('disk', detail, fix)
  return free < SCARCE_BYTES ? warning('disk', detail, fix) : ok('disk', detail)
}

/** Compares the applied migrations with those of this version. */
function schemaFinding(engine: string, applied: readonly string[], known: readonly string[]): Finding {
  const unknown = applied.filter((name) => !known.includes(name))
  const missing = known.filter((name) => !applied.includes(name))
  if (unknown.length > 0)
    return failed(
      'database',
      `${engine}: its schema belongs to another version (${unknown.join(', ')})`,
      'start the version that wrote it, or restore a backup',
    )
  const detail = `${engine}: ${applied.length} migrations applied`
  return missing.length === 0
    ? ok('database', detail)
    : ok('database', `${detail}, the next start applies ${missing.length}`)
}

/** The first column of a query. */
async function sqliteColumn(file: string, query: string): Promise<string[]> {
  const { default: Sqlite } = await import('better-sqlite3')
  const db = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    return db.prepare(query).pluck().all() as string[]
  } finally {
    db.close()
  }
}

async function postgresColumn(url: string, connectionTimeoutMillis: number, text: string): Promise<string[]> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url, connectionTimeoutMillis })
  await client.connect()
  try {
    const { rows } = await client.query<[string]>({ text, rowMode: 'array' })
    return rows.map(([value]) => value)
  } finally {
    await client.end()
  }
}

/** The applied migrations, and how far the server's clock is ahead of ours. */
async function postgresState(url: string, connectionTimeoutMillis: number) {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url, connectionTimeoutMillis })
  await client.connect()
  try {
    const { rows: clock } = await client.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    )
    const aheadMs = (clock[0]?.ms ?? Date.now()) - Date.now()
    const { rows: tables } = await client.query(`select 1 where to_regclass('schema_migrations') is not null`)
    if (tables.length === 0) return { applied: [], aheadMs }
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
    return { applied: rows.map(({ name }) => name), aheadMs }
  } finally {
    await client.end()
  }
}

export const checkDatabase: Check = async ({ databaseUrl, databaseConnectTimeoutMs, dataDir }) => {
  const known = (await loadMigrations()).map(({ name }) => name)
  if (databaseUrl !== undefined) {
    try {
      const { applied } = await within(TIMEOUT_MS, postgresState(databaseUrl, databaseConnectTimeoutMs))
      return schemaFinding('PostgreSQL', applied, known)
    } catch (error) {
      const fix =
        'check DATABASE_URL, that the server runs, and that it accepts connections from this machine'
      return failed('database', `PostgreSQL: ${messageOf(error)}`, fix)
    }
  }
  const file = join(dataDir, dataFolder.database)
  if ((await stat(file).catch(() => undefined)) === undefined)
    return ok('database', 'SQLite: does not exist yet; the first start creates it')
  try {
    const [verdict = ''] = await sqliteColumn(file, 'pragma quick_check(1)')
    if (verdict !== 'ok') throw new Error(`the file is damaged: ${verdict}`)
    return schemaFinding('SQLite', await sqliteColumn(file, 'select name from schema_migrations'), known)
  } catch (error) {
    return failed('database', `SQLite: ${messageOf(error)}`, 'restore a backup: waymark restore FILE')
  }
}

const SEALED_KEY = `select sealed from kept_keys where name = '${TOMBSTONE_KEY}'`

/** Whether the secret opens what was encrypted with it. */
export const checkSecret: Check = async (config) => {
  const { databaseUrl, databaseConnectTimeoutMs, dataDir } = config
  const [sealed] = await (
    databaseUrl === undefined
      ? sqliteColumn(join(dataDir, dataFolder.database), SEALED_KEY)
      : within(TIMEOUT_MS, postgresColumn(databaseUrl, databaseConnectTimeoutMs, SEALED_KEY))
  ).catch(() => [])
  if (sealed === undefined) return ok('secret', 'nothing is encrypted with it yet')
  const file = join(dataDir, dataFolder.secret)
  const secret = config.secretKey ?? (await readFile(file, 'utf8').catch(() => undefined))?.trim()
  if (secret === undefined)
    return failed('secret', `${file} is missing`, 'restore it from a backup, or set SECRET_KEY')
  try {
    openStoredKey(createSecrets(secret, config.secretKeyPrevious), TOMBSTONE_KEY, sealed)
    return ok('secret', 'decrypts the stored secrets')
  } catch (error) {
    const fix = 'keys and webhooks cannot be used without it: look in backups and deployment settings'
    return failed('secret', messageOf(error), fix)
  }
}

/** Passkeys belong to the host of BASE_URL at the time they were created. */
export const checkPasskeys: Check = async ({ baseUrl, databaseUrl, databaseConnectTimeoutMs, dataDir }) => {
  const query = 'select rp_id from passkeys group by rp_id order by rp_id'
  const hosts = await (
    databaseUrl === undefined
      ? sqliteColumn(join(dataDir, dataFolder.database), query)
      : within(TIMEOUT_MS, postgresColumn(databaseUrl, databaseConnectTimeoutMs, query))
  ).catch(() => [])
  if (hosts.length === 0) return ok('passkeys', 'none yet')
  const others = hosts.filter((host) => host !== rpIdOf(baseUrl))
  if (others.length === 0) return ok('passkeys', `all are for ${rpIdOf(baseUrl)}`)
  return warning(
    'passkeys',
    `some were created for ${others.join(', ')} and do not work at ${baseUrl}`,
    'set BASE_URL back, or let users sign in with a recovery code and add new passkeys',
  )
}

const CLOCK_MS = 5_000

export const checkClock: Check = async ({ databaseUrl, databaseConnectTimeoutMs }) => {
  if (databaseUrl === undefined) return ok('clock', new Date().toISOString())
  try {
    const { aheadMs } = await within(TIMEOUT_MS, postgresState(databaseUrl, databaseConnectTimeoutMs))
    const detail = `${Math.round(Math.abs(aheadMs))} ms apart from the database`
    if (Math.abs(aheadMs) < CLOCK_MS) return ok('clock', detail)
    return warning('clock', detail, 'synchronise the clocks of both machines with NTP')
  } catch {
    return ok('clock', `${new Date().toISOString()}; the clock of the database could not be read`)
  }
}

const WAITING = `select count(*) || ' ' || coalesce(min(id), '') from click_batches`
const SENT = `select min(first_day) || ' ' || max(last_day) from sent_periods where given_up = 0`
/** Batches are normally sent every second. */
const LATE_MS = 60_000

/** Whether ClickHouse can be used, and whether clicks arrive there. */
export const checkClicks: Check = async ({ clicksUrl, databaseUrl, databaseConnectTimeoutMs, dataDir }) => {
  const column = (query: string): Promise<string[]> =>
    (databaseUrl === undefined
      ? sqliteColumn(join(dataDir, dataFolder.database), query)
      : within(TIMEOUT_MS, postgresColumn(databaseUrl, databaseConnectTimeoutMs, query))
    ).catch(() => [])
  if (clicksUrl === undefined) {
    const [first, last] = ((await column(SENT))[0] ?? '').split(' ')
    if (!first) return ok('ClickHouse', 'not used; clicks are in the database')
    const period = { fromMs: Number(first), toMs: Number(last) + DAY_MS }
    return failed('ClickHouse', sentFault(period), SENT_FIX)
  }
  const clickhouse = openClickHouse(clicksUrl)
  try {
    const [server] = await within(
      TIMEOUT_MS,
      clickhouse.rows<{ version: string; now: number }>(
        'select version() as version, toUInt32(now()) as now',
      ),
    )
    const { version = '', now = 0 } = server ?? {}
    const missing = await within(TIMEOUT_MS, missingColumns(clickhouse))
    const [waiting = '0 '] = await column(WAITING)
    const [batches = '0', oldest = ''] = waiting.split(' ')
    const columns = missing.length === 0 ? '' : `, columns to be created: ${missing.join(', ')}`
    const detail = `version ${version}, batches waiting in the database: ${batches}${columns}`
    const apartMs = Math.abs(now * 1_000 - Date.now())
    if (apartMs > CLOCK_MS + 1_000)
      return warning(
        'ClickHouse',
        `${detail}, its clock is ${Math.round(apartMs / 1_000)} s apart`,
        'synchronise the clocks of both machines with NTP',
      )
    if (oldest !== '' && Date.now() - batchTime(oldest) > LATE_MS)
      return warning(
        'ClickHouse',
        `${detail}, the oldest since ${new Date(batchTime(oldest)).toISOString()}`,
        'start the server, or look for "not sent to ClickHouse" in its log',
      )
    return ok('ClickHouse', detail)
  } catch (error) {
    const fix =
      'check CLICKS_URL: address, user, password and database; clicks wait in the database meanwhile'
    return failed('ClickHouse', messageOf(error), fix)
  }
}

export const checkFiles: Check = async ({ s3Url, dataDir }) => {
  if (s3Url === undefined) return ok('S3', 'not used; files are in DATA_DIR')
  try {
    const blobs = await openBlobs({ url: s3Url, dataDir })
    await within(TIMEOUT_MS, blobs.has('0'.repeat(64)))
    await blobs.close()
    return ok('S3', 'the bucket responds')
  } catch (error) {
    return failed('S3', messageOf(error), 'check S3_URL: address, key, secret, bucket and region')
  }
}

const NAMED = 5
const UNDEFINED_TABLE = '42P01'

/** Compares the files that the database refers to with the existing ones. */
export const checkUploads: Check = async ({ databaseUrl, databaseConnectTimeoutMs, s3Url, dataDir }) => {
  const file = join(dataDir, dataFolder.database)
  if (databaseUrl === undefined && (await stat(file).catch(() => undefined)) === undefined)
    return ok('uploads', 'none yet')
  try {
    const kept =
      databaseUrl === undefined
        ? await sqliteColumn(file, KEPT_FILES)
        : await postgresColumn(databaseUrl, databaseConnectTimeoutMs, KEPT_FILES)
    const blobs = await openBlobs({ url: s3Url, dataDir })
    const there = new Set<string>()
    // A bucket lists a thousand names per request, while a request for each file would take minutes.
    for await (const hash of blobs.list()) there.add(hash)
    const missing = kept.filter((hash) => !there.has(hash))
    await blobs.close()
    if (missing.length === 0) return ok('uploads', `${kept.length} files, none is missing`)
    const named = missing.slice(0, NAMED).join(', ') + (missing.length > NAMED ? ', …' : '')
    return failed(
      'uploads',
      `${missing.length} of ${kept.length} files are missing: ${named}`,
      'take them from an older backup or upload the pictures again; docs/troubleshooting.md',
    )
  } catch (error) {
    // A database without a schema yet.
    if ((error as NodeJS.ErrnoException).code === UNDEFINED_TABLE) return ok('uploads', 'none yet')
    return warning('uploads', `could not be compared: ${messageOf(error)}`, 'fix the failed checks above')
  }
}

const BACKUP_AGE_MS = 2 * DAY_MS

export const checkBackups: Check = async ({ backups, databaseUrl, s3Url }) => {
  if (backups === undefined && databaseUrl !== undefined && s3Url !== undefined)
    return ok('backups', 'not set: back up with the tools of PostgreSQL and of the bucket')
  if (backups === undefined) return warning('backups', 'no schedule is set', 'set BACKUP_TO; docs/backups.md')
  try {
    const newest = (await within(TIMEOUT_MS, openTarget(backups.target).list())).at(-1)
    if (newest === undefined)
      return warning(
        'backups',
        'no backup exists yet',
        'the service makes one when it starts, or: waymark backup',
      )
    const isOld = Date.now() - backupTime(newest) > BACKUP_AGE_MS
    return isOld
      ? warning('backups', `${newest} is the newest`, 'look for "backup" in the log, or try: waymark backup')
      : ok('backups', `${newest} is the newest`)
  } catch (error) {
    return failed('backups', messageOf(error), 'check BACKUP_TO: the folder, or key, secret and bucket')
  }
}
