import { describe, expect, it } from 'vitest'
import { type Attempt, FAILING_LIMIT_MS, type Outcome, RETRY_DELAYS_MS } from '../../net/deliveries/sender.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import type { Dispatcher } from './dispatcher.ts'
import { openTestWebhooks } from './testing.ts'

const url = 'https://receiver.example/hook'
const arrived: Outcome = { status: 204, error: null }
const refused: Outcome = { status: 500, error: 'The receiver returned 500' }

/** Polls once, and waits until all started deliveries have ended. */
async function once(dispatcher: Dispatcher): Promise<void> {
  dispatcher.start()
  await dispatcher.settled()
  await dispatcher.close()
}

forEachDatabase((_engine, open) => {
  const openWebhook = async () => {
    const db = await open()
    const opened = await openTestWebhooks(db)
    const { uuid, secret } = await opened.service.add(opened.user, { url })
    const webhook = async () => (await opened.service.list(opened.user))[0]
    /** A process that gets the same response from every receiver. */
    const sending = async (outcome: Outcome): Promise<Attempt[]> => {
      const attempts: Attempt[] = []
      await once(
        opened.dispatcher((attempt) => {
          attempts.push(attempt)
          return Promise.resolve(outcome)
        }),
      )
      return attempts
    }
    return { ...opened, db, uuid, secret, webhook, sending }
  }

  it('sends a delivery once, with its id and signature', async () => {
    const { user, record, sending, deliveries, secret, close } = await openWebhook()
    await record(user)
    const attempts = await sending(arrived)
    const [row] = await deliveries()
    expect(attempts).toMatchObject([{ url, id: row?.uuid, body: row?.body, secret }])
    expect(row).toMatchObject({ state: 'delivered', attempts: 1, status: 204, due_at: null, error: null })
    expect(await sending(arrived)).toEqual([])
    await close()
  })

  it('retries with growing delays, with the same id and body, then gives up', async () => {
    const { user, record, sending, deliveries, clock, webhook, close } = await openWebhook()
    await record(user)
    const attempts = await sending(refused)
    for (const delay of RETRY_DELAYS_MS) {
      clock.ms += delay - 1
      expect(await sending(refused)).toEqual([])
      clock.ms += 1
      attempts.push(...(await sending(refused)))
    }
    expect(attempts).toHaveLength(RETRY_DELAYS_MS.length + 1)
    expect(new Set(attempts.map(({ id, body }) => id + body)).size).toBe(1)
    const [row] = await deliveries()
    expect(row).toMatchObject({
      state: 'failed',
      attempts: 7,
      status: 500,
      error: refused.error,
      due_at: null,
    })
    expect(await webhook()).toMatchObject({ enabled: true, failing_since: '2027-01-15T08:00:00.000Z' })
    await close()
  })

  it('resets failures after a success', async () => {
    const { user, record, sending, webhook, clock, close } = await openWebhook()
    await record(user)
    await sending(refused)
    clock.ms += 5_000
    await sending(arrived)
    expect(await webhook()).toMatchObject({ failing_since: null })
    await close()
  })

  it('disables a webhook that has failed for days, with the reason, and drops waiting deliveries', async () => {
    const { user, uuid, record, sending, webhook, deliveries, service, clock, close } = await openWebhook()
    await record(user)
    await sending(refused)
    clock.ms += FAILING_LIMIT_MS
    for (let left = RETRY_DELAYS_MS.length; left > 0; left--) {
      expect(await webhook()).toMatchObject({ enabled: true })
      expect(await sending(refused)).toHaveLength(1)
      clock.ms += Math.max(...RETRY_DELAYS_MS)
    }
    expect(await webhook()).toMatchObject({
      enabled: false,
      disabled_reason: 'Nothing could be delivered for 5 days',
    })
    expect((await deliveries()).map((row) => row.state)).toEqual(['failed'])
    await record(user)
    expect(await deliveries()).toHaveLength(1)
    expect(await service.edit(user, { uuid, enabled: true })).toMatchObject({
      enabled: true,
      disabled_reason: null,
      failing_since: null,
    })
    await close()
  })

  it('disables a webhook that returns 410, and ends waiting deliveries', async () => {
    const { user, record, recorded, sending, webhook, deliveries, clock, close } = await openWebhook()
    await record(user)
    await sending({ status: 410, error: 'The receiver returned 410' })
    expect(recorded).toEqual([`disableWebhook ${(await webhook())?.uuid}`])
    expect(await webhook()).toMatchObject({
      enabled: false,
      disabled_reason: 'The receiver returned 410 Gone',
    })
    clock.ms += 5_000
    expect(await sending(arrived)).toEqual([])
    expect(await deliveries()).toMatchObject([{ state: 'failed', error: 'The webhook was disabled' }])
    await close()
  })

  describe('several processes', () => {
    it('send each delivery once between them', async () => {
      const { user, record, dispatcher, deliveries, close } = await openWebhook()
      for (let n = 0; n < 40; n++) await record(user)
      const ids: string[] = []
      const processes = [1, 2, 3].map(() =>
        dispatcher(({ id }) => {
          ids.push(id)
          return Promise.resolve(arrived)
        }),
      )
      await Promise.all(processes.map(once))
      expect(new Set(ids).size).toBe(40)
      expect(ids).toHaveLength(40)
      expect(new Set((await deliveries()).map((row) => row.state))).toEqual(new Set(['delivered']))
      await close()
    })

    it('leave deliveries in progress to their sender, and take them over when it must have died', async () => {
      const { user, record, dispatcher, sending, deliveries, clock, close } = await openWebhook()
      await record(user)
      let finish: (outcome: Outcome) => void = () => {}
      const dying = dispatcher(() => new Promise((resolve) => (finish = resolve)))
      dying.start()
      await expect.poll(async () => (await deliveries())[0]?.attempts).toBe(1)
      clock.ms += 19_999
      expect(await sending(arrived)).toEqual([])
      clock.ms += 1
      expect(await sending(arrived)).toHaveLength(1)
      // The late process must not overwrite what the other one has recorded.
      finish(refused)
      await dying.settled()
      await dying.close()
      expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }])
      await close()
    })

    it('release deliveries that they cannot finish when they stop', async () => {
      const { user, record, dispatcher, sending, deliveries, close } = await openWebhook()
      await record(user)
      const ending = dispatcher(
        ({ signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
          }),
      )
      ending.start()
      await expect.poll(async () => (await deliveries())[0]?.attempts).toBe(1)
      await ending.close()
      expect(await deliveries()).toMatchObject([{ state: 'pending', attempts: 0 }])
      expect(await sending(arrived)).toHaveLength(1)
      await close()
    })
  })

  it('limits the slots of a receiver that hangs, and serves the others', async () => {
    const { user, record, dispatcher, service, deliveries, close } = await openWebhook()
    for (let n = 0; n < 100; n++) await record(user)
    const quick = await service.add(user, { url: `${url}/quick` })
    await record(user)
    let hanging = 0
    const passed: string[] = []
    const ends: (() => void)[] = []
    const sender = dispatcher((attempt) => {
      if (attempt.url.endsWith('/quick')) {
        passed.push(attempt.id)
        return Promise.resolve(arrived)
      }
      hanging++
      return new Promise((resolve) => ends.push(() => resolve(arrived)))
    })
    sender.start()
    await expect.poll(() => passed.length).toBe(1)
    // A new receiver has fewer slots than one that responds.
    expect(hanging).toBe(2)
    expect((await deliveries()).filter((row) => row.webhook_uuid === quick.uuid)).toHaveLength(1)
    const closed = sender.close()
    for (const end of ends) end()
    await closed
    await close()
  })
})
