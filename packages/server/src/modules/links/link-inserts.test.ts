import { expect, it } from 'vitest'
import { idAt } from '../../storage/db/ids.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { createTombstones } from '../../storage/tombstones.ts'
import type { DomainService } from '../domains/domains.service.ts'
import { LinkInserts } from './link-inserts.ts'
import { LinkNames } from './short-codes.ts'
import { LinkPreviews } from './link-previews.ts'
import { createLinkStore } from './links.store.ts'

const TO = 'https://example.com/there'

forEachDatabase((_engine, open) => {
  /** Inserts with the given random short codes, in this order. */
  const opened = async (...random: string[]) => {
    const db = await open()
    const user = await insertTestUser(db)
    const store = createLinkStore(db)
    const now = () => 1_000_000
    const tombstones = createTombstones(db, Buffer.alloc(32), now)
    const changed: string[] = []
    const newShortCode = () => random.shift() ?? ''
    const targetChanged = ({ short_code }: { short_code: string }) => void changed.push(short_code)
    const domains = {
      choose: () => Promise.resolve(''),
      spelling: () => Promise.resolve((shortCode: string) => shortCode),
    } as unknown as DomainService
    const names = new LinkNames({ db, store, tombstones, domains, targetChanged, newShortCode, now })
    const inserts = new LinkInserts({
      store,
      domains,
      names,
      previews: new LinkPreviews({ blobs: undefined as never, tombstones, sharedMediaUrl: String }),
      newShortCode,
      newRow: (workspaceUuid) => ({
        uuid: idAt(now()),
        workspace_uuid: workspaceUuid,
        created_at: now(),
        updated_at: now(),
        created_by: null,
        trashed_at: 0,
      }),
    })
    return { db, user, store, tombstones, inserts, changed }
  }

  it('creates short codes for many links, and retries random ones that are taken', async () => {
    const [used, erased, free] = ['used1', 'erased1', 'free1'].map((name) => name + crypto.randomUUID()) as [
      string,
      string,
      string,
    ]
    const others = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const { db, user, store, tombstones, inserts, changed } = await opened(
      used,
      used,
      erased,
      'app',
      free,
      ...others,
    )
    await db.write(() => inserts.one(user, { input: { link: TO } }))
    await db.write(() => tombstones.add([['code', '', erased]]))
    changed.splice(0)
    const rows = await db.write(() =>
      inserts.many(
        user,
        [1, 2, 3, 4].map((n) => ({ input: { link: `${TO}/${n}`, tags: ['a', 'b'] } })),
      ),
    )
    expect(rows.map(({ short_code }) => short_code)).toEqual([...others, free])
    for (const { uuid, short_code } of rows) {
      expect(await store.findShortCode({ domain: '', short_code })).toBe(uuid)
      expect(await store.find(user, uuid)).toMatchObject({ short_code, tag: 'a', more_tags: 'b' })
    }
    expect(changed.toSorted()).toEqual([...others, free].toSorted())
    expect(await store.tags(user)).toEqual([
      { tag: 'a', links: 4 },
      { tag: 'b', links: 4 },
    ])
  })

  it.each([
    ['that another link has', 'taken', 'code_taken'],
    ['that was removed', 'erased', 'code_taken'],
    ['of a link before it in the list', 'twice', 'code_taken'],
    ['that is reserved', 'app', 'validation'],
  ])('rejects a requested short code %s, and names its place', async (_what, name, code) => {
    const { db, user, tombstones, inserts, changed } = await opened('first', 'second')
    const made = name === 'app' ? name : `${name}${crypto.randomUUID()}`
    const link = { input: { link: TO, customLink: made } }
    if (name === 'taken') await db.write(() => inserts.one(user, link))
    if (name === 'erased') await db.write(() => tombstones.add([['code', '', made]]))
    changed.splice(0)
    const before = name === 'twice' ? link : { input: { link: TO, customLink: crypto.randomUUID() } }
    const inserting = db.write(() => inserts.many(user, [before, link]))
    await expect(inserting).rejects.toMatchObject({
      code,
      errors: { 'links.1.customLink': [expect.any(String)] },
    })
    expect(changed).toEqual([])
  })

  it('inserts fifty links with as many statements as one, and can be stopped between them', async () => {
    const { db, user, inserts } = await opened()
    let pauses = 0
    const insert = (count: number) => {
      const links = Array.from({ length: count }, () => ({
        input: { link: TO, customLink: crypto.randomUUID(), tags: ['x'] },
      }))
      pauses = 0
      return db.write(() => inserts.many(user, links, () => pauses++))
    }
    await insert(1)
    const few = pauses
    expect(await insert(50)).toHaveLength(50)
    expect(pauses).toBe(few)
    const tooLong = db.write(() =>
      inserts.many(user, [{ input: { link: `${TO}/late` } }], () => {
        throw new Error('too long')
      }),
    )
    await expect(tooLong).rejects.toThrow('too long')
    expect(await db.sql.selectFrom('links').select('uuid').where('url', '=', `${TO}/late`).execute()).toEqual(
      [],
    )
  })
})
