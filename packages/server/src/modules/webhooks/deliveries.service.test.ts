import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import type { Attempt, Exchange, Outcome } from '../../net/deliveries/sender.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import type { Dispatcher } from './dispatcher.ts'
import { openTestWebhooks } from './testing.ts'

const url = 'https://receiver.example/hook'
const HOUR_MS = 3_600_000
const arrived: Outcome = { status: 204, error: null }

const answering = (status: number, body = ''): ((attempt: Attempt) => Promise<Exchange>) => {
  const error = status < 300 ? null : `The receiver returned ${status}`
  const response = { status, headers: { 'x-a': 'b' }, body: Buffer.from(body) }
  return () => Promise.resolve({ status, error, headers: { 'webhook-id': '1' }, response })
}

async function once(dispatcher: Dispatcher): Promise<void> {
  dispatcher.start()
  await dispatcher.settled()
  await dispatcher.close()
}

forEachDatabase((_engine, open) => {
  const openWebhook = async () => {
    const opened = await openTestWebhooks(await open())
    const { uuid, secret } = await opened.service.add(opened.user, { url })
    const sending = async (outcome: Outcome = arrived): Promise<Attempt[]> => {
      const attempts: Attempt[] = []
      await once(
        opened.dispatcher((attempt) => {
          attempts.push(attempt)
          return Promise.resolve(outcome)
        }),
      )
      return attempts
    }
    return { ...opened, uuid, secret, sending }
  }

  it('sends a test once, shows request and response, and does not count its failure', async () => {
    const { user, uuid, service, tester, deliveries, sending, close } = await openWebhook()
    const service500 = tester(answering(500, 'broken'))
    const tested = await service500.keepTest(await service500.sendTest(user, uuid))
    expect(tested).toMatchObject({
      type: 'webhook.test',
      state: 'failed',
      attempts: 1,
      status: 500,
      request: { method: 'POST', url, headers: { 'webhook-id': '1' } },
      response: { status: 500, headers: { 'x-a': 'b' }, body: 'broken' },
    })
    expect(JSON.parse(tested.request.body)).toMatchObject({ type: 'webhook.test', data: { uuid } })
    expect(await deliveries()).toMatchObject([{ uuid: tested.uuid, state: 'failed', due_at: null }])
    expect(await sending()).toEqual([])
    expect((await service.list(user))[0]).toMatchObject({ failing_since: null })
    await service.edit(user, { uuid, enabled: false })
    await expect(service500.sendTest(user, uuid)).rejects.toMatchObject({ status: 409 })
    await close()
  })

  it('resends one finished delivery with its id, or all since a time', async () => {
    const { user, uuid, record, deliveryService, sending, clock, deliveries, close } = await openWebhook()
    await record(user)
    clock.ms += HOUR_MS
    const since = clock.ms
    await record(user)
    await record(user)
    const first = await sending()
    expect(first).toHaveLength(3)
    const delivery = (await deliveries()).find((row) => row.created_at < since)?.uuid ?? ''
    expect(await deliveryService.redeliver(user, { uuid, delivery })).toEqual({ count: 1, more: false })
    expect((await sending()).map(({ id }) => id)).toEqual([delivery])
    expect(await deliveryService.redeliver(user, { uuid, since })).toEqual({ count: 2, more: false })
    // Deliveries in progress are not sent twice.
    expect(await deliveryService.redeliver(user, { uuid, since })).toEqual({ count: 0, more: false })
    const again = await sending()
    expect(again.map(({ id, body }) => id + body).toSorted()).toEqual(
      first
        .map(({ id, body }) => id + body)
        .filter((key) => !key.startsWith(delivery))
        .toSorted(),
    )
    expect(await deliveryService.redeliver(user, { uuid, since, state: 'failed' })).toMatchObject({
      count: 0,
    })
    await expect(deliveryService.redeliver(user, { uuid, delivery: 'x' })).rejects.toMatchObject({
      status: 404,
    })
    await close()
  })

  it('signs with both secrets for a day after the secret was replaced', async () => {
    const { user, uuid, secret, service, record, sending, clock, close } = await openWebhook()
    const rotated = await service.rotateSecret(user, uuid)
    expect(rotated.secret).not.toBe(secret)
    expect(rotated.previous_secret_expires_at).toBe(new Date(clock.ms + 24 * HOUR_MS).toISOString())
    await record(user)
    expect(await sending()).toMatchObject([{ secret: rotated.secret, previousSecret: secret }])
    clock.ms += 24 * HOUR_MS
    await record(user)
    const [later] = await sending()
    expect([later?.secret, later?.previousSecret]).toEqual([rotated.secret, undefined])
    expect(() => new Webhook(rotated.secret)).not.toThrow()
    await close()
  })
})
