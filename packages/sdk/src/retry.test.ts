import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, failure, waits } from '../test/client.ts'
import { hangUp, json, ok, RecordingServer } from '../test/recording-server.ts'

const server = new RecordingServer()
beforeAll(() => server.listen())
afterAll(() => server.close())
const client = clientOf(server)

describe('another attempt', () => {
  it('comes after a lost connection, with the same Idempotency-Key and a new signature', async () => {
    server.respond(hangUp, hangUp, ok({ uuid: 'x' }))
    const { data } = await client().removeLinks({ uuid: 'x' })
    expect(data).toEqual({ uuid: 'x' })
    const sent = server.requests.map(({ headers }) => headers)
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map((headers) => headers['idempotency-key'])).size).toBe(1)
    expect(new Set(sent.map((headers) => headers['x-signature'])).size).toBe(3)
    expect(waits).toEqual([125, 250])
  })

  it('comes when something between us and the server says that it is unavailable', async () => {
    for (const status of [502, 503, 504]) {
      server.respond(json(status, {}), ok([]))
      await client().links()
      expect(server.requests).toHaveLength(2)
    }
  })

  it('is bounded', async () => {
    server.respond(hangUp)
    const error = await failure(client({ retries: 1 }).links())
    expect(error).toMatchObject({ status: 0, message: 'The server could not be reached' })
    expect(error.cause).toBeDefined()
    expect(server.requests).toHaveLength(2)
  })

  it('waits as long as the server asks', async () => {
    server.respond(json(429, { error: 'Slow down' }, { 'retry-after': '17' }), ok([]))
    await client().links()
    expect(waits).toEqual([17_000])
  })

  it('does not come when the server asks for more patience than there is', async () => {
    server.respond(json(503, { error: 'Away' }, { 'retry-after': '61' }))
    expect(await failure(client().links())).toMatchObject({ status: 503, retryAfter: 61 })
    expect(server.requests).toHaveLength(1)
  })

  it('never comes for a fault of ours or a refusal', async () => {
    for (const status of [400, 401, 404, 409, 422, 500]) {
      server.respond(json(status, { error: 'No' }))
      expect(await failure(client().links())).toMatchObject({ status })
      expect(server.requests).toHaveLength(1)
    }
  })

  it('does not come where the server keeps no response to give again', async () => {
    for (const call of [
      () => client().signIn({ email: 'a@b.example', password: 'x' }),
      () => client().generateKey({}),
      () => client().addWebhook({ url: 'https://example.com/hook' }, { idempotencyKey: 'mine' }),
      () => client().rotateWebhookSecret({ uuid: 'x' }),
    ]) {
      server.respond(hangUp)
      expect(await failure(call())).toMatchObject({ status: 0 })
      expect(server.requests).toHaveLength(1)
    }
  })

  it('comes once, at once, when another client used up the signature', async () => {
    const used = json(401, { error: 'Signature already used' })
    server.respond(used, ok({}))
    await client().currentPlan()
    expect(new Set(server.requests.map(({ headers }) => headers['x-signature'])).size).toBe(2)
    server.respond(used)
    expect(await failure(client().currentPlan())).toMatchObject({ status: 401 })
    expect(server.requests).toHaveLength(2)
    expect(waits).toEqual([])
  })

  it('does not come once the caller has given up', async () => {
    const controller = new AbortController()
    server.respond((response) => {
      controller.abort()
      response.destroy()
    })
    await expect(client().links({}, { signal: controller.signal })).rejects.toThrow('abort')
    expect(server.requests).toHaveLength(1)
  })

  it('ends with the deadline of the call, not with a number, while the server says when to come back', async () => {
    let at = 0
    const patient = client({
      now: () => at,
      deadlineMs: 600_000,
      wait: (ms) => Promise.resolve(void (at += ms)),
    })
    server.respond(json(429, { error: 'Slow down' }, { 'retry-after': '60' }))
    expect(await failure(patient.links())).toMatchObject({ name: 'RateLimitError', retryAfter: 60 })
    expect([server.requests.length, at]).toEqual([10, 540_000])
  })

  it('does not begin when the deadline has no room for the wait', async () => {
    server.respond(hangUp)
    const error = await failure(client().links({}, { deadlineMs: 100 }))
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed' })
    expect(server.requests).toHaveLength(1)
  })

  it('is cut off by the deadline', async () => {
    server.respond(() => undefined)
    const error = await failure(client().links({}, { deadlineMs: 50 }))
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'timeout', status: 0 })
  })

  it('comes when an attempt took too long', async () => {
    server.respond(() => undefined, ok([]))
    expect(await client({ timeoutMs: 50 }).links()).toMatchObject({ data: [] })
  })
})
