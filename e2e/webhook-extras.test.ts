import { afterAll, beforeAll, expect, it } from 'vitest'
import { BROWSER } from './support/pages.ts'
import { openReceiver, type Receiver, verify } from './support/receiver.ts'
import { get, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account, Waymark } from './support/waymark.ts'

const link = { link: 'https://example.com/' }

let receiver: Receiver
let paths = 0
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())

const hook = async (waymark: Waymark, account: Account, events?: string[]) => {
  const path = `/extra/${++paths}`
  const { status, body } = await post(waymark, account, '/v1/add-webhook', {
    url: receiver.url + path,
    events,
  })
  expect(status).toBe(201)
  return { path, uuid: body.data.uuid as string, secret: body.data.secret as string }
}

const click = async (url: string, times: number): Promise<void> => {
  for (let n = 0; n < times; n++) {
    const answer = await fetch(url, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
    expect(answer.status).toBe(302)
  }
}

onStack(
  'embedded',
  (waymark) => {
    const call = (account: Account, path: string, body: Record<string, unknown>) =>
      post(waymark(), account, path, body)

    it('a test returns what was sent and what came back', async () => {
      const account = await waymark().account()
      const { path, uuid, secret } = await hook(waymark(), account)
      receiver.answer(path, (response) => {
        response.writeHead(418, { 'x-kettle': 'short' }).end('stout')
      })
      const { status, body } = await call(account, '/v1/test-webhook', { uuid })
      expect(status).toBe(200)
      const { request, response, state, type } = body.data
      expect([type, state]).toEqual(['webhook.test', 'failed'])
      expect(response).toMatchObject({ status: 418, headers: { 'x-kettle': 'short' }, body: 'stout' })
      const [received] = receiver.at(path)
      expect(request).toMatchObject({ method: 'POST', url: receiver.url + path, body: received?.body })
      expect(request.headers['webhook-signature']).toBe(received?.headers['webhook-signature'])
      expect(verify(secret, received!)).toMatchObject({ type: 'webhook.test' })
      const { data } = (await get(waymark(), account, `/v1/webhook-deliveries?uuid=${uuid}`)).body
      expect(data.map((each: { uuid: string }) => each.uuid)).toEqual([body.data.uuid])
    })

    it('sends deliveries again, one or all since a time', async () => {
      const account = await waymark().account()
      const { path, uuid } = await hook(waymark(), account, ['link.created'])
      const since = new Date().toISOString()
      for (let n = 0; n < 3; n++) await call(account, '/v1/generate-link', link)
      const states = async () =>
        (await get(waymark(), account, `/v1/webhook-deliveries?uuid=${uuid}`)).body.data.map(
          (each: { state: string }) => each.state,
        )
      await expect.poll(states).toEqual(['delivered', 'delivered', 'delivered'])
      const newest = await get(waymark(), account, `/v1/webhook-deliveries?uuid=${uuid}&limit=2`)
      expect(newest.body.meta).toEqual({ count: 2, total: 3, next_cursor: null })
      const whole = { count: 1, total: 1, next_cursor: null }
      for (const list of ['webhooks', 'domains'])
        expect([list, (await get(waymark(), account, `/v1/${list}`)).body.meta]).toEqual([list, whole])
      const ids = receiver.at(path).map(({ id }) => id)
      const one = await call(account, '/v1/redeliver-webhook', { uuid, delivery: ids[0] })
      expect([one.status, one.body.data]).toEqual([200, { count: 1, more: false }])
      await expect.poll(() => receiver.at(path).map(({ id }) => id)).toEqual([...ids, ids[0]])
      await expect.poll(states).toEqual(['delivered', 'delivered', 'delivered'])
      expect((await call(account, '/v1/redeliver-webhook', { uuid, since })).body.data.count).toBe(3)
      await expect.poll(() => receiver.at(path).length).toBe(7)
      for (const [body, status] of [
        [{ uuid }, 422],
        [{ uuid, since: 'yesterday' }, 422],
        [{ uuid, delivery: 'unknown' }, 404],
        [{ uuid: 'unknown', since }, 404],
      ] as const)
        expect((await call(account, '/v1/redeliver-webhook', body)).status, JSON.stringify(body)).toBe(status)
    })

    it('signs with the old and the new secret after a rotation', async () => {
      const account = await waymark().account()
      const { path, uuid, secret } = await hook(waymark(), account)
      const rotated = await call(account, '/v1/rotate-webhook-secret', { uuid })
      expect(rotated.status).toBe(200)
      const left = Date.parse(rotated.body.data.previous_secret_expires_at) - Date.now()
      expect(left / 3_600_000).toBeCloseTo(24, 0)
      await call(account, '/v1/generate-link', link)
      await expect.poll(() => receiver.at(path).length).toBe(1)
      const [received] = receiver.at(path)
      for (const each of [secret, rotated.body.data.secret])
        expect(verify(each, received!)).toMatchObject({ type: 'link.created' })
    })

    it('tells of clicks in batches, and of all of them when the server is killed', async () => {
      const account = await waymark().account()
      const { path, secret } = await hook(waymark(), account, ['link.clicked'])
      const everything = await hook(waymark(), account)
      const { data } = (await call(account, '/v1/generate-link', link)).body
      await click(data.short_url, 3)
      await waymark().end('SIGKILL')
      await waymark().restart()
      await click(data.short_url, 2)
      // At least once: what the killed server had sent may come again, under the same id.
      const deliveries = () => [...new Map(receiver.at(path).map((each) => [each.id, each])).values()]
      const told = () => deliveries().reduce((sum, { event }) => sum + event.data.count, 0)
      await expect.poll(told, { timeout: 150_000 }).toBe(5)
      await click(data.short_url, 1)
      await expect.poll(told).toBe(6)
      const events = deliveries().map(({ event }) => event)
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['link.clicked']))
      expect(events[0].data.clicks[0]).toMatchObject({ link_uuid: data.uuid, clicked_at: expect.any(String) })
      const times = events.map(({ timestamp }) => Date.parse(timestamp))
      for (const [at, time] of times.entries())
        if (at > 0) expect(time - times[at - 1]!).toBeGreaterThanOrEqual(10_000)
      expect(verify(secret, receiver.at(path)[0]!)).toBeDefined()
      // A webhook without a list of events gets everything but clicks; what the killed server had begun to send, later.
      const types = (): string[] => [
        ...new Set(receiver.at(everything.path).map(({ event }) => event.type as string)),
      ]
      await expect.poll(types, { timeout: 150_000 }).toEqual(['link.created'])
    }, 300_000)
  },
  { WEBHOOK_ALLOW_PRIVATE: 'true' },
)
