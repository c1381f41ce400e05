import { expect, it } from 'vitest'
import { DAY_MS } from '../../work/times.ts'
import { readTotal } from '../../storage/db/totals.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'
import { TrashService } from './trash.service.ts'

const TO = 'https://example.com/there'
const MISSING = '00000000-0000-7000-8000-000000000001'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const links = () => services().modules.links.service
  const trash = () => services().modules.trash.service
  const createCode = async (user: string) => {
    const { qrcodes } = services().modules
    const drawn = await qrcodes.service.draw({ url: TO, pattern: 'squares', dynamic: true })
    return qrcodes.service.create(user, 'a printed code', drawn)
  }

  it('lists removed resources, latest first, without their parts', async () => {
    const { modules, core, newUser } = services()
    const user = await newUser()
    const made = await links().createMany(
      user,
      Array.from({ length: 3 }, (_, n) => ({ link: TO, title: `link ${n}` })),
      [],
    )
    const code = await createCode(user)
    await links().owned.remove(user, { uuids: made.map(({ uuid }) => uuid) })
    await new Promise((resolve) => setTimeout(resolve, 2))
    await modules.qrcodes.service.owned.remove(user, { uuid: code.uuid })

    const labels: string[] = []
    let cursor: string | undefined
    do {
      const page = await trash().list(user, { limit: 1, cursor })
      expect(page.total).toBe(4)
      labels.push(...page.items.map(({ label }) => label))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(labels).toEqual(['a printed code', 'link 2', 'link 1', 'link 0'])
    const found = await trash().list(user, { type: 'link', search: 'LINK 1' })
    expect([found.total, found.items]).toMatchObject([1, [{ type: 'link', uuid: made[1]?.uuid }]])
    const [item] = (await trash().list(user, { uuid: code.uuid })).items
    expect(Date.parse(item?.erased_at ?? '') - Date.parse(item?.removed_at ?? '')).toBe(30 * DAY_MS)
    expect((await trash().list(await newUser(), {})).items).toEqual([])
    expect(await readTotal(core.db, user, 'links')).toBe(0)
  })

  it('restores all or none, with their parts, and records it', async () => {
    const { modules, core } = services()
    const { user, events } = await services().newSubscriber()
    const [code, link] = [await createCode(user), await links().create(user, { link: TO })]
    await modules.qrcodes.service.owned.remove(user, { uuid: code.uuid })
    await links().owned.remove(user, { uuid: link.uuid })
    const before = await events()
    services().changedTargets()

    for (const uuid of [MISSING, code.short_url ?? ''])
      await expect(trash().restore(user, [code.uuid, uuid])).rejects.toMatchObject({
        code: 'not_found',
        message: `There is nothing in the trash with the uuid ${uuid}`,
      })
    expect((await trash().list(user, {})).total).toBe(2)

    const uuids = [code.uuid, link.uuid]
    expect(await trash().restore(user, [...uuids, code.uuid])).toEqual({ uuids })
    expect(await modules.qrcodes.service.owned.get(user, code.uuid)).toEqual(code)
    expect(await links().owned.get(user, link.uuid)).toEqual(link)
    expect((await events()).slice(before.length).toSorted()).toEqual([
      'link.restored',
      'link.restored',
      'qrcode.restored',
    ])
    expect(services().changedTargets()).toHaveLength(2)
    expect([await readTotal(core.db, user, 'links'), await readTotal(core.db, user, 'qrcodes')]).toEqual([
      2, 1,
    ])
    expect((await trash().list(user, {})).total).toBe(0)
  })

  it('is not accessible to other users', async () => {
    const [user, other] = [await services().newUser(), await services().newUser()]
    const { uuid } = await links().create(user, { link: TO })
    await links().owned.remove(user, { uuid })
    await expect(trash().restore(other, [uuid])).rejects.toMatchObject({ code: 'not_found' })
    expect(await trash().restore(user, [uuid])).toEqual({ uuids: [uuid] })
  })

  it('erases resources after 30 days, and none before', async () => {
    const { core, modules, countRows } = services()
    const user = await services().newUser()
    const code = await createCode(user)
    const many = await links().createMany(
      user,
      Array.from({ length: 250 }, () => ({ link: TO })),
      [],
    )
    await modules.qrcodes.service.owned.remove(user, { uuid: code.uuid })
    await links().owned.remove(user, { uuids: many.map(({ uuid }) => uuid) })
    const resources = [links().owned, modules.qrcodes.service.owned]
    const sweepAt = (now: number) =>
      new TrashService({
        db: core.db,
        store: modules.trash.store,
        resources,
        record: modules.audit.service.recordOwn,
        now: () => now,
      }).sweep(new AbortController().signal)
    await sweepAt(Date.now() + 29 * DAY_MS)
    expect((await trash().list(user, {})).total).toBe(251)
    await sweepAt(Date.now() + 31 * DAY_MS)
    expect((await trash().list(user, {})).total).toBe(0)
    const { items } = await modules.audit.service.list(user, {})
    expect(new Set(items.map(({ actor, operation }) => `${actor} ${operation}`))).toEqual(
      new Set(['system erase']),
    )
    expect(items.reduce((sum, { resource_count }) => sum + resource_count, 0)).toBe(251)
    expect([await countRows('links', user), await countRows('qrcodes', user)]).toEqual([0, 0])
    expect(await core.tombstones.has(['picture', code.uuid])).toBe(true)
    for (const shortCode of [many[0]?.code ?? '', code.short_url?.split('/').at(-1) ?? ''])
      expect(await core.tombstones.has(['code', '', shortCode])).toBe(true)
  })

  it('is restored or erased once under concurrent requests', async () => {
    const user = await services().newUser()
    const { uuid } = await links().create(user, { link: TO })
    await links().owned.remove(user, { uuid })
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => trash().restore(user, [uuid])))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await readTotal(services().core.db, user, 'links')).toBe(1)
  })
})
