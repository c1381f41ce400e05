import { createHash, randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, opendir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { OperatorError } from '../../net/errors.ts'
import { DAY_MS } from '../../work/times.ts'
import { isHash } from '../blobs/blobs.ts'
import { dataFolder } from '../data-folder.ts'
import { makePrivateFolder } from '../db/private-folder.ts'
import { VISITOR_TABLES } from '../db/tables.ts'
import { createSecrets } from '../secrets.ts'
import { TarWriter } from './tar.ts'

export interface BackupOptions {
  readonly dataDir: string
  /** Of PostgreSQL; undefined: the database is in the data folder. */
  readonly databaseUrl: string | undefined
  readonly file: string
  /** From the environment; undefined: the one kept in the data folder, which then is part of the backup. */
  readonly secretKey: string | undefined
  /** False: they are in a bucket, which has its own way of being kept. */
  readonly withFiles: boolean
  readonly now: () => number
}

export interface BackupResult {
  readonly bytes: number
  readonly files: number
  /** Names of files that the database refers to and that are not there. */
  readonly missing: readonly string[]
}

const TRIES = 10
const STAGING = 'backup-'
const ABANDONED_MS = DAY_MS
/** An archive that is being written changes all the time. */
const PARTIAL = /^\.(?:[0-9a-f-]{36}|waymark-[\dTZ-]+\.tar)\.partial$/
const UNFINISHED_MS = 10 * 60_000

/**
 * Writes one archive of the data while the service runs. The files are linked aside before the database is copied, and
 * those that came meanwhile after it, so that whatever the copy refers to is in the archive, too. The archive holds an
 * SQLite file whatever the database is, so that it is verified everywhere and restored into either. The spool stays out
 * of it: it alone holds visitors' addresses. So does what tells visitors apart.
 */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const { dataDir, now } = options
  if (options.databaseUrl === undefined && (await isMissing(join(dataDir, dataFolder.database))))
    throw new OperatorError(`there is no database in ${dataDir}: nothing to back up`)
  const target = resolve(options.file)
  // Before the database is copied, which may take long.
  if (await isMissing(dirname(target)))
    throw new OperatorError(`the folder ${dirname(target)} does not exist`)
  if (await isFolder(target)) throw new OperatorError(`${target} is a folder: name a file in it`)
  await removeLeftovers(dataDir, [dirname(target)], now())
  const staging = join(dataDir, STAGING + randomUUID())
  const half = join(dirname(target), `.${randomUUID()}.partial`)
  await makePrivateFolder(join(staging, dataFolder.blobs))
  try {
    if (options.withFiles) await linkAll(join(dataDir, dataFolder.blobs), join(staging, dataFolder.blobs))
    const missing = await copyDatabase(options, staging)
    const result = await writeArchive(options, staging, half)
    await rename(half, target)
    return { ...result, missing }
  } finally {
    await rm(half, { force: true })
    await rm(staging, { recursive: true, force: true })
  }
}

/**
 * Copies the database, and links files that came meanwhile. Again, if a file came after the links were made and went
 * before it could be linked: its row is then gone, too. Files that the next copy refers to as well are lost; returns them.
 */
async function copyDatabase(options: BackupOptions, staging: string): Promise<readonly string[]> {
  const copy = join(staging, dataFolder.database)
  let before: ReadonlySet<string> = new Set()
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    await rm(copy, { force: true })
    await copyRows(options, staging)
    if (!options.withFiles) return []
    const missing = await linkNew(options.dataDir, staging, copy)
    if (missing.every((hash) => before.has(hash))) return missing
    before = new Set(missing)
  }
  throw new OperatorError('files changed too quickly to be backed up; try again later')
}

async function copyRows({ dataDir, databaseUrl }: BackupOptions, staging: string): Promise<void> {
  if (databaseUrl !== undefined) {
    // Loaded only where it is used, to save memory.
    const { copyPostgres } = await import('./postgres-copy.ts')
    return copyPostgres(databaseUrl, staging)
  }
  const copy = join(staging, dataFolder.database)
  const source = new SqliteDatabase(join(dataDir, dataFolder.database), { timeout: 10_000 })
  try {
    // One transaction that only reads. What was deleted does not come along, unlike in a copy page by page.
    source.prepare('vacuum into ?').run(copy)
  } finally {
    source.close()
  }
  forgetVisitors(copy)
}

/** Overwrites the rows, since deleted ones would otherwise stay readable in the file's free pages. */
function forgetVisitors(copy: string): void {
  const db = new SqliteDatabase(copy)
  try {
    db.pragma('journal_mode = memory')
    db.pragma('secure_delete = on')
    for (const table of VISITOR_TABLES) db.exec(`delete from ${table}`)
  } finally {
    db.close()
  }
}

/** Links files that were added after the first pass; returns those that are missing. */
async function linkNew(dataDir: string, staging: string, copy: string): Promise<string[]> {
  const missing: string[] = []
  for (const hash of hashesIn(copy, KEPT_FILES)) {
    const aside = join(staging, 'blobs', hash)
    if (!(await isMissing(aside))) continue
    if (!(await linkOrCopy(join(dataDir, blobPath(hash)), aside))) missing.push(hash)
  }
  return missing
}

function* hashesIn(path: string, query: string): Generator<string> {
  const db = new SqliteDatabase(path, { readonly: true })
  try {
    const rows = db.prepare<[], { hash: string }>(query).iterate()
    for (const { hash } of rows) yield hash
  } finally {
    db.close()
  }
}

async function writeArchive(
  options: BackupOptions,
  staging: string,
  half: string,
): Promise<Omit<BackupResult, 'missing'>> {
  const { dataDir, now } = options
  const archive = await open(half, 'wx', 0o600)
  try {
    const tar = new TarWriter(archive, now())
    const checksum = createHash('sha256')
    const bytes = await tar.addFile(dataFolder.database, join(staging, dataFolder.database), (chunk) =>
      checksum.update(chunk),
    )
    const secret = options.secretKey ?? (await readFile(join(dataDir, dataFolder.secret), 'utf8')).trim()
    if (options.secretKey === undefined) await tar.addBytes(dataFolder.secret, Buffer.from(`${secret}\n`))
    const files = options.withFiles ? await addFiles(tar, staging) : { count: 0, bytes: 0 }
    const manifest: Manifest = {
      format: 1,
      created_at: new Date(now()).toISOString(),
      migrations: migrationsIn(join(staging, dataFolder.database)),
      database: { bytes, sha256: checksum.digest('hex') },
      files,
      secret_check: secretCheck(secret),
    }
    await tar.addBytes(MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
    await tar.end()
    await archive.sync()
    return { bytes: (await archive.stat()).size, files: files.count }
  } finally {
    await archive.close()
  }
}

/** Of requests under way there may be a row without its file; they end before a restore. */
async function addFiles(tar: TarWriter, staging: string): Promise<{ count: number; bytes: number }> {
  let [count, bytes] = [0, 0]
  for (const hash of hashesIn(join(staging, dataFolder.database), 'select hash from blobs')) {
    const path = join(staging, 'blobs', hash)
    if (await isMissing(path)) continue
    bytes += await tar.addFile(blobPath(hash), path)
    count++
  }
  return { count, bytes }
}

function migrationsIn(path: string): string[] {
  const db = new SqliteDatabase(path, { readonly: true })
  try {
    const rows = db.prepare<[], { name: string }>('select name from schema_migrations order by name').all()
    return rows.map((row) => row.name)
  } finally {
    db.close()
  }
}

async function linkAll(from: string, to: string): Promise<void> {
  if (await isMissing(from)) return
  for await (const folder of await opendir(from)) {
    if (!/^[0-9a-f]{2}$/.test(folder.name)) continue
    for await (const file of await opendir(join(from, folder.name)))
      if (isHash(file.name)) await linkOrCopy(join(from, folder.name, file.name), join(to, file.name))
  }
}

/** False when the file is gone. */
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    // Some file systems know no links.
    if (!['EPERM', 'ENOTSUP', 'EXDEV', 'EMLINK', 'ENOSYS'].includes(code ?? '')) throw error
    return copyFile(from, to).then(
      () => true,
      (failure: NodeJS.ErrnoException) => {
        if (failure.code === 'ENOENT') return false
        throw failure
      },
    )
  }
  return true
}

/** Removes what backups that were killed left in the data folder, and archives that they left unfinished elsewhere. */
export async function removeLeftovers(
  dataDir: string,
  archives: readonly string[],
  nowMs: number,
): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await removeOld(dataDir, (name) => name.startsWith(STAGING), nowMs - ABANDONED_MS)
  for (const folder of new Set([dataDir, ...archives]))
    await removeOld(folder, (name) => PARTIAL.test(name), nowMs - UNFINISHED_MS)
}

async function removeOld(
  folder: string,
  isMeant: (name: string) => boolean,
  beforeMs: number,
): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const path of names.filter(isMeant).map((name) => join(folder, name))) {
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && found.mtimeMs < beforeMs) await rm(path, { recursive: true, force: true })
  }
}

function isMissing(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    () => true,
  )
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

export const MANIFEST = 'manifest.json'

/** Written last: an archive that has it is whole. */
export interface Manifest {
  readonly format: 1
  readonly created_at: string
  /** What the schema was at: an older Waymark must not start on it. */
  readonly migrations: readonly string[]
  readonly database: { readonly bytes: number; readonly sha256: string }
  readonly files: { readonly count: number; readonly bytes: number }
  /** Tells whether a secret is the one that the data was sealed with, without telling it. */
  readonly secret_check: string
}

export const blobPath = (hash: string): string => `${dataFolder.blobs}/${hash.slice(0, 2)}/${hash}`

/** The hash in the name of a file in an archive; undefined when it is none. */
export function blobOf(name: string): string | undefined {
  const hash = name.slice(-64)
  return isHash(hash) && name === blobPath(hash) ? hash : undefined
}

export const secretCheck = (secret: string): string => createSecrets(secret).hash('backup', 'check')

/** Files that something other than a request under way refers to: those that must be there. */
export const KEPT_FILES = `select distinct hash from blob_refs where owner not like 'pending:%'`
