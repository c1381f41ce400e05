import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { OperatorError } from '../../net/errors.ts'
import { dataFolder } from '../data-folder.ts'
import { SchemaTooNewError } from '../db/migrator.ts'
import { makePrivateFolder } from '../db/private-folder.ts'
import { blobOf, blobPath, KEPT_FILES, MANIFEST, type Manifest, secretCheck } from './backup.ts'
import { BrokenArchiveError, readTar, type TarEntry } from './tar.ts'

export interface RestoreOptions {
  readonly file: string
  readonly dataDir: string
  /** The target PostgreSQL database, which must be empty; undefined: SQLite in the data folder. */
  readonly databaseUrl: string | undefined
  readonly secretKey: string | undefined
  readonly withFiles: boolean
  /** Replaces existing data. */
  readonly force: boolean
  /** The names of the migrations that this version knows. */
  readonly known: readonly string[]
}

export interface RestoreResult {
  readonly created_at: string
  readonly files: number
  /** Names of files that the database refers to but that the backup does not contain. */
  readonly missing: readonly string[]
}

/** Entries that a folder may have and still count as empty. */
const HARMLESS = new Set(['cache', 'lost+found'])
const MANIFEST_MAX_BYTES = 1024 * 1024

/** Unpacks an archive beside the data, checks every byte of it, and only then moves it into place. */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { dataDir } = options
  await makePrivateFolder(dataDir)
  const present = (await readdir(dataDir)).filter((name) => !HARMLESS.has(name))
  if (present.length > 0 && !options.force)
    throw new OperatorError(`${dataDir} is not empty; --force replaces its content`)
  if (present.includes(dataFolder.database)) rejectIfInUse(join(dataDir, dataFolder.database))
  const unpacked = join(dataDir, `restore-${randomUUID()}`)
  await makePrivateFolder(unpacked)
  try {
    const manifest = await unpack(options, unpacked)
    const missing = check(options, unpacked)
    const { created_at } = manifest
    if (options.databaseUrl === undefined) {
      await putInPlace(unpacked, dataDir, [dataFolder.blobs, dataFolder.secret, dataFolder.database])
    } else {
      const { restoreIntoPostgres } = await import('./postgres-copy.ts')
      const name = `backup ${created_at} ${manifest.database.sha256}`
      await restoreIntoPostgres(unpacked, options.databaseUrl, name, () =>
        putInPlace(unpacked, dataDir, [dataFolder.blobs]),
      )
    }
    return { created_at, files: manifest.files.count, missing }
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}

/** Every process that has the database open holds a lock that conflicts with this one. */
function rejectIfInUse(path: string): void {
  const db = new SqliteDatabase(path, { timeout: 0 })
  try {
    db.pragma('locking_mode = exclusive')
    db.exec('begin exclusive; rollback')
  } catch (error) {
    if (!(error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY'))) throw error
    throw new OperatorError('Waymark is running on this folder: stop it first')
  } finally {
    db.close()
  }
}

async function unpack({ file, known, ...options }: RestoreOptions, to: string): Promise<Manifest> {
  const archive = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${file} cannot be read (${error.code})`)
  })
  try {
    const found = { database: '', secret: options.secretKey, files: 0 }
    for await (const entry of readTar(archive)) {
      if (entry.name === MANIFEST) {
        const manifest = await readManifest(entry, known)
        compare(manifest, found, options.withFiles)
        return manifest
      }
      await unpackOne(entry, to, found)
    }
    throw new OperatorError(`${file} is incomplete: its end is missing`)
  } catch (error) {
    if (error instanceof BrokenArchiveError) throw new OperatorError(`${file} is broken: ${error.message}`)
    // A folder can be opened, but not read.
    const { syscall, code } = error as NodeJS.ErrnoException
    if (syscall === 'read') throw new OperatorError(`${file} cannot be read (${code})`)
    throw error
  } finally {
    await archive.close()
  }
}

interface Found {
  database: string
  secret: string | undefined
  files: number
}

async function unpackOne(entry: TarEntry, to: string, found: Found): Promise<void> {
  const hash = blobOf(entry.name)
  if (entry.name !== dataFolder.database && entry.name !== dataFolder.secret && hash === undefined)
    throw new BrokenArchiveError(`${JSON.stringify(entry.name)} does not belong in a backup`)
  const checksum = await writeOut(entry, join(to, entry.name))
  if (hash !== undefined) {
    if (checksum !== hash) throw new BrokenArchiveError(`${entry.name} is damaged: its checksum differs`)
    found.files++
  }
  if (entry.name === dataFolder.database) found.database = checksum
  // A configured secret takes precedence, as at the start: it must be correct even if the archive contains one.
  if (entry.name === dataFolder.secret) found.secret ??= (await bytesOf(entry)).toString('utf8').trim()
}

async function writeOut(entry: TarEntry, path: string): Promise<string> {
  await makePrivateFolder(dirname(path))
  const checksum = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of entry.read()) {
      checksum.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return checksum.digest('hex')
}

async function bytesOf(entry: TarEntry): Promise<Buffer> {
  if (entry.size > MANIFEST_MAX_BYTES) throw new BrokenArchiveError(`${entry.name} is too large`)
  const parts: Buffer[] = []
  for await (const part of entry.read()) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

async function readManifest(entry: TarEntry, known: readonly string[]): Promise<Manifest> {
  const manifest = JSON.parse((await bytesOf(entry)).toString('utf8')) as Manifest
  if (manifest.format !== 1) throw new OperatorError('this backup was written by a newer Waymark')
  const unknown = manifest.migrations.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new SchemaTooNewError(unknown)
  return manifest
}

function compare(manifest: Manifest, found: Found, withFiles: boolean): void {
  if (found.database !== manifest.database.sha256)
    throw new BrokenArchiveError('the database is damaged: its checksum differs')
  if (found.files !== manifest.files.count) throw new BrokenArchiveError('files are missing')
  if (found.secret === undefined)
    throw new OperatorError('this backup needs the SECRET_KEY that was set when it was created')
  if (secretCheck(found.secret) !== manifest.secret_check)
    throw new OperatorError('SECRET_KEY is not the one that this backup was created with')
  if (manifest.files.count > 0 && !withFiles)
    throw new OperatorError('this backup holds files, but S3_URL says that they are in a bucket')
}

/** Checks the database; returns the missing files that it refers to. */
function check({ withFiles }: RestoreOptions, unpacked: string): string[] {
  const db = new SqliteDatabase(join(unpacked, dataFolder.database), { readonly: true })
  try {
    const [verdict] = db.pragma('quick_check(1)', { simple: false }) as { quick_check: string }[]
    if (verdict?.quick_check !== 'ok') throw new OperatorError('the database in the backup is damaged')
    if (!withFiles) return []
    const hashes = db.prepare<[], string>(KEPT_FILES).pluck().all()
    return hashes.filter((hash) => !existsSync(join(unpacked, blobPath(hash))))
  } finally {
    db.close()
  }
}

async function putInPlace(unpacked: string, dataDir: string, names: readonly string[]): Promise<void> {
  const sidecars = [`${dataFolder.database}-wal`, `${dataFolder.database}-shm`, dataFolder.usedSignatures]
  for (const name of [...(names.includes(dataFolder.database) ? sidecars : []), ...names.toReversed()])
    await rm(join(dataDir, name), { recursive: true, force: true })
  for (const name of names)
    if (await isThere(join(unpacked, name))) await rename(join(unpacked, name), join(dataDir, name))
  const folder = await open(dataDir, 'r')
  await folder.sync()
  await folder.close()
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** The contents of a backup. */
export interface Verified {
  readonly created_at: string
  readonly files: number
  /** Names of files that the database refers to but that the backup does not contain. */
  readonly missing: readonly string[]
  readonly accounts: number
  readonly links: number
}

const COUNTS = `select (select count(*) from users) as accounts, (select count(*) from links) as links`

/** Restores a backup into a temporary folder and checks the whole database. */
export async function verifyBackup(
  options: Omit<RestoreOptions, 'databaseUrl' | 'force'>,
): Promise<Verified> {
  const folder = join(options.dataDir, `backup-verify-${randomUUID()}`)
  try {
    const trial = { ...options, dataDir: folder, databaseUrl: undefined, force: false }
    const { created_at, files, missing } = await restore(trial)
    const db = new SqliteDatabase(join(folder, dataFolder.database))
    try {
      const verdict = db.pragma('integrity_check(1)', { simple: true })
      const orphans = db.pragma('foreign_key_check') as unknown[]
      if (verdict !== 'ok' || orphans.length > 0)
        throw new OperatorError(`the database in the backup is damaged: ${String(verdict)}`)
      const counts = db.prepare<[], { accounts: number; links: number }>(COUNTS).get()
      return { created_at, files, missing, accounts: counts?.accounts ?? 0, links: counts?.links ?? 0 }
    } finally {
      db.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
