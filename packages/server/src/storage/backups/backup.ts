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
  /** Undefined: the database is SQLite in the data folder. */
  readonly databaseUrl: string | undefined
  readonly file: string
  /** From the environment; undefined: it is stored in the data folder and becomes part of the backup. */
  readonly secretKey: string | undefined
  /** False: files are in a bucket, which is backed up separately. */
  readonly withFiles: boolean
  readonly now: () => number
}

export interface BackupResult {
  readonly bytes: number
  readonly files: number
  /** Names of files that the database refers to but that do not exist. */
  readonly missing: readonly string[]
}

const TRIES = 10
const STAGING = 'backup-'
const ABANDONED_MS = DAY_MS
/** Leaves out unfinished archives, which change while they are written. */
const PARTIAL = /^\.(?:[0-9a-f-]{36}|waymark-[\dTZ-]+\.tar)\.partial$/
const UNFINISHED_MS = 10 * 60_000

/**
 * Writes an archive of the data while the service runs. Files are linked before the database is copied, and new ones again
 * afterwards, so that the archive has every file that the copy refers to. It always contains the database as an SQLite
 * file, so it can be verified anywhere and restored into either engine. It does not contain the spool, which is the only
 * place with visitor addresses, nor the salts of visitor numbers.
 */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const { dataDir, now } = options
  if (options.databaseUrl === undefined && (await isMissing(join(dataDir, dataFolder.database))))
    throw new OperatorError(`there is no database in ${dataDir}: nothing to back up`)
  const target = resolve(options.file)
  // Check this before copying the database, which may take long.
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
 * Copies the database and links new files. Repeats if a file was added and deleted before it could be linked: its row is
 * then gone, too. Returns the files that are missing although the next copy refers to them as well.
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
    // Loaded only when needed, to save memory.
    const { copyPostgres } = await import('./postgres-copy.ts')
    return copyPostgres(databaseUrl, staging)
  }
  const copy = join(staging, dataFolder.database)
  const source = new SqliteDatabase(join(dataDir, dataFolder.database), { timeout: 10_000 })
  try {
    // A single read transaction. Unlike a copy by pages, it leaves out deleted data.
    source.prepare('vacuum into ?').run(copy)
  } finally {
    source.close()
  }
  forgetVisitors(copy)
}

/** Overwrites the salts: deleted rows would stay readable in the file's free pages. */
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

/** Links files that were added after the first pass; returns missing ones. */
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

/** A request in progress may have a row but no file yet. It does not survive a restore. */
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

/** Returns false if the file no longer exists. */
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    // Some file systems do not support links.
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

/** Removes leftovers of killed backups from the data folder, and their unfinished archives. */
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

/** Written last: an archive with a manifest is complete. */
export interface Manifest {
  readonly format: 1
  readonly created_at: string
  /** The migrations of the schema: an older version must not start on it. */
  readonly migrations: readonly string[]
  readonly database: { readonly bytes: number; readonly sha256: string }
  readonly files: { readonly count: number; readonly bytes: number }
  /** Shows whether a secret is the one that the data was encrypted with, without revealing it. */
  readonly secret_check: string
}

export const blobPath = (hash: string): string => `${dataFolder.blobs}/${hash.slice(0, 2)}/${hash}`

/** The hash in a file name of the archive; undefined for other names. */
export function blobOf(name: string): string | undefined {
  const hash = name.slice(-64)
  return isHash(hash) && name === blobPath(hash) ? hash : undefined
}

export const secretCheck = (secret: string): string => createSecrets(secret).hash('backup', 'check')

/** Files with a reference other than from a request in progress. These must exist. */
export const KEPT_FILES = `select distinct hash from blob_refs where owner not like 'pending:%'`
