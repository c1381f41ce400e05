import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { decodeFrames, FILE_HEADER } from './record.ts'
import type { Click } from './record.ts'
import { listSpoolFiles, tryLock } from './spool-folder.ts'
import { Spool } from './spool.ts'
import type { SpoolOptions } from './spool.ts'

const root = mkdtempSync(join(tmpdir(), 'waymark-spool-'))
let folder = ''

const click = (n: number): Click => ({
  atMs: n,
  kind: 'link',
  resourceUuid: '019a0000-0000-7000-8000-000000000001',
  detail: '',
  address: '203.0.113.9',
  userAgent: 'Mozilla/5.0',
  referrer: '',
  prefetch: false,
})

function open(options: Partial<SpoolOptions> = {}): Spool {
  const spool = new Spool({ folder, owner: randomUUID(), rotateMs: 60_000, ...options })
  onTestFinished(() => {
    spool.close()
    spool.release()
  })
  return spool
}

const written = (spool: Spool) => new Promise<void>((resolve) => spool.afterWrite(resolve))

function spooled(): number[] {
  return listSpoolFiles(folder).flatMap(({ name }) => {
    const bytes = readFileSync(join(folder, name))
    expect(bytes.subarray(0, FILE_HEADER.length)).toEqual(FILE_HEADER)
    return decodeFrames(bytes.subarray(FILE_HEADER.length), 1e6).clicks.map(({ atMs }) => atMs)
  })
}

beforeEach(() => {
  folder = join(root, randomUUID())
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('Spool', () => {
  test('writes the clicks of one turn at once, before any response', async () => {
    let writes = 0
    const spool = open({
      write: (fd, bytes, length, position) => {
        if (length !== FILE_HEADER.length) writes++
        return writeSync(fd, bytes, 0, length, position)
      },
    })
    const seenByEffects: number[][] = []
    for (let n = 1; n <= 100; n++) {
      spool.append(click(n))
      spool.afterWrite(() => seenByEffects.push(spooled()))
    }
    expect(spooled()).toEqual([])
    await written(spool)
    const all = Array.from({ length: 100 }, (_, i) => i + 1)
    expect(writes).toBe(1)
    expect(seenByEffects).toHaveLength(100)
    for (const seen of seenByEffects) expect(seen).toEqual(all)
    expect(spool.status()).toEqual({
      ok: true,
      fault: null,
      writtenClicks: 100,
      heldClicks: 0,
      lostClicks: 0,
    })
  })

  test('creates files that only the owner can read', async () => {
    const spool = open()
    spool.append(click(1))
    await written(spool)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const { name } of listSpoolFiles(folder))
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  test('begins a new file when one is full without losing clicks', async () => {
    const spool = open({ rotateBytes: 500 })
    for (let n = 1; n <= 20; n++) {
      spool.append(click(n))
      await written(spool)
    }
    expect(listSpoolFiles(folder).length).toBeGreaterThan(2)
    expect(spooled()).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  })

  test('responds while the folder is not writable, and writes the clicks in memory afterwards', async () => {
    const faults: (string | undefined)[] = []
    writeFileSync(folder, 'in the way')
    const spool = open({ onFault: (fault) => faults.push(fault?.message) })
    for (let n = 1; n <= 3; n++) {
      spool.append(click(n))
      await written(spool)
    }
    expect(spool.status()).toMatchObject({ ok: false, writtenClicks: 0, heldClicks: 3, lostClicks: 0 })
    expect(faults).toEqual([expect.stringMatching(/EEXIST|ENOTDIR/)])
    rmSync(folder)
    await expect
      .poll(() => {
        spool.append(click(4))
        return spool.status().ok
      })
      .toBe(true)
    expect(spooled().slice(0, 4)).toEqual([1, 2, 3, 4])
    expect(faults.slice(1)).toEqual([undefined])
  })

  test('drops and counts clicks that do not fit in memory', async () => {
    writeFileSync(folder, 'in the way')
    const spool = open({ heldBytes: 300 })
    for (let n = 1; n <= 100; n++) {
      spool.append(click(n))
      await written(spool)
    }
    const { heldClicks, lostClicks } = spool.status()
    expect(heldClicks).toBeGreaterThan(0)
    expect(heldClicks).toBeLessThan(10)
    expect(heldClicks + lostClicks).toBe(100)
    rmSync(folder)
  })

  test('leaves no partial frame when the disk fills up during a write', async () => {
    let room = true
    const spool = open({
      write: (fd, bytes, length, position) =>
        writeSync(fd, bytes, 0, room ? length : Math.floor(length / 2), position),
    })
    spool.append(click(1))
    await written(spool)
    room = false
    spool.append(click(2))
    spool.append(click(3))
    await written(spool)
    expect(spool.status().ok).toBe(false)
    expect(spooled()).toEqual([1])
    room = true
    await expect
      .poll(() => {
        spool.append(click(4))
        return spool.status().ok
      })
      .toBe(true)
    expect(spooled().slice(0, 4)).toEqual([1, 2, 3, 4])
  })

  test('with sync, visitors wait for the disk, and files are rotated', async () => {
    const spool = open({ sync: true, rotateBytes: 500 })
    const answered: number[] = []
    for (let n = 1; n <= 20; n++) {
      spool.append(click(n))
      spool.afterWrite(() => {
        expect(spooled()).toContain(n)
        answered.push(n)
      })
      if (n % 3 === 0) await written(spool)
    }
    await written(spool)
    expect(answered).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    expect(listSpoolFiles(folder).length).toBeGreaterThan(2)
    spool.append(click(21))
    spool.close()
    expect(spooled()).toHaveLength(21)
  })

  test('keeps the files of two owners in one folder apart', async () => {
    const [one, other] = [open(), open()]
    for (let n = 1; n <= 10; n++) {
      one.append(click(n))
      other.append(click(100 + n))
      await Promise.all([written(one), written(other)])
    }
    expect(new Set(listSpoolFiles(folder).map(({ owner }) => owner))).toEqual(
      new Set([one.owner, other.owner]),
    )
    expect(spooled()).toHaveLength(20)
  })

  test('locks the owner from the first file until release', async () => {
    const spool = open()
    spool.append(click(1))
    await written(spool)
    expect(tryLock(folder, spool.owner)).toBeUndefined()
    spool.close()
    expect(tryLock(folder, spool.owner)).toBeUndefined()
    spool.release()
    const lock = tryLock(folder, spool.owner)
    expect(lock).toBeDefined()
    lock?.release()
  })
})
