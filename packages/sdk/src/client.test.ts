import { readFileSync } from 'node:fs'
import { operations, type Operation } from '@waymark/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectedSignature, hangUp, json, ok, rawParts, RecordingServer } from '../test/recording-server.ts'
import { createClient, WaymarkError, type Client } from './index.ts'
import type { KeyOptions } from './call.ts'

const server = new RecordingServer()
beforeAll(() => server.listen())
afterAll(() => server.close())

const secret = 'wms_secret'
const waits: number[] = []
const client = (options: Partial<KeyOptions> = {}): Client => {
  waits.length = 0
  return createClient({
    baseUrl: server.baseUrl,
    apiKey: 'wm_key',
    secret,
    random: () => 0,
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
    ...options,
  })
}
const failure = (call: Promise<unknown>): Promise<WaymarkError> =>
  call.then(
    () => {
      throw new Error('It did not fail')
    },
    (error: WaymarkError) => error,
  )

describe('every operation of the table', () => {
  it.each(Object.entries(operations as Record<string, Operation>))(
    '%s goes where its row says, as its row says',
    async (name, { method, path, auth, takes, answers }) => {
      server.answer(ok({}))
      const run = client()[name as 'links'] as (input: object) => Promise<unknown>
      const answer = { status: 'success', message: 'Done', data: {} }
      expect(await run({ uuid: 'x' })).toEqual(answers === 'csv' ? JSON.stringify(answer) : answer)
      const { headers, url, body } = server.last
      expect([server.last.method, url]).toEqual([method, method === 'GET' ? `${path}?uuid=x` : path])
      expect(headers['accept']).toBe(answers === 'csv' ? 'text/csv, application/json' : 'application/json')
      expect(headers['x-api-key']).toBe(auth === 'none' ? undefined : 'wm_key')
      expect(headers['x-signature']).toBe(
        auth === 'signed' ? expectedSignature(secret, server.last) : undefined,
      )
      expect(headers['content-type']?.split(';')[0]).toBe(
        { none: undefined, json: 'application/json', multipart: 'multipart/form-data' }[takes],
      )
      expect(headers['idempotency-key'] === undefined).toBe(method === 'GET')
      expect(body.length > 0).toBe(method === 'POST')
    },
  )
})

describe('what is sent', () => {
  it('signs the query as it is sent', async () => {
    server.answer(ok({}))
    await client().downloadInvoice({ number: 'WM/2026 & more ü' })
    expect(server.last.url).toBe('/v1/download-invoice?number=WM%2F2026+%26+more+%C3%BC')
    expect(server.last.headers['x-signature']).toBe(expectedSignature(secret, server.last))
  })

  it('sends pages as a form whose parts are those that were signed', async () => {
    server.answer(ok({}))
    const picture = readFileSync(new URL('client.test.ts', import.meta.url))
    await client().generatePage({
      title: 'T "quoted"',
      subtext: 'line\nline',
      slug: 's',
      logoPosition: 'top-left',
      logo: null,
      images: [new File([picture], 'a.png', { type: 'image/png' }), new Blob(['b'])],
      buttons: [{ label: 'A', url: 'https://a.example' }, { label: 'B' }],
    })
    expect(server.last.headers['x-signature']).toBe(expectedSignature(secret, server.last))
    const parts = rawParts(server.last)
    expect(parts.map(({ name }) => name).join(' ')).toBe(
      'title subtext slug logoPosition logo images[] images[] buttons[][label] buttons[][url] buttons[][label]',
    )
    expect(parts[1]?.bytes.toString()).toBe('line\nline')
    expect(parts[5]?.bytes.equals(picture)).toBe(true)
  })

  it('sends a file as a form even where the row says JSON', async () => {
    server.answer(ok({}))
    const body = { link: 'https://a.example', picture: new Blob(['x']) }
    await client().generateLink(body)
    expect(server.last.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  })

  it('takes an Idempotency-Key, and makes a new one for each write that has none', async () => {
    server.answer(ok({}))
    await client().generateLink({ link: 'https://a.example' }, { idempotencyKey: 'mine' })
    await client().generateLink({ link: 'https://a.example' })
    await client().generateLink({ link: 'https://a.example' })
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toBe('mine')
    expect(new Set(keys).size).toBe(3)
  })

  it('sends neither key nor signature with a session', async () => {
    server.answer(ok({}))
    await createClient({ baseUrl: `${server.baseUrl}/`, session: true }).removeLinks({ uuid: 'x' })
    expect(server.last.url).toBe('/v1/remove-links')
    expect(server.last.headers).not.toHaveProperty('x-api-key')
    expect(server.last.headers).not.toHaveProperty('x-signature')
  })

  it('never signs twice in one millisecond', async () => {
    server.answer(ok({}))
    const frozen = client({ now: () => 1_767_225_600_000 })
    await Promise.all(Array.from({ length: 20 }, () => frozen.currentPlan()))
    const stamps = new Set(server.requests.map(({ headers }) => headers['x-timestamp']))
    expect(stamps.size).toBe(20)
    expect([...stamps].every((stamp) => /^\d{13}$/.test(String(stamp)))).toBe(true)
  })

  it('refuses to call a signed operation without the secret', async () => {
    server.answer(ok({}))
    const unsigned = createClient({ baseUrl: server.baseUrl, apiKey: 'wm_key' })
    await expect(unsigned.removeLinks({ uuid: 'x' })).rejects.toThrow('needs the secret')
    expect(server.requests).toHaveLength(0)
  })

  it('tells how far an upload has come', async () => {
    server.answer(ok({}))
    const seen: number[] = []
    const onUploadProgress = ({ loaded, total }: { loaded: number; total: number }): void => {
      seen.push(loaded / total)
    }
    await client().addFeedback({ feedback: 'x', image: new Blob(['y']) }, { onUploadProgress })
    expect(seen.at(-1)).toBe(1)
  })
})

describe('what comes back', () => {
  it('is a WaymarkError that names the fields and the request', async () => {
    server.answer(json(422, { error: 'Wrong', errors: { 'buttons.0.label': ['This field is required'] } }))
    const error = await failure(client().generateLink({ link: 'x' }))
    expect(error).toBeInstanceOf(WaymarkError)
    expect(error).toMatchObject({
      name: 'WaymarkError',
      message: 'Wrong',
      status: 422,
      errors: { 'buttons.0.label': ['This field is required'] },
      requestId: 'req-1',
      retryAfter: undefined,
    })
    expect(server.requests).toHaveLength(1)
  })

  it('is the text of a file where the row says so, and a WaymarkError where that is refused', async () => {
    server.answer((response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('link\r\n'))
    expect(await client().exportLinks({ tag: 'shop' })).toBe('link\r\n')
    expect(server.last.url).toBe('/v1/export-links?tag=shop')
    server.answer(json(422, { error: 'Wrong', errors: { tag: ['Too long'] } }))
    expect(await failure(client().exportLinks())).toMatchObject({
      status: 422,
      errors: { tag: ['Too long'] },
    })
  })

  it('carries the string to be signed when the signature was wrong', async () => {
    server.answer(json(401, { error: 'Invalid signature', canonical: 'a\nb' }))
    expect(await failure(client().currentPlan())).toMatchObject({ status: 401, canonical: 'a\nb' })
    expect(server.requests).toHaveLength(1)
  })

  it('may be no JSON at all', async () => {
    server.answer((response) => response.writeHead(502).end('<html>'))
    expect(await failure(client().links())).toMatchObject({ status: 502, message: 'The server answered 502' })
  })

  it('may be a redirect, which is not followed with the key in hand', async () => {
    server.answer((response) => response.writeHead(301, { location: 'http://127.0.0.1:9/' }).end())
    expect(await failure(client().links())).toMatchObject({ status: 301 })
    expect(server.requests).toHaveLength(1)
  })
})

describe('another attempt', () => {
  it('comes after a lost connection, with the same Idempotency-Key and a new signature', async () => {
    server.answer(hangUp, hangUp, ok({ uuid: 'x' }))
    const { data } = await client().removeLinks({ uuid: 'x' })
    expect(data).toEqual({ uuid: 'x' })
    const sent = server.requests.map(({ headers }) => headers)
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map((headers) => headers['idempotency-key'])).size).toBe(1)
    expect(new Set(sent.map((headers) => headers['x-signature'])).size).toBe(3)
    expect(waits).toEqual([125, 250])
  })

  it('is bounded', async () => {
    server.answer(hangUp)
    const error = await failure(client({ retries: 1 }).links())
    expect(error).toMatchObject({ status: 0, message: 'The server could not be reached' })
    expect(error.cause).toBeDefined()
    expect(server.requests).toHaveLength(2)
  })

  it('waits as long as the server asks', async () => {
    server.answer(json(429, { error: 'Slow down' }, { 'retry-after': '17' }), ok([]))
    await client().links()
    expect(waits).toEqual([17_000])
  })

  it('does not come when the server asks for more patience than there is', async () => {
    server.answer(json(503, { error: 'Away' }, { 'retry-after': '61' }))
    expect(await failure(client().links())).toMatchObject({ status: 503, retryAfter: 61 })
    expect(server.requests).toHaveLength(1)
  })

  it('never comes for a fault of ours or a refusal', async () => {
    for (const status of [400, 401, 404, 409, 422, 500]) {
      server.answer(json(status, { error: 'No' }))
      expect(await failure(client().links())).toMatchObject({ status })
      expect(server.requests).toHaveLength(1)
    }
  })

  it('does not come where the server keeps no answer to give again', async () => {
    for (const call of [
      () => client().signIn({ email: 'a@b.example', password: 'x' }),
      () => client().generateKey({}),
    ]) {
      server.answer(hangUp)
      expect(await failure(call())).toMatchObject({ status: 0 })
      expect(server.requests).toHaveLength(1)
    }
  })

  it('comes once, at once, when another client used up the signature', async () => {
    const used = json(401, { error: 'Signature already used' })
    server.answer(used, ok({}))
    await client().currentPlan()
    expect(new Set(server.requests.map(({ headers }) => headers['x-signature'])).size).toBe(2)
    server.answer(used)
    expect(await failure(client().currentPlan())).toMatchObject({ status: 401 })
    expect(server.requests).toHaveLength(2)
    expect(waits).toEqual([])
  })

  it('does not come once the caller has given up', async () => {
    const controller = new AbortController()
    server.answer((response) => {
      controller.abort()
      response.destroy()
    })
    await expect(client().links({}, { signal: controller.signal })).rejects.toThrow('abort')
    expect(server.requests).toHaveLength(1)
  })

  it('comes when an attempt took too long', async () => {
    server.answer(() => undefined, ok([]))
    expect(await client({ timeoutMs: 50 }).links()).toMatchObject({ data: [] })
  })
})

describe('all', () => {
  it('walks through the pages and asks for the next one only when it is needed', async () => {
    const page = (items: number[], next: string | null) =>
      ok(items, { count: items.length, total: 5, next_cursor: next })
    server.answer(page([1, 2], 'c1'), page([], 'c2'), page([3], null))
    const seen: unknown[] = []
    for await (const item of client().all('links', { limit: 2, tag: 'x' })) {
      seen.push(item)
      if (seen.length === 2) expect(server.requests).toHaveLength(1)
    }
    expect(seen).toEqual([1, 2, 3])
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/links?limit=2&tag=x',
      '/v1/links?limit=2&tag=x&cursor=c1',
      '/v1/links?limit=2&tag=x&cursor=c2',
    ])
  })
})
