import { expect, it } from 'vitest'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'
import { createPageStore } from './pages.store.ts'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const setUp = async () => {
    const { core, modules, newUser } = services()
    const store = createPageStore(core.db)
    const [user, slug] = [await newUser(), crypto.randomUUID()]
    const { service } = modules.pages
    const composed = await service.compose(user, {
      title: 'T',
      slug,
      logoPosition: 'top-left',
      images: [],
      buttons: [{ label: 'b' }],
    })
    const { uuid } = await service.create(user, composed)
    return { core, modules, store, user, uuid, name: { domain: '', slug } }
  }

  it('assigns a slug to one page of a domain', async () => {
    const { core, store, uuid, name } = await setUp()
    const elsewhere = { ...name, domain: 'go.example' }
    const [taken, free] = await core.db.write(async () => [
      await store.insertSlug(name, uuid, 0),
      await store.insertSlug(elsewhere, uuid, 0),
    ])
    expect([taken, free]).toEqual([false, true])
    expect([await store.findSlug(name), await store.findSlug({ ...name, slug: 'none' })]).toEqual([
      uuid,
      undefined,
    ])
    const slugs = await store.slugsOf([uuid])
    expect(slugs.toSorted((a, b) => (a.domain < b.domain ? -1 : 1))).toEqual([name, elsewhere])
  })

  it('finds a page for visitors by slug and uuid, and returns when it was removed', async () => {
    const { modules, store, user, uuid, name } = await setUp()
    const find = async () => [await store.findPublicBySlug(name), await store.findPublic(uuid)]
    expect(await find()).toMatchObject([
      { uuid, removed_at: null },
      { uuid, removed_at: null },
    ])
    await modules.pages.service.owned.remove(user, { uuid })
    for (const page of await find()) expect(page?.removed_at).toBeGreaterThan(0)
    await modules.trash.service.restore(user, [uuid])
    await modules.accounts.removal.remove(user, 'Enough')
    for (const page of await find()) expect(page?.removed_at).toBeGreaterThan(0)
  })

  it('does not find a page on a domain that moved to another account', async () => {
    const { core, modules, store, user, uuid, name } = await setUp()
    const moved = { ...name, domain: `${crypto.randomUUID()}.example` }
    await modules.domains.service.addVerified(moved.domain, user)
    await core.db.write(() => store.insertSlug(moved, uuid, 0))
    expect(await store.findPublicBySlug(moved)).toMatchObject({ uuid, removed_at: null })
    const other = await services().newUser()
    await core.db.write(() =>
      core.db.sql
        .updateTable('domains')
        .set({ workspace_uuid: other })
        .where('name', '=', moved.domain)
        .execute(),
    )
    expect((await store.findPublicBySlug(moved))?.removed_at).not.toBe(null)
    expect(await store.findPublicBySlug(name)).toMatchObject({ uuid, removed_at: null })
  })
})
