import { expect, it } from 'vitest'
import { DAY_MS } from '../../work/times.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { openTestWebhooks } from './testing.ts'

const url = 'https://receiver.example/hook'

forEachDatabase((_engine, open) => {
  it('shows the secret once, and keeps it sealed', async () => {
    const db = await open()
    const { service, user, close } = await openTestWebhooks(db)
    const made = await service.add(user, { url, description: 'CRM' })
    expect(made).toMatchObject({ url, description: 'CRM', events: null, enabled: true, failing_since: null })
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const [listed] = await service.list(user)
    expect(listed).not.toHaveProperty('secret')
    const row = await db.sql.selectFrom('webhooks').selectAll().executeTakeFirst()
    expect(JSON.stringify(row)).not.toContain(made.secret.slice(6))
    await close()
  })

  it('changes only the given fields, and no webhook of others', async () => {
    const db = await open()
    const { service, deliveryService, user, close } = await openTestWebhooks(db)
    const stranger = await insertTestUser(db)
    const { uuid } = await service.add(user, { url, events: ['link.created'] })
    expect(await service.edit(user, { uuid, enabled: false })).toMatchObject({
      url,
      events: ['link.created'],
      enabled: false,
    })
    expect(await service.edit(user, { uuid, url: `${url}2`, events: null, enabled: true })).toMatchObject({
      url: `${url}2`,
      events: null,
      enabled: true,
    })
    for (const attempt of [
      () => service.edit(stranger, { uuid, enabled: false }),
      () => service.owned.remove(stranger, { uuid }),
      () => service.rotateSecret(stranger, uuid),
      () => deliveryService.sendTest(stranger, uuid),
      () => deliveryService.list(stranger, uuid),
      () => deliveryService.redeliver(stranger, { uuid, since: 0 }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
    expect(await service.list(stranger)).toEqual([])
    await close()
  })

  it('allows ten, also under concurrent requests', async () => {
    const { service, user, close } = await openTestWebhooks(await open())
    const made = await Promise.allSettled(Array.from({ length: 13 }, () => service.add(user, { url })))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    await expect(service.add(user, { url })).rejects.toMatchObject({ status: 409 })
    await close()
  })

  it('rejects an obviously private address, unless allowed', async () => {
    const { service, user, close } = await openTestWebhooks(await open(), { allowPrivate: false })
    for (const inside of [
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://localhost/',
      'http://169.254.169.254/',
    ])
      await expect(service.add(user, { url: inside })).rejects.toMatchObject({
        errors: { url: [expect.any(String)] },
      })
    const { uuid } = await service.add(user, { url })
    await expect(service.edit(user, { uuid, url: 'http://10.0.0.1/' })).rejects.toMatchObject({ status: 422 })
    await close()
  })

  it('writes an event for each subscribed webhook, in the transaction of the change', async () => {
    const db = await open()
    const { service, events, user, deliveries, close } = await openTestWebhooks(db)
    const all = await service.add(user, { url })
    const some = await service.add(user, { url, events: ['link.removed'] })
    const off = await service.add(user, { url })
    await service.edit(user, { uuid: off.uuid, enabled: false })
    const change = db.write(async () => {
      await events.record(user, 'link.removed', () => [{ uuid: 'x' }])
      throw new Error('taken back')
    })
    await expect(change).rejects.toThrow('taken back')
    expect(await deliveries()).toEqual([])

    await db.write(() => events.record(user, 'link.removed', () => [{ uuid: 'a' }, { uuid: 'b' }]))
    await db.write(() => events.record(user, 'page.edited', () => [{ uuid: 'c' }]))
    const rows = await deliveries()
    expect(rows.map((row) => row.webhook_uuid).sort()).toEqual(
      [all.uuid, all.uuid, all.uuid, some.uuid, some.uuid].sort(),
    )
    expect(rows.filter((row) => row.webhook_uuid === all.uuid).map((row) => JSON.parse(row.body))).toEqual(
      expect.arrayContaining([
        { type: 'page.edited', timestamp: '2027-01-15T08:00:00.000Z', data: { uuid: 'c' } },
      ]),
    )
    await close()
  })

  it('creates no event for an account without webhooks', async () => {
    const db = await open()
    const { events, user, deliveries, close } = await openTestWebhooks(db)
    let built = 0
    await db.write(() => events.record(user, 'link.created', () => [{ uuid: String(++built) }]))
    expect(built).toBe(0)
    expect(await deliveries()).toEqual([])
    await close()
  })

  it('removes a webhook with its deliveries, and everything with the account', async () => {
    const db = await open()
    const { service, user, record, deliveries, close } = await openTestWebhooks(db)
    const { uuid } = await service.add(user, { url })
    await record(user)
    await service.owned.remove(user, { uuid, permanent: true })
    await service.removeDeliveries([uuid])
    expect(await deliveries()).toEqual([])

    await service.add(user, { url })
    await record(user)
    while (await db.write(() => service.eraseSome(user)));
    expect([await service.list(user), await deliveries()]).toEqual([[], []])
    await close()
  })

  it('sends nothing to a webhook in the trash, and restores it with its secret', async () => {
    const db = await open()
    const { service, user, record, deliveries, dispatcher, trash, close } = await openTestWebhooks(db)
    const made = await Promise.all(Array.from({ length: 10 }, () => service.add(user, { url })))
    const [uuid = '', other = ''] = made.map((each) => each.uuid)
    const waiting = async () => (await deliveries()).filter(({ state }) => state === 'pending').length
    const [before] = await db.sql.selectFrom('webhooks').selectAll().where('uuid', '=', uuid).execute()
    const restore = (one: string) =>
      db.write(async () => {
        await trash.take(user, [one])
        await service.owned.restore(user, [one])
      })
    await service.owned.remove(user, { uuids: made.map((each) => each.uuid) })
    await record(user)
    expect([await service.list(user), await waiting()]).toEqual([[], 0])
    await expect(service.edit(user, { uuid, enabled: false })).rejects.toMatchObject({ status: 404 })
    await restore(uuid)
    const [after] = await db.sql.selectFrom('webhooks').selectAll().where('uuid', '=', uuid).execute()
    expect(after).toEqual(before)
    await record(user)
    expect(await waiting()).toBe(1)
    // Deliveries that wait when a webhook is removed are not sent.
    await service.owned.remove(user, { uuid })
    const sent: string[] = []
    const sender = dispatcher(({ url: to }) => {
      sent.push(to)
      return Promise.resolve({ status: 204, error: null })
    })
    sender.start()
    await sender.settled()
    await sender.close()
    expect([sent, await waiting()]).toEqual([[], 0])
    for (let n = 0; n < 10; n++) await service.add(user, { url })
    await expect(restore(other)).rejects.toMatchObject({ status: 409 })
    expect(await trash.count(user, { search: undefined, uuid: undefined, types: ['webhook'] })).toBe(10)
    await close()
  })

  it('deletes deliveries a week after their end', async () => {
    const { service, user, record, deliveries, dispatcher, clock, close } = await openTestWebhooks(
      await open(),
    )
    await service.add(user, { url })
    await record(user)
    const sender = dispatcher(() => Promise.resolve({ status: 200, error: null }))
    sender.start()
    await sender.settled()
    await sender.close()
    await record(user)
    clock.ms += 7 * DAY_MS
    await service.sweep()
    expect(await deliveries()).toHaveLength(2)
    clock.ms += 1
    await service.sweep()
    expect((await deliveries()).map((row) => row.state)).toEqual(['pending'])
    await close()
  })
})
