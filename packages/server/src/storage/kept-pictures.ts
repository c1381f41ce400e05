import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolder } from './data-folder.ts'
import { chunksOf, type Reads } from './db/database.ts'

const MIB = 1024 * 1024
const MAX_BYTES = 512 * MIB
/** A picture that was served within this time is not marked as used again. */
const USED_MS = 86_400_000
/** Half-written files of this age belong to a process that has died. */
const STALE_MS = 3_600_000
/** Pictures whose owners are looked up with one statement. */
const CHECKED_AT_ONCE = 200
const NAME = /^[0-9a-z_.-]+\.(?:svg|png|webp|avif|jpg)$/i

/**
 * Pictures that were drawn or resized before, as files in the data folder: the visitors' half serves them, the API half makes
 * them. Names include the version of what is drawn, so a file is never outdated. Any of them can be made again.
 */
export class KeptPictures {
  readonly #folder: string
  readonly #maxBytes: number
  #written = 0

  constructor(dataDir: string, maxBytes = MAX_BYTES) {
    this.#folder = join(dataDir, dataFolder.pictures)
    this.#maxBytes = maxBytes
  }

  async get(name: string): Promise<Buffer | undefined> {
    if (!NAME.test(name)) return undefined
    const path = join(this.#folder, name)
    const bytes = await readFile(path).catch(() => undefined)
    if (bytes !== undefined) void markUsed(path)
    return bytes
  }

  /** Whether there is such a picture, without reading it. */
  async has(name: string): Promise<boolean> {
    return NAME.test(name) && (await stat(join(this.#folder, name)).catch(() => undefined)) !== undefined
  }

  /** Keeps a picture. One that cannot be written is made again next time. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    if (!NAME.test(name)) throw new Error(`${name} is not the name of a picture`)
    const temporary = join(this.#folder, `${crypto.randomUUID()}.tmp`)
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await writeFile(temporary, bytes, { mode: 0o600 })
      await rename(temporary, join(this.#folder, name))
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined)
      return
    }
    this.#written += bytes.length
    // Between two rounds of `sweep`, which leaves some room.
    if (this.#written > this.#maxBytes / 10) await this.sweep()
  }

  /** Removes the pictures that were not served for the longest time, until there is room again. */
  async sweep(): Promise<void> {
    this.#written = 0
    const files: { path: string; bytes: number; usedMs: number }[] = []
    for (const name of await this.#names()) {
      const path = join(this.#folder, name)
      const found = await stat(path).catch(() => undefined)
      if (found === undefined) continue
      if (NAME.test(name)) files.push({ path, bytes: found.size, usedMs: found.mtimeMs })
      else if (Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true })
    }
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total <= this.#maxBytes) return
    for (const { path, bytes } of files.toSorted((a, b) => a.usedMs - b.usedMs)) {
      if (total <= this.#maxBytes * 0.8) return
      await rm(path, { force: true })
      total -= bytes
    }
  }

  /** Removes the pictures of what has been erased or changed: what is deleted must not stay on the disk. */
  async removeUnused(db: Reads, signal?: AbortSignal): Promise<void> {
    for (const names of chunksOf(
      (await this.#names()).filter((name) => NAME.test(name)),
      CHECKED_AT_ONCE,
    )) {
      if (signal?.aborted === true) return
      const used = await usedOf(db, names)
      for (const name of names) if (!used.has(name)) await rm(join(this.#folder, name), { force: true })
    }
  }

  async #names(): Promise<string[]> {
    return readdir(this.#folder).catch(() => [])
  }
}

/** `uuid-version.svg` of a code, or `hash-width.webp` of an upload. */
const OF_CODE = /^([0-9a-f-]{36})-([0-9a-z]+)\.(?:svg|png)$/i
const OF_UPLOAD = /^([0-9a-f]{64})-/

/** Those of the pictures that still belong to something. */
async function usedOf(db: Reads, names: readonly string[]): Promise<Set<string>> {
  const uuids = names.flatMap((name) => OF_CODE.exec(name)?.[1] ?? [])
  const hashes = names.flatMap((name) => OF_UPLOAD.exec(name)?.[1] ?? [])
  const known = new Set<string>()
  if (uuids.length > 0)
    for (const table of ['qrcodes', 'barcodes'] as const)
      for (const { uuid, version } of await db.sql
        .selectFrom(table)
        .select(['uuid', 'version'])
        .where('uuid', 'in', uuids)
        .execute())
        known.add(`${uuid}-${version}`)
  if (hashes.length > 0)
    for (const { hash } of await db.sql
      .selectFrom('blobs')
      .select('hash')
      .where('hash', 'in', hashes)
      .execute())
      known.add(hash)
  const isUsed = (name: string): boolean =>
    known.has(name.replace(/\.[a-z]+$/, '')) || known.has(OF_UPLOAD.exec(name)?.[1] ?? '')
  return new Set(names.filter(isUsed))
}

async function markUsed(path: string): Promise<void> {
  try {
    const now = Date.now()
    if (now - (await stat(path)).mtimeMs > USED_MS) await utimes(path, now / 1000, now / 1000)
  } catch {
    // It was removed meanwhile.
  }
}
