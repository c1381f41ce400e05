import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isUnavailable } from '../db/unavailable.ts'
import { askServices } from '../db/testing.ts'
import { openBlobs } from './open.ts'
import { openFileBlobs } from './files.ts'
import { hashInTurns, hashOf } from './blobs.ts'
import { allHashes, forEachBlobs } from './testing.ts'

const picture = crypto.getRandomValues(new Uint8Array(60_000))
const hash = hashOf(picture)

forEachBlobs((_name, open) => {
  it('returns what was stored, byte for byte', async () => {
    const blobs = await open()
    await blobs.put(hash, picture)
    expect(Buffer.from((await blobs.get(hash)) ?? []).equals(picture)).toBe(true)
    expect(await blobs.has(hash)).toBe(true)
  })

  it('reads a range of a file, up to its end', async () => {
    const blobs = await open()
    await blobs.put(hash, picture)
    const part = async (from: number, length: number) =>
      Buffer.from((await blobs.get(hash, { from, length })) ?? 'nothing')
    expect(await part(0, 10)).toEqual(Buffer.from(picture.subarray(0, 10)))
    expect(await part(59_990, 100)).toEqual(Buffer.from(picture.subarray(59_990)))
    expect(await part(60_000, 100)).toHaveLength(0)
    expect(await blobs.get(hashOf(Buffer.of()), { from: 0, length: 1 })).toBeUndefined()
  })

  it('names large files by the same hash as small ones', async () => {
    const large = crypto.getRandomValues(new Uint8Array(60_000)).buffer.transfer(1_500_000)
    for (const bytes of [new Uint8Array(large), picture, new Uint8Array()])
      expect(await hashInTurns(bytes)).toBe(hashOf(bytes))
  })

  it('stores an empty file', async () => {
    const blobs = await open()
    const empty = hashOf(new Uint8Array())
    await blobs.put(empty, new Uint8Array())
    expect(await blobs.get(empty)).toHaveLength(0)
  })

  it('does not find files that were never stored', async () => {
    const blobs = await open()
    expect(await blobs.get(hash)).toBeUndefined()
    expect(await blobs.has(hash)).toBe(false)
  })

  it('accepts the same file many times at once', async () => {
    const blobs = await open()
    await Promise.all([1, 2, 3, 4].map(() => blobs.put(hash, picture)))
    expect(await allHashes(blobs)).toEqual([hash])
  })

  it('removes files, and accepts that a file no longer exists', async () => {
    const blobs = await open()
    await blobs.put(hash, picture)
    await blobs.remove(hash)
    await blobs.remove(hash)
    expect(await blobs.has(hash)).toBe(false)
    expect(await allHashes(blobs)).toEqual([])
  })

  it('lists every file', async () => {
    const blobs = await open()
    const texts = Array.from({ length: 25 }, (_, n) => Buffer.from(`file ${n}`))
    await Promise.all(texts.map((text) => blobs.put(hashOf(text), text)))
    expect(await allHashes(blobs)).toEqual(texts.map(hashOf).sort())
  })

  it.each(['', '..', '../../waymark.db', `${hash}/../x`, hash.toUpperCase(), `${hash}\n`])(
    'takes %j for no name',
    async (name) => {
      const blobs = await open()
      expect(await blobs.get(name)).toBeUndefined()
      expect(await blobs.has(name)).toBe(false)
      await blobs.remove(name)
      await expect(blobs.put(name, picture)).rejects.toThrow('hash')
    },
  )
})

describe('files', () => {
  it('are accessible only by their owner', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'waymark-blobs-'))
    const blobs = await openBlobs({ url: undefined, dataDir })
    await blobs.put(hash, picture)
    const folder = join(dataDir, 'blobs', hash.slice(0, 2))
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, hash))).mode & 0o777).toBe(0o600)
    expect(await readdir(join(dataDir, 'blobs', 'incoming'))).toEqual([])
    await rm(dataDir, { recursive: true })
  })

  it('left half-written by a dead process are removed, but only when they are old enough', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'waymark-blobs-'))
    const incoming = join(dataDir, 'blobs', 'incoming')
    await mkdir(incoming, { recursive: true })
    for (const name of ['old', 'new']) await writeFile(join(incoming, name), 'half')
    const now = Date.now()
    await utimes(join(incoming, 'old'), now / 1000 - 4000, now / 1000 - 4000)
    await openFileBlobs(dataDir, () => now)
    expect(await readdir(incoming)).toEqual(['new'])
    await rm(dataDir, { recursive: true })
  })
})

describe('s3', () => {
  it('is unavailable while its server is down, and recovers', async () => {
    const own = await askServices('own/s3')
    const blobs = await openBlobs({ url: own['url'], dataDir: '' })
    await blobs.put(hash, picture)
    await askServices(`own/${own['id']}/halt`)
    for (const attempt of [() => blobs.get(hash), () => blobs.put(hash, picture), () => blobs.remove(hash)]) {
      expect(isUnavailable(await attempt().catch((error: unknown) => error))).toBe(true)
    }
    await askServices(`own/${own['id']}/resume`)
    expect(await blobs.has(hash)).toBe(true)
    await askServices(`own/${own['id']}/stop`)
  })

  it('requires a bucket in its URL', async () => {
    await expect(openBlobs({ url: 'https://a:b@example.com/', dataDir: '' })).rejects.toThrow('bucket')
  })
})
