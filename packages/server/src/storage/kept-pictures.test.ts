import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { testServices } from '../modules/testing.ts'
import { forEachDatabase } from './db/testing.ts'
import { KeptPictures } from './kept-pictures.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-kept-'))
  folders.push(folder)
  return folder
}

describe('kept pictures', () => {
  it('are returned as they were put, by every process on the folder', async () => {
    const folder = newFolder()
    await new KeptPictures(folder).put('a-1.svg', Buffer.from('<svg/>'))
    const other = new KeptPictures(folder)
    expect(String(await other.get('a-1.svg'))).toBe('<svg/>')
    expect([await other.has('a-1.svg'), await other.has('a-2.svg'), await other.get('a-2.svg')]).toEqual([
      true,
      false,
      undefined,
    ])
  })

  it('have names that cannot leave the folder', async () => {
    const kept = new KeptPictures(newFolder())
    for (const name of ['../secret.key', 'a/b.svg', '', 'a.txt']) {
      expect(await kept.get(name)).toBeUndefined()
      await expect(kept.put(name, Buffer.alloc(1))).rejects.toThrow('not the name of a picture')
    }
  })

  it('that cannot be written are not kept', async () => {
    const file = join(newFolder(), 'a-file')
    writeFileSync(file, '')
    const kept = new KeptPictures(file)
    await kept.put('a-1.svg', Buffer.alloc(1))
    expect(await kept.get('a-1.svg')).toBeUndefined()
  })

  it('never take more than their room: those that were used least recently are removed first', async () => {
    const folder = newFolder()
    const kept = new KeptPictures(folder, 1_000)
    for (const [at, name] of ['old.svg', 'older.svg', 'new.svg'].entries()) {
      await kept.put(name, Buffer.alloc(400))
      const usedAt = [200, 100, 300][at] ?? 0
      utimesSync(join(folder, 'pictures', name), usedAt, usedAt)
    }
    await kept.sweep()
    expect(readdirSync(join(folder, 'pictures')).toSorted()).toEqual(['new.svg', 'old.svg'])
  })
})

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)

  it('of codes that were erased or changed, and of erased uploads, are removed', async () => {
    const { core } = services()
    const kept = new KeptPictures(newFolder())
    const user = await services().newUser()
    const { uuid, version } = await insertCode(user)
    const staged = await core.blobs.stage(Buffer.from(crypto.randomUUID()))
    const [used, erased] = [staged.hash, 'f'.repeat(64)]
    const present = [`${uuid}-${version}.svg`, `${used}-480.webp`, `${used}-shared.jpg`]
    const gone = [`${uuid}-old.svg`, `${crypto.randomUUID()}-${version}.png`, `${erased}-480.webp`]
    for (const name of [...present, ...gone]) await kept.put(name, Buffer.alloc(1))
    await kept.removeUnused(core.db)
    expect(await Promise.all(present.map((name) => kept.has(name)))).toEqual(present.map(() => true))
    expect(await Promise.all(gone.map((name) => kept.has(name)))).toEqual(gone.map(() => false))
  })

  const insertCode = async (user: string) => {
    const { modules } = services()
    const drawn = await modules.barcodes.service.draw({ url: 'https://example.com/' })
    const { uuid } = await modules.barcodes.service.create(user, undefined, drawn)
    const row = await modules.barcodes.store.findPublic(uuid)
    return { uuid, version: row?.version ?? '' }
  }
})
