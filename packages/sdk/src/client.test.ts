import { readFileSync } from 'node:fs'
import { operations, type Operation } from '@waymark/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, failure, secret } from '../test/client.ts'
import { expectedSignature, hangUp, json, ok, rawParts, RecordingServer } from '../test/recording-server.ts'
import { createClient, WaymarkError } from './index.ts'

const server = new RecordingServer()
beforeAll(() => server.listen())
afterAll(() => server.close())
const client = clientOf(server)

async function firstEvent(events: AsyncIterable<unknown>): Promise<unknown> {
  for await (const event of events) return event
  return undefined
}

describe('every operation of the table', () => {
  it.each(Object.entries(operations as Record<string, Operation>))(
    '%s goes where its row says, as its row says',
    async (name, { method, path, auth, takes, returns }) => {
      server.respond(ok({}))
      const call = client()[name as 'links'] as (input: object) => Promise<unknown>
      const run = returns === 'events' ? () => firstEvent(client().live({ uuid: 'x' })) : call
      const response = { status: 'success', message: 'Done', data: {} }
      const text = JSON.stringify(response)
      if (returns === 'events') server.respond((response) => response.end(`event: click\ndata: ${text}\n\n`))
      const bytes = new TextEncoder().encode(text)
      expect(await run({ uuid: 'x' })).toEqual(
        { json: response, csv: text, archive: bytes, zip: bytes, picture: bytes, events: response }[
          returns ?? 'json'
        ],
      )
      const { headers, url, body } = server.last
      expect([server.last.method, url]).toEqual([method, method === 'GET' ? `${path}?uuid=x` : path])
      expect(headers['accept']).toBe(
        {
          json: 'application/json',
          csv: 'text/csv, application/json',
          archive: 'application/gzip, application/json',
          zip: 'application/zip, application/json',
          picture: 'application/pdf, image/*, application/json',
          events: 'text/event-stream, application/json',
        }[returns ?? 'json'],
      )
      expect(headers['x-api-key']).toBe(auth === 'none' ? undefined : 'wm_key')
      expect(headers['x-signature']).toBe(
        auth === 'signed' || auth === 'key' ? expectedSignature(secret, server.last) : undefined,
      )
      expect(headers['content-type']?.split(';')[0]).toBe(
        { none: undefined, json: 'application/json', multipart: 'multipart/form-data' }[takes],
      )
      expect(headers['idempotency-key'] === undefined).toBe(method === 'GET')
      expect(body.length > 0).toBe(method === 'POST')
    },
  )
})

describe('requests', () => {
  it('sends an access token instead of key and signature', async () => {
    server.respond(ok({}))
    const { baseUrl } = server
    await createClient({ baseUrl, token: 'wmt_x' }).editLinks({ uuid: 'u', link: 'https://example.com/' })
    const { authorization, ...headers } = server.last.headers
    expect(authorization).toBe('Bearer wmt_x')
    expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([])
    await createClient({ baseUrl, token: 'wmt_x' }).healthcheck()
    expect(server.last.headers.authorization).toBeUndefined()
  })

  it('signs the query as it is sent', async () => {
    server.respond(ok({}))
    await client().downloadInvoice({ number: 'WM/2026 & more ü' })
    expect(server.last.url).toBe('/v1/download-invoice?number=WM%2F2026+%26+more+%C3%BC')
    expect(server.last.headers['x-signature']).toBe(expectedSignature(secret, server.last))
  })

  it('sends pages as a form with exactly the signed parts', async () => {
    server.respond(ok({}))
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

  it('sends a file as a form even if the table says JSON', async () => {
    server.respond(ok({}))
    const body = { link: 'https://a.example', picture: new Blob(['x']) }
    await client().generateLink(body)
    expect(server.last.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  })

  it('accepts an Idempotency-Key, and creates one for each write without', async () => {
    server.respond(ok({}))
    await client().generateLink({ link: 'https://a.example' }, { idempotencyKey: 'mine' })
    await client().generateLink({ link: 'https://a.example' })
    await client().generateLink({ link: 'https://a.example' })
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toBe('mine')
    expect(new Set(keys).size).toBe(3)
  })

  it('sends neither key nor signature with a session', async () => {
    server.respond(ok({}))
    await createClient({ baseUrl: `${server.baseUrl}/`, session: true }).removeLinks({ uuid: 'x' })
    expect(server.last.url).toBe('/v1/remove-links')
    expect(server.last.headers).not.toHaveProperty('x-api-key')
    expect(server.last.headers).not.toHaveProperty('x-signature')
  })

  it('never signs twice in one millisecond', async () => {
    server.respond(ok({}))
    const frozen = client({ now: () => 1_767_225_600_000 })
    await Promise.all(Array.from({ length: 20 }, () => frozen.currentPlan()))
    const stamps = new Set(server.requests.map(({ headers }) => headers['x-timestamp']))
    expect(stamps.size).toBe(20)
    expect([...stamps].every((stamp) => /^\d{13}$/.test(String(stamp)))).toBe(true)
  })

  it('rejects calls of signed operations without the secret', async () => {
    server.respond(ok({}))
    const unsigned = createClient({ baseUrl: server.baseUrl, apiKey: 'wm_key' })
    await expect(unsigned.removeLinks({ uuid: 'x' })).rejects.toThrow('needs the secret')
    expect(server.requests).toHaveLength(0)
  })

  it('reports the progress of an upload', async () => {
    server.respond(ok({}))
    const seen: number[] = []
    const onUploadProgress = ({ loaded, total }: { loaded: number; total: number }): void => {
      seen.push(loaded / total)
    }
    await client().addFeedback({ feedback: 'x', image: new Blob(['y']) }, { onUploadProgress })
    expect(seen.at(-1)).toBe(1)
  })
})

describe('responses', () => {
  it('are WaymarkErrors with the fields and the request', async () => {
    server.respond(json(422, { error: 'Wrong', errors: { 'buttons.0.label': ['This field is required'] } }))
    const error = await failure(client().generateLink({ link: 'x' }))
    expect(error).toBeInstanceOf(WaymarkError)
    expect(error).toMatchObject({
      name: 'ValidationError',
      code: 'validation',
      message: 'Wrong',
      status: 422,
      errors: { 'buttons.0.label': ['This field is required'] },
      requestId: 'req-1',
      retryAfter: undefined,
    })
    expect(server.requests).toHaveLength(1)
  })

  it('are the text of a file if the table says so, and a WaymarkError if that is rejected', async () => {
    server.respond((response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('link\r\n'))
    expect(await client().exportLinks({ tag: 'shop' })).toBe('link\r\n')
    expect(server.last.url).toBe('/v1/export-links?tag=shop')
    server.respond(json(422, { error: 'Wrong', errors: { tag: ['Too long'] } }))
    expect(await failure(client().exportLinks())).toMatchObject({
      status: 422,
      errors: { tag: ['Too long'] },
    })
  })

  it('include the string to sign if the signature was wrong', async () => {
    server.respond(json(401, { error: 'Invalid signature', canonical: 'a\nb' }))
    expect(await failure(client().currentPlan())).toMatchObject({ status: 401, canonical: 'a\nb' })
    expect(server.requests).toHaveLength(1)
  })

  it('need not be JSON', async () => {
    server.respond((response) => response.writeHead(502).end('<html>'))
    expect(await failure(client().links())).toMatchObject({ status: 502, message: 'The server returned 502' })
  })

  it('can be a redirect, which is not followed with the key', async () => {
    server.respond((response) => response.writeHead(301, { location: 'http://127.0.0.1:9/' }).end())
    expect(await failure(client().links())).toMatchObject({ status: 301 })
    expect(server.requests).toHaveLength(1)
  })
})

describe('hooks', () => {
  it('see every attempt and can add headers', async () => {
    const seen: string[] = []
    server.respond(hangUp, ok({}))
    await client({
      onRequest: ({ operation, method, attempt, headers }) => {
        seen.push(`${operation} ${method} ${attempt}`)
        expect(headers).not.toHaveProperty('x-api-key')
        headers['traceparent'] = `00-${attempt}`
      },
      onResponse: ({ attempt, status, requestId }) => seen.push(`${attempt} ${status} ${requestId ?? '-'}`),
    }).removeLinks({ uuid: 'x' })
    expect(seen).toEqual(['removeLinks POST 1', '1 0 -', 'removeLinks POST 2', '2 200 req-1'])
    expect(server.requests.map(({ headers }) => headers['traceparent'])).toEqual(['00-1', '00-2'])
    expect(server.last.headers['x-signature']).toBe(expectedSignature(secret, server.last))
  })
})

describe('strictness', () => {
  it('is requested unless disabled', async () => {
    server.respond(ok({}))
    await client().generateLink({ link: 'https://a.example' })
    expect(server.last.headers['prefer']).toBe('handling=strict')
    await client({ strict: false }).generateLink({ link: 'https://a.example' })
    expect(server.last.headers).not.toHaveProperty('prefer')
  })

  it('is sent with an edit that specifies its version', async () => {
    server.respond(ok({}))
    const edit = { uuid: 'x', link: 'https://a.example' }
    await client().editLinks(edit, { ifMatch: { updated_at: '2026-01-02T00:00:00.000Z' } })
    expect(server.last.headers['if-match']).toBe('"2026-01-02T00:00:00.000Z"')
    await client().editLinks(edit, { ifMatch: '2026-01-03T00:00:00.000Z' })
    expect(server.last.headers['if-match']).toBe('"2026-01-03T00:00:00.000Z"')
    await client().editLinks(edit)
    expect(server.last.headers).not.toHaveProperty('if-match')
  })
})
