import { expect, it } from 'vitest'
import type { StoredClick } from '../../clicks/batches/stored-click.ts'
import { MAX_CLICKS_NAMED, clicksForWebhooks } from '../../clicks/counting/webhook-clicks.ts'
import { storedClick } from '../../clicks/testing.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { createWebhookClickStore } from './clicks.store.ts'
import { openTestWebhooks } from './testing.ts'

const url = 'https://receiver.example/hook'

const click = (resourceUuid: string, more: Partial<StoredClick> = {}): StoredClick =>
  storedClick(resourceUuid, 1_800_000_000_000, {
    country: 'CH',
    referrer: 'a.example',
    browser: 'Firefox',
    system: 'Android',
    ...more,
  })

it('stores for each webhook the clicks of its own account, without bots and pages', () => {
  const owners = new Map([
    ['a', { workspaceUuid: 'ann' }],
    ['b', { workspaceUuid: 'bob' }],
  ])
  const watchers = [
    { uuid: 'w1', workspace_uuid: 'ann' },
    { uuid: 'w2', workspace_uuid: 'ann' },
    { uuid: 'w3', workspace_uuid: 'cy' },
  ]
  const clicks = [
    click('a'),
    click('b'),
    click('a', { bot: true }),
    click('a', { kind: 'page' }),
    click('gone'),
  ]
  const told = clicksForWebhooks(clicks, owners, watchers)
  expect(told.map(({ webhook_uuid, count }) => [webhook_uuid, count])).toEqual([
    ['w1', 1],
    ['w2', 1],
  ])
  expect(JSON.parse(told[0]?.clicks ?? '')).toEqual([
    {
      link_uuid: 'a',
      clicked_at: '2027-01-15T08:00:00.000Z',
      country: 'CH',
      referrer: 'a.example',
      device: 'mobile',
      browser: 'Firefox',
      os: 'Android',
    },
  ])
  const many = Array.from({ length: MAX_CLICKS_NAMED + 5 }, () => click('a'))
  const [row] = clicksForWebhooks(many, owners, watchers)
  expect([row?.count, (JSON.parse(row?.clicks ?? '[]') as unknown[]).length]).toEqual([1005, 1000])
})

forEachDatabase((_engine, open) => {
  const openWatching = async () => {
    const db = await open()
    const opened = await openTestWebhooks(db)
    const { uuid } = await opened.service.add(opened.user, { url, events: ['link.clicked'] })
    const store = createWebhookClickStore(db)
    const count = (...resourceUuids: string[]) => {
      const owners = new Map(
        resourceUuids.map((resourceUuid) => [resourceUuid, { workspaceUuid: opened.user }]),
      )
      const rows = clicksForWebhooks(
        resourceUuids.map((resourceUuid) => click(resourceUuid)),
        owners,
        [{ uuid, workspace_uuid: opened.user }],
      )
      return db.write(async () => {
        for (const row of rows) await store.insert(row)
      })
    }
    const told = async () =>
      (await opened.deliveries())
        .toSorted((a, b) => a.created_at - b.created_at)
        .map(({ body }) => {
          const { type, data } = JSON.parse(body)
          return [type, data.count, data.clicks.map((each: { link_uuid: string }) => each.link_uuid)]
        })
    const waiting = async () => (await store.list(uuid, 10)).map((row) => row.count)
    const send = async () => {
      const dispatcher = opened.dispatcher(() => Promise.resolve({ status: 204, error: null }))
      dispatcher.start()
      await dispatcher.settled()
      await dispatcher.close()
    }
    return { ...opened, db, uuid, count, told, waiting, send }
  }

  it('reports many clicks in one delivery, at most once in ten seconds', async () => {
    const { count, told, waiting, send, clickEvents, clock, close } = await openWatching()
    await count('a', 'b')
    await count('a')
    await clickEvents.writeDeliveries()
    expect(await told()).toEqual([['link.clicked', 3, ['a', 'b', 'a']]])
    await send()
    await count('c')
    clock.ms += 9_999
    await clickEvents.writeDeliveries()
    expect((await told()).length).toBe(1)
    clock.ms += 1
    await clickEvents.writeDeliveries()
    expect((await told())[1]).toEqual(['link.clicked', 1, ['c']])
    expect(await waiting()).toEqual([])
    await close()
  })

  it('keeps clicks in one row while the last delivery has not ended', async () => {
    const { count, told, waiting, clickEvents, clock, close } = await openWatching()
    await count('a')
    await clickEvents.writeDeliveries()
    for (let n = 0; n < 3; n++) {
      clock.ms += 10_000
      await count('b')
      await clickEvents.writeDeliveries()
    }
    expect([(await told()).length, await waiting()]).toEqual([1, [3]])
    await close()
  })

  it('deletes clicks of a webhook that is disabled, or no longer subscribes to them', async () => {
    const { user, uuid, service, count, told, waiting, clickEvents, close } = await openWatching()
    await count('a')
    await service.edit(user, { uuid, events: null })
    await clickEvents.writeDeliveries()
    expect([await told(), await waiting()]).toEqual([[], []])
    await close()
  })
})
