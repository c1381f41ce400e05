import { expect, it } from 'vitest'
import { signedIn, testServices } from '../testing.ts'
import { BatchJobs } from '../../work/jobs/batch-jobs.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { BulkEditJob } from './bulk-edit-job.ts'
import { BulkEditService } from './bulk-edits.service.ts'
import { createBulkEditStore } from './bulk-edits.store.ts'

const TO = 'https://example.com/there'
const MISSING = '00000000-0000-7000-8000-000000000001'
/** A turn processes many links: far fewer are enough for these tests. */
const MAX_TURNS = 100

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const setUp = async () => {
    const { core, modules } = services()
    const { db, changes, now, newId } = core
    const { links, domains, trash, webhooks } = modules
    const store = createBulkEditStore(db)
    const deps = {
      now,
      db,
      events: webhooks.events,
      changes,
      links: links.service,
      linkStore: links.store,
      history: links.history,
      store,
      domains: domains.service,
    }
    const seen = { wakes: 0 }
    const edits = new BulkEditService({ ...deps, newId, wake: () => void seen.wakes++ })
    const job = new BulkEditJob({ ...deps, trash: trash.service })
    const permits = modules.rights.permitsJob.bind(modules.rights)
    const report = (error: unknown): void => {
      throw error
    }
    const runner = new BatchJobs(job, { db, holder: newId(), permits, report })
    const { user, events } = await services().newSubscriber()
    /** Runs turns of a bulk edit until it has ended. */
    const runToEnd = async (uuid: string) => {
      for (let turns = 0; turns < MAX_TURNS; turns++) {
        const row = await store.find(user, uuid)
        if (row === undefined || (row.state !== 'running' && row.state !== 'undoing'))
          return (await edits.list(user, { uuid })).items[0]
        await runner.runSlice(row)
      }
      throw new Error('The bulk edit does not end')
    }
    const create = (fields: object = {}) => links.service.create(user, { link: TO, ...fields })
    const get = (uuid: string) => links.service.owned.get(user, uuid)
    const start = async (request: Parameters<BulkEditService['create']>[1]) =>
      edits.create(await edits.prepare(signedIn(user), request), request)
    return { start, edits, store, runner, seen, user, events, runToEnd, create, get, trash: trash.service }
  }

  it('changes listed links at once, all or none', async () => {
    const { start, seen, events, create, get } = await setUp()
    const [one, two] = [await create({ tags: ['old'] }), await create({ archived: true })]
    const change = { add_tags: ['new'], remove_tags: ['old'], archived: true }
    const uuids = [one.uuid, two.uuid]
    await expect(start({ uuids: [...uuids, MISSING], change })).rejects.toMatchObject({
      code: 'not_found',
      message: `There is no such link: ${MISSING}`,
    })
    expect(await get(one.uuid)).toMatchObject({ tags: ['old'], archived: false })
    const before = await events()
    expect(await start({ uuids, change })).toMatchObject({
      state: 'done',
      total: 2,
      changed: 2,
      skipped: 0,
    })
    expect(await get(one.uuid)).toMatchObject({ tags: ['new'], archived: true })
    expect(await get(two.uuid)).toMatchObject({ tags: ['new'], archived: true })
    expect((await events()).slice(before.length)).toEqual(['link.edited', 'link.edited'])
    expect(await start({ uuids, change })).toMatchObject({ changed: 0, skipped: 2 })
    expect(seen.wakes).toBe(0)
  })

  it('changes the links of a filter in turns, without those created later, and undoes it', async () => {
    const { start, edits, seen, user, runToEnd, create, get } = await setUp()
    const [tagged, other] = [await create({ tags: ['spring'] }), await create()]
    const change = { archived: true, expire: Date.UTC(2099, 0) }
    const { uuid } = await start({ filter: { tag: 'spring' }, change })
    const late = await create({ tags: ['spring'] })
    expect(seen.wakes).toBe(1)
    expect(await runToEnd(uuid)).toMatchObject({ state: 'done', total: 1, processed: 1, changed: 1 })
    expect(await get(tagged.uuid)).toMatchObject({ archived: true, expire: '2099-01-01T00:00:00.000Z' })
    for (const { uuid: untouched } of [other, late])
      expect(await get(untouched)).toMatchObject({ archived: false, expire: null })

    expect(await edits.undo(user, uuid)).toMatchObject({ state: 'undoing' })
    await expect(edits.undo(user, uuid)).rejects.toMatchObject({ code: 'bulk_edit_state' })
    expect(await runToEnd(uuid)).toMatchObject({ state: 'undone' })
    expect(await get(tagged.uuid)).toMatchObject({ archived: false, expire: null })
    await expect(edits.undo(user, uuid)).rejects.toMatchObject({ code: 'bulk_edit_state' })
  })

  it('moves links to the trash, and an undo restores them', async () => {
    const { start, edits, user, runToEnd, create, get, trash } = await setUp()
    const { uuid: link } = await create()
    const { uuid } = await start({ filter: {}, change: { remove: true } })
    expect(await runToEnd(uuid)).toMatchObject({ state: 'done', changed: 1 })
    expect((await trash.list(user, {})).items).toMatchObject([{ uuid: link }])
    await edits.undo(user, uuid)
    await runToEnd(uuid)
    expect(await get(link)).toMatchObject({ uuid: link })
  })

  it('runs three of an account at the same time, and shows them only to that account', async () => {
    const { start, edits, user } = await setUp()
    const request = { filter: {}, change: { archived: true } }
    for (let n = 0; n < 3; n++) await start(request)
    await expect(start(request)).rejects.toMatchObject({ code: 'too_many_bulk_edits' })
    const { items, total } = await edits.list(user, { limit: 2 })
    expect([items.length, total]).toEqual([2, 3])
    const other = await services().newUser()
    expect(await edits.list(other, {})).toMatchObject({ items: [], total: 0 })
    await expect(edits.undo(other, items[0]?.uuid ?? '')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('can undo the last five', async () => {
    const { start, edits, store, user, create } = await setUp()
    const { uuid } = await create()
    const made: string[] = []
    for (let n = 0; n < 7; n++) {
      const change = n % 2 === 0 ? { add_tags: ['a'] } : { remove_tags: ['a'] }
      made.push((await start({ uuids: [uuid], change })).uuid)
    }
    const first = made[0] ?? ''
    expect(await store.find(user, first)).toMatchObject({ undoable: 0 })
    expect(await store.someLinks(first, 10)).toEqual([])
    await expect(edits.undo(user, first)).rejects.toMatchObject({ code: 'bulk_edit_state' })
    expect(await edits.undo(user, made.at(-1) ?? '')).toMatchObject({ state: 'undoing' })
  })

  it('counts links before its write, so that no other write waits', async () => {
    const { edits, user, create } = await setUp()
    await create()
    const { promise: others, resolve: end } = Promise.withResolvers<void>()
    const writing = services().core.db.write(() => others)
    try {
      const request = { filter: {}, change: { archived: true } }
      expect(await edits.prepare(signedIn(user), request)).toMatchObject({ total: 1 })
    } finally {
      end()
      await writing
    }
  })

  it('changes nothing after it was deleted', async () => {
    const { start, store, runner, user, create, get } = await setUp()
    const { uuid: link } = await create()
    const { uuid } = await start({ filter: {}, change: { archived: true } })
    const row = await store.find(user, uuid)
    if (row === undefined) throw new Error('not inserted')
    await services().core.db.write(() => store.remove(uuid))
    expect(await runner.runSlice(row)).toBe('ended')
    expect(await get(link)).toMatchObject({ archived: false })
  })

  it('is not changed by a process with an outdated row', async () => {
    const { start, store, user } = await setUp()
    const { db } = services().core
    const { uuid } = await start({ filter: {}, change: { archived: true } })
    const seen = await store.find(user, uuid)
    if (seen === undefined) throw new Error('not inserted')
    expect(await db.write(() => store.update(seen, { position: MISSING }))).toBe(true)
    expect(await db.write(() => store.update(seen, { turn_at: 0 }))).toBe(false)
    expect(await store.countOpen(user)).toBe(1)
  })
})
