import { randomUUID } from 'node:crypto'
import { access, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '../../work/times.ts'
import { dataFolder } from '../data-folder.ts'
import { makePrivateFolder } from '../db/private-folder.ts'
import { type Blobs, type ByteRange, isHash } from './blobs.ts'

/** Writing a file takes moments; a half-written file of this age belongs to a dead process. */
const ABANDONED_MS = HOUR_MS

/** `blobs/<first two digits>/<hash>`; half-written files stay in `blobs/incoming` until they are renamed. */
export async function openFileBlobs(dataDir: string, now: () => number = Date.now): Promise<Blobs> {
  const root = join(dataDir, dataFolder.blobs)
  const incoming = join(root, 'incoming')
  await makePrivateFolder(incoming)
  await removeAbandoned(incoming, now() - ABANDONED_MS)
  const folderOf = (hash: string): string => join(root, hash.slice(0, 2))
  const pathOf = (hash: string): string => join(folderOf(hash), hash)
  return {
    async put(hash, bytes) {
      if (!isHash(hash)) throw new Error('A blob is named by its hash')
      const folder = folderOf(hash)
      if (await isMissing(folder)) {
        await makePrivateFolder(folder)
        await syncFolder(root)
      }
      const half = join(incoming, randomUUID())
      await writeSynced(half, bytes)
      await rename(half, pathOf(hash))
      await syncFolder(folder)
    },
    async get(hash, range) {
      if (!isHash(hash)) return undefined
      const path = pathOf(hash)
      return (range === undefined ? readFile(path) : readRange(path, range)).catch(undefinedIfMissing)
    },
    async has(hash) {
      return isHash(hash) && !(await isMissing(pathOf(hash)))
    },
    async remove(hash) {
      if (isHash(hash)) await rm(pathOf(hash), { force: true })
    },
    async *list() {
      for await (const folder of await opendir(root)) {
        if (!/^[0-9a-f]{2}$/.test(folder.name)) continue
        for await (const file of await opendir(join(root, folder.name)))
          if (isHash(file.name)) yield file.name
      }
    },
    close: () => Promise.resolve(),
  }
}

async function readRange(path: string, { from, length }: ByteRange): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - from)))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
    if (bytesRead < bytes.length) throw new Error('A stored file could not be read whole')
    return bytes
  } finally {
    await file.close()
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** A rename survives a crash only if its folder is flushed, too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function removeAbandoned(incoming: string, before: number): Promise<void> {
  for await (const file of await opendir(incoming)) {
    const path = join(incoming, file.name)
    const found = await stat(path).catch(undefinedIfMissing)
    if (found !== undefined && found.mtimeMs < before) await rm(path, { force: true })
  }
}

async function isMissing(path: string): Promise<boolean> {
  return access(path).then(
    () => false,
    (error: unknown) => undefinedIfMissing(error) === undefined,
  )
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
