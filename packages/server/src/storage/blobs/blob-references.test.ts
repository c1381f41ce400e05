import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '../db/database.ts'
import { forEachDatabase } from '../db/testing.ts'
import { UnavailableError } from '../db/unavailable.ts'
import { type Blobs, hashOf } from './blobs.ts'
import { BlobReferences } from './blob-references.ts'
import { allHashes, forEachBlobs } from './testing.ts'

const ELEVEN_MINUTES = 660_000
const USER = 'user-1'
const one = Buffer.from('one')
const two = Buffer.from('two')

forEachDatabase((_engine, openDb) => {
  forEachBlobs((_name, openStore) => {
    let db: Database
    let blobs: Blobs
    let now: number
    let references: BlobReferences
    const referencesOf = (store: Blobs, report?: (error: unknown) => void) =>
      new BlobReferences(db, store, { now: () => now, report })
    /** Waits only a moment for the removal of a dead process. */
    const impatient = () => new BlobReferences(db, blobs, { now: () => now, claimLapsesMs: 50 })

    async function refs(): Promise<string[]> {
      const rows = await db.sql.selectFrom('blob_refs').select('owner').orderBy('owner').execute()
      return rows.map(({ owner }) => owner.replace(/^pending:.*/, 'pending'))
    }

    async function rows(): Promise<string[]> {
      return (await db.sql.selectFrom('blobs').select('hash').execute()).map(({ hash }) => hash)
    }

    async function keep(bytes: Buffer, owner: string, by = references): Promise<void> {
      const staged = await by.stage(bytes)
      await db.write(() => by.adopt(staged, owner, { workspace: USER }))
    }

    beforeAll(async () => {
      db = await openDb()
    })

    beforeEach(async () => {
      await db.write(async () => {
        await db.sql.deleteFrom('blob_refs').execute()
        await db.sql.deleteFrom('blobs').execute()
      })
      blobs = await openStore()
      now = 1_700_000_000_000
      references = referencesOf(blobs)
    })

    it('hides but keeps a file whose owners are all in the trash', async () => {
      await keep(one, 'page:1')
      await keep(one, 'qrcode:1')
      const hidden = () => references.isHidden(hashOf(one))
      await db.write(() => references.hide(['page:1'], true))
      expect(await hidden()).toBe(false)
      await db.write(() => references.hide(['qrcode:1', 'qrcode:2'], true))
      expect([await hidden(), await references.isHidden(hashOf(two))]).toEqual([true, false])
      await references.discard(await references.stage(one))
      await db.write(() => references.release('page:1'))
      expect([await hidden(), await refs()]).toEqual([true, ['trash:qrcode:1']])
      await db.write(() => references.hide(['qrcode:1'], false))
      expect([await hidden(), await refs()]).toEqual([false, ['qrcode:1']])
      await references.settled()
      expect(Buffer.from((await references.get(hashOf(one))) ?? [])).toEqual(one)
    })

    it('hides a file from its release on, and while nothing has adopted it', async () => {
      const hidden = () => references.isHidden(hashOf(one))
      expect(await hidden()).toBe(false)
      const staged = await references.stage(one)
      expect(await hidden()).toBe(true)
      await db.write(() => references.adopt(staged, 'page:1', { workspace: USER }))
      expect(await hidden()).toBe(false)

      // The store does not answer, so that the removal stands for as long as this test looks.
      let goOn = (): void => undefined
      const halted = new Promise<void>((resolve) => (goOn = resolve))
      const removal = vi.spyOn(blobs, 'remove').mockReturnValue(halted)
      await db.write(() => references.release('page:1'))
      expect(await hidden()).toBe(true)
      await vi.waitFor(() => expect(removal).toHaveBeenCalled())
      expect([await hidden(), await refs()]).toEqual([true, ['pending']])
      goOn()
      removal.mockRestore()
      await references.settled()
      expect([await hidden(), await rows()]).toEqual([false, []])
    })

    it('keeps a file from staging to release', async () => {
      const staged = await references.stage(one, { width: 3, height: 4 })
      expect(staged.hash).toBe(hashOf(one))
      expect(await refs()).toEqual(['pending'])
      await db.write(() => references.adopt(staged, 'qrcode:1', { workspace: USER }))
      expect(await refs()).toEqual(['qrcode:1'])
      expect(await db.sql.selectFrom('blobs').selectAll().execute()).toEqual([
        { hash: staged.hash, bytes: 3, width: 3, height: 4, created_at: now },
      ])
      await db.write(() => references.release('qrcode:1'))
      await references.settled()
      expect([await refs(), await rows(), await allHashes(blobs)]).toEqual([[], [], []])
    })

    it('keeps a file as long as it has an owner', async () => {
      await keep(one, 'qrcode:1')
      await keep(one, 'qrcode:2')
      await db.write(() => references.release('qrcode:1'))
      await references.settled()
      expect(Buffer.from((await references.get(hashOf(one))) ?? []).toString()).toBe('one')
      await db.write(() => references.release('qrcode:2'))
      await references.settled()
      expect(await references.get(hashOf(one))).toBeUndefined()
    })

    it('releases some of the files of an owner', async () => {
      await keep(one, 'page:1')
      await keep(two, 'page:1')
      await db.write(() => references.release('page:1', []))
      await db.write(() => references.release('page:1', [hashOf(one)]))
      await references.settled()
      expect(await allHashes(blobs)).toEqual([hashOf(two)])
    })

    it('releases the files of a user in batches, except those with other owners', async () => {
      await keep(one, 'page:1')
      await keep(two, 'page:1')
      const staged = await references.stage(one)
      await db.write(() => references.adopt(staged, 'page:2', { workspace: 'user-2' }))
      const release = () => db.write(() => references.releaseAll({ workspace: USER }, 1))
      const released = [await release(), await release(), await release()]
      expect(released.map((hashes) => hashes.length)).toEqual([1, 1, 0])
      expect(released.flat().sort()).toEqual([hashOf(one), hashOf(two)].sort())
      await references.settled()
      expect(await allHashes(blobs)).toEqual([hashOf(one)])
    })

    it('removes nothing when the releasing write is rolled back', async () => {
      await keep(one, 'page:1')
      const failing = db.write(async () => {
        await references.release('page:1')
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      await references.settled()
      expect(await allHashes(blobs)).toEqual([hashOf(one)])
      expect(await refs()).toEqual(['page:1'])
    })

    it('forgets a discarded file, but not one that was adopted', async () => {
      const [kept, dropped] = [await references.stage(one), await references.stage(two)]
      await db.write(() => references.adopt(kept, 'page:1', { workspace: USER }))
      await references.discard(kept)
      await references.discard(dropped)
      await references.settled()
      expect(await allHashes(blobs)).toEqual([hashOf(one)])
    })

    it('discards a file that could not be written', async () => {
      const full = referencesOf({ ...blobs, put: () => Promise.reject(new Error('disk full')) })
      await expect(full.stage(one)).rejects.toThrow('disk full')
      await full.settled()
      expect([await refs(), await rows()]).toEqual([[], []])
    })

    it('never loses a file that is staged while it is swept', async () => {
      for (let round = 0; round < 10; round++) {
        await keep(one, 'page:old')
        const [staged] = await Promise.all([
          references.stage(one),
          db.write(() => references.release('page:old')),
          references.sweep(),
        ])
        await references.settled()
        await db.write(() => references.adopt(staged, 'page:new', { workspace: USER }))
        expect(await blobs.has(staged.hash)).toBe(true)
        await db.write(() => references.release('page:new'))
        await references.settled()
        expect(await allHashes(blobs)).toEqual([])
      }
    })

    it('never loses a file that is staged while its stray copy is swept', async () => {
      for (let round = 0; round < 10; round++) {
        await blobs.put(hashOf(one), one)
        const [staged] = await Promise.all([references.stage(one), references.sweep()])
        expect(await blobs.has(staged.hash)).toBe(true)
        await references.discard(staged)
        await references.settled()
      }
    })

    it('waits for a running removal before it stages the same file', async () => {
      await keep(one, 'page:old')
      const removal = Promise.withResolvers<void>()
      const remove = vi.fn(async (hash: string) => {
        await removal.promise
        await blobs.remove(hash)
      })
      const slow = referencesOf({ ...blobs, remove })
      await db.write(() => slow.release('page:old'))
      await expect.poll(() => remove.mock.calls.length).toBe(1)
      const put = vi.fn((hash: string, bytes: Uint8Array) => blobs.put(hash, bytes))
      const staging = referencesOf({ ...blobs, put }).stage(one)
      await delay(50)
      expect(put).not.toHaveBeenCalled()
      removal.resolve()
      const staged = await staging
      await slow.settled()
      expect([await refs(), await rows()]).toEqual([['pending'], [staged.hash]])
      expect(await blobs.has(staged.hash)).toBe(true)
    })

    it('tries once while the store is down, and leaves the rest to the next sweep', async () => {
      await keep(one, 'page:1')
      await keep(two, 'page:1')
      const reported: unknown[] = []
      const remove = vi.fn(() => Promise.reject(new UnavailableError('down')))
      const down = referencesOf({ ...blobs, remove }, (error) => reported.push(error))
      await db.write(() => down.release('page:1'))
      await down.close()
      expect([remove.mock.calls.length, reported.length]).toEqual([1, 1])
      now += ELEVEN_MINUTES
      await references.sweep()
      expect([await refs(), await rows(), await allHashes(blobs)]).toEqual([[], [], []])
    })

    it('stops a sweep between two files', async () => {
      const ending = new AbortController()
      await blobs.put(hashOf(one), one)
      await blobs.put(hashOf(two), two)
      const remove = (hash: string): Promise<void> => {
        ending.abort()
        return blobs.remove(hash)
      }
      await referencesOf({ ...blobs, remove }).sweep(ending.signal)
      expect(await allHashes(blobs)).toHaveLength(1)
    })

    describe('a crash', () => {
      const never = (): Promise<never> => new Promise(() => undefined)

      it('during a removal delays staging the file again until the claim expires', async () => {
        await keep(one, 'page:1')
        const remove = vi.fn(never)
        const dead = referencesOf({ ...blobs, remove })
        await db.write(() => dead.release('page:1'))
        await expect.poll(() => remove.mock.calls.length).toBe(1)
        await keep(one, 'page:2', impatient())
        expect([await refs(), await allHashes(blobs)]).toEqual([['page:2'], [hashOf(one)]])
      })

      async function sweptLater(): Promise<void> {
        const next = referencesOf(blobs)
        await next.sweep()
        now += ELEVEN_MINUTES
        await next.sweep()
      }

      it('before the file is written leaves nothing', async () => {
        void referencesOf({ ...blobs, put: never }).stage(one)
        await expect.poll(refs).toEqual(['pending'])
        await sweptLater()
        expect([await refs(), await rows(), await allHashes(blobs)]).toEqual([[], [], []])
      })

      it('between staging and adopting leaves nothing, and the first sweep skips requests in progress', async () => {
        const staged = await references.stage(one)
        await referencesOf(blobs).sweep()
        expect(await blobs.has(staged.hash)).toBe(true)
        await sweptLater()
        expect([await refs(), await rows(), await allHashes(blobs)]).toEqual([[], [], []])
        await expect(db.write(() => references.adopt(staged, 'page:1', { workspace: USER }))).rejects.toThrow(
          'expired',
        )
      })

      it('between release and sweep leaves nothing', async () => {
        await keep(one, 'page:1')
        await keep(two, 'page:2')
        await db.write(() => db.sql.deleteFrom('blob_refs').where('owner', '=', 'page:1').execute())
        await sweptLater()
        expect([await refs(), await rows()]).toEqual([['page:2'], [hashOf(two)]])
        expect(await allHashes(blobs)).toEqual([hashOf(two)])
      })

      it('between removing the file and the commit is repaired by the next stage or sweep', async () => {
        await keep(one, 'page:1')
        const reported: unknown[] = []
        const remove = async (hash: string): Promise<never> => {
          await blobs.remove(hash)
          throw new Error('died here')
        }
        const dying = referencesOf({ ...blobs, remove }, (error) => reported.push(error))
        await db.write(() => dying.release('page:1'))
        await dying.settled()
        expect(reported).toHaveLength(1)
        expect([await refs(), await rows(), await allHashes(blobs)]).toEqual([['pending'], [hashOf(one)], []])
        await keep(one, 'page:2', impatient())
        expect(await blobs.has(hashOf(one))).toBe(true)
        await sweptLater()
        expect([await refs(), await allHashes(blobs)]).toEqual([['page:2'], [hashOf(one)]])
      })

      it('that loses the rows but not the files leaves nothing', async () => {
        await blobs.put(hashOf(one), one)
        await keep(two, 'page:2')
        await sweptLater()
        expect(await allHashes(blobs)).toEqual([hashOf(two)])
      })
    })
  })
})
