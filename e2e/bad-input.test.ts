import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  broken,
  disposition,
  manyParts,
  meaningless,
  part,
  raw,
  tooMuch,
  unreadable,
  unstorable,
} from './support/bad-bodies.ts'
import { type MemoryWatch, watchMemory } from './support/memory.ts'
import { textFields, writes } from './support/operations.ts'
import { type Answered, answered, type Encoded, json, multipart, post, sign } from './support/requests.ts'
import { converse, head, statuses } from './support/sockets.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const MIB = 1024 * 1024
/**
 * A started server has 75 MB, and 150 after the invalid bodies. V8 leaves up to 64 MB of buffers that have been read until its
 * next collection. Bodies that were held as a whole would take 376 MB more.
 */
const MEMORY_LIMIT_MB = 300
onStack('embedded', (waymark) => {
  let account: Account
  let memory: MemoryWatch
  beforeAll(async () => {
    account = await waymark().account()
    memory = watchMemory(waymark())
  })
  afterAll(() => memory.stop())

  const send = (path: string, body: Encoded): Promise<Answered> => post(waymark(), account, path, body)

  it('rejects control characters in texts of one line, and accepts line breaks in longer ones', async () => {
    const url = 'https://example.com/'
    const utm = { url, source: 's', medium: 'm', campaign: 'c', content: 'd' }
    const page = { slug: 'a-page', domain: 'localhost', logoPosition: 'top-left', logoStatus: 1 }
    const theme = { bggradient: ['#ffffff', '#ffffff'] }
    const button = { id: 1, status: 1, label: 'Go', url }
    const faulty = (text: string): readonly (readonly [string, object, string])[] => [
      ['generate-link', { link: url, title: text }, 'title'],
      ['generate-link', { link: url, tags: ['a', text] }, 'tags.1'],
      ['generate-link', { link: url, tag: text }, 'tag'],
      ['generate-link', { link: url, variants: [{ url, name: text }, { url }] }, 'variants.0.name'],
      ['generate-link', { link: url, preview: { title: text } }, 'preview.title'],
      ['generate-links', { links: [{ link: url, title: text }] }, 'links.0.title'],
      ['generate-qr', { url, pattern: 'squares', frame: text }, 'frame'],
      ['generate-qr', { content: { type: 'wifi', ssid: text }, pattern: 'squares' }, 'content.ssid'],
      ['generate-barcode', { url, text }, 'text'],
      ['generate-utm', { ...utm, campaign: text }, 'campaign'],
      ['generate-page', { ...page, theme, title: text, buttons: [button] }, 'title'],
      [
        'generate-page',
        { ...page, theme, title: 'T', buttons: [{ ...button, label: text }] },
        'buttons.0.label',
      ],
      ['update-personal-info', { first_name: text }, 'first_name'],
      ['edit-brand-kit', { styles: [{ name: text, pattern: 'dots' }] }, 'styles.0.name'],
      ['edit-workspace', { name: text }, 'name'],
      ['sign-up', { email: 'a@example.com', password: 'Correct-horse-1', last_name: text }, 'last_name'],
    ]
    for (const control of ['\r\n', '\u001b[2J', '\u009b', '\u2028'])
      for (const [name, fields, field] of faulty(`a${control}b`)) {
        const { status, body } = await send(`/v1/${name}`, json(fields))
        const sentence = 'Must be one line of text without control characters'
        expect([name, control, status, body.errors]).toEqual([name, control, 422, { [field]: [sentence] }])
      }
    const lines = 'one\r\ntwo\tthree'
    const accepted: readonly (readonly [string, object])[] = [
      ['add-feedback', { feedback: lines }],
      ['update-personal-info', { address: lines }],
      ['generate-link', { link: url, description: lines, preview: { description: lines } }],
      ['add-webhook', { url: 'https://example.com/hook', description: lines }],
      ['generate-qr', { content: { type: 'sms', number: '+441632960001', message: lines }, pattern: 'dots' }],
      ['generate-page', { ...page, theme, title: 'T', buttons: [{ ...button, type: 'text', label: lines }] }],
    ]
    for (const [name, fields] of accepted) {
      const { status, body } = await send(`/v1/${name}`, json(fields))
      expect([name, status < 300, body.errors]).toEqual([name, true, undefined])
    }
    const { status, body } = await send('/v1/add-feedback', json({ feedback: 'a\u001bb' }))
    expect([status, Object.keys(body.errors)]).toEqual([422, ['feedback']])
  })

  it('reports what only the data can tell together with what the schema rejects', async () => {
    const here = `${waymark().url}/abc`
    const faulty: readonly (readonly [string, Record<string, unknown>])[] = [
      ['generate-link', { link: here, ios_url: here, domain: 'nowhere.example', customLink: 'a b' }],
      ['generate-link', { link: here, domain: 'nowhere.example' }],
      ['edit-links', { uuid: 'x', link: here, domain: 'nowhere.example', redirect: 200 }],
      ['generate-page', { domain: 'nowhere.example', slug: 'a', images: [], buttons: [{ label: 'a' }] }],
      ['generate-qr', { url: here, dynamic: true, pattern: 'stars' }],
      ['generate-barcode', { value: '4006381333932', symbology: 'ean13', size: 5 }],
    ]
    const found = faulty.map(async ([name, fields]) => {
      const { status, body } = await send(`/v1/${name}`, json(fields))
      return [status, name, ...Object.keys(body.errors).sort()].join(' ')
    })
    expect(await Promise.all(found)).toEqual([
      '422 generate-link customLink domain ios_url link',
      '422 generate-link domain link',
      '422 edit-links domain link redirect',
      '422 generate-page domain images logoPosition title',
      '422 generate-qr pattern url',
      '422 generate-barcode size value',
    ])
  })

  describe.each(writes)('$path', ({ path }) => {
    it.each(unreadable)('%s: %i', async (_, status, body) => {
      const answer = await send(path, body)
      expect([answer.status, typeof answer.body.error]).toEqual([status, 'string'])
      expect(answer.headers.get('content-type')).toBe('application/json')
    })

    it('takes what means nothing for an empty object', async () => {
      const empty = await send(path, json('{}'))
      expect([200, 422]).toContain(empty.status)
      for (const [name, body] of meaningless) {
        const answer = await send(path, body)
        expect([name, answer.status, answer.body.errors]).toEqual([name, empty.status, empty.body.errors])
      }
    })

    it('refuses unstorable texts by the name of their field', async () => {
      const field = textFields[path] ?? ''
      for (const [name, body] of unstorable) {
        const answer = await send(path, body(field))
        expect([name, answer.status]).toEqual([name, 422])
        expect(answer.body.errors[field], name).toEqual([expect.any(String)])
      }
    })

    it('413 for 49 MiB of multipart, and the client gets to read it', async () => {
      expect((await send(path, tooMuch)).status).toBe(413)
    })
  })

  describe('bodies as sockets carry them', () => {
    const path = '/v1/add-feedback'
    const signedHead = (body: Encoded, headers: Record<string, string>): string =>
      head('POST', path, {
        'content-type': body.type,
        ...sign(account, 'POST', path, body.digest),
        ...headers,
      })
    const feedback = json({ feedback: 'fine' })

    it('413 for a client that reads only after it has sent 49 MiB', async () => {
      const client = await converse(waymark().port)
      await client.send(signedHead(tooMuch, { 'content-length': String(tooMuch.bytes.length) }))
      client.socket.pause()
      for (let at = 0; at < tooMuch.bytes.length; at += MIB)
        await client.send(tooMuch.bytes.subarray(at, at + MIB))
      client.socket.resume()
      expect(await client.until(/too|over/)).toMatch(/^HTTP\/1\.1 413 /)
      client.end()
    })

    it('413 for 49 MiB whose length is not told beforehand', async () => {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < tooMuch.bytes.length; at += MIB)
            controller.enqueue(new Uint8Array(tooMuch.bytes.subarray(at, at + MIB)))
          controller.close()
        },
      })
      // The types of the platform do not know `duplex` yet.
      const request: RequestInit & { duplex: string } = {
        method: 'POST',
        headers: { 'content-type': tooMuch.type, ...sign(account, 'POST', path, tooMuch.digest) },
        body: stream,
        duplex: 'half',
      }
      const response = await fetch(waymark().url + path, request)
      expect((await answered(response)).status).toBe(413)
    })

    it('takes a chunked body, one byte at a time', async () => {
      const client = await converse(waymark().port)
      await client.send(signedHead(feedback, { 'transfer-encoding': 'chunked', connection: 'close' }))
      for (const byte of feedback.bytes) await client.send(`1\r\n${String.fromCharCode(byte)}\r\n`)
      await client.send('0\r\n\r\n')
      await client.closed()
      expect(statuses(client.heard())).toEqual([201])
    })

    it.each([
      ['a length that is more than is sent', '500', feedback.bytes],
      ['a length that is no number', 'many', feedback.bytes],
      ['a negative length', '-1', feedback.bytes],
      ['two lengths', '3\r\nContent-Length: 4', feedback.bytes],
      ['a length and chunks', `${feedback.bytes.length}\r\nTransfer-Encoding: chunked`, feedback.bytes],
    ])('survives %s', async (_, length, bytes) => {
      const client = await converse(waymark().port)
      await client.send(signedHead(feedback, { 'content-length': length }))
      await client.send(bytes)
      client.socket.end()
      await client.closed()
      // Nothing at all, when the client is gone before there is anything to answer.
      expect([undefined, 400]).toContain(statuses(client.heard())[0])
    })

    it('reads no further than the length told', async () => {
      const cut = raw(feedback.bytes.subarray(0, 5), 'application/json')
      const client = await converse(waymark().port)
      await client.send(signedHead(cut, { 'content-length': '5' }))
      await client.send(feedback.bytes)
      await client.closed()
      const [first, ...more] = statuses(client.heard())
      expect([first, ...more.filter((status) => status !== 400)]).toEqual([400])
    })

    it('survives broken chunks', async () => {
      const client = await converse(waymark().port)
      await client.send(signedHead(feedback, { 'transfer-encoding': 'chunked' }))
      await client.send('zz\r\nnothing\r\n')
      await client.closed()
      expect(statuses(client.heard())[0]).toBe(400)
    })

    it('404 and 405 whatever the type of the body', async () => {
      for (const type of ['', 'nonsense', 'text/plain', 'application/json; charset']) {
        const send = async (method: string, target: string): Promise<number> =>
          (await fetch(waymark().url + target, { method, body: 'x', headers: { 'content-type': type } }))
            .status
        expect([type, await send('POST', '/v1/nothing'), await send('PUT', '/v1/links')]).toEqual([
          type,
          404,
          405,
        ])
      }
      const created = await post(waymark(), account, '/v1/generate-link', { link: 'https://example.com/' })
      const { short_url } = created.body.data as { short_url: string }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await fetch(short_url, { method, redirect: 'manual' })
        expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
        expect((await fetch(`${waymark().url}/no-such-code`, { method })).status).toBe(404)
        for (const path of ['/docs', '/openapi.json', '/robots.txt', '/app/links', '/i/nothing.png', '/']) {
          const site = await fetch(waymark().url + path, { method, redirect: 'manual' })
          expect([method, path, site.status, site.headers.get('allow')]).toEqual([
            method,
            path,
            405,
            'GET, HEAD',
          ])
        }
      }
    })

    it('shows visitors the page of 404 for a path that cannot be decoded or is too long', async () => {
      for (const path of ['%', '%ff', '%c3%28', 'a'.repeat(5000), 'p/%ff']) {
        const { status, headers } = await fetch(`${waymark().url}/${path}`)
        const type = headers.get('content-type')
        expect([path, status, type]).toEqual([path, 404, 'text/html; charset=utf-8'])
        const operation = await fetch(`${waymark().url}/v1/${path}`)
        expect([operation.status, operation.headers.get('content-type')]).toEqual([404, 'application/json'])
      }
    })

    it('415 for a compressed body', async () => {
      const answer = await post(waymark(), account, path, feedback, { 'content-encoding': 'gzip' })
      expect(answer.status).toBe(415)
    })
  })

  describe('the order of checks', () => {
    const path = '/v1/add-feedback'
    const length = { 'content-type': 'application/json', 'content-length': '1000' }
    const forged = { 'x-signature': 'f'.repeat(64) }
    const stale = { 'x-timestamp': '1500000000000' }

    it('answers before a byte of the body has come, unless the headers are right', async () => {
      const cases: [number, Record<string, string>][] = [
        [401, {}],
        [401, { 'x-api-key': 'wm_nobody' }],
        [401, { 'x-api-key': account.apiKey }],
        [401, { ...sign(account, 'POST', path), ...stale }],
        [413, { ...sign(account, 'POST', path), 'content-length': String(5 * MIB) }],
        [415, { ...sign(account, 'POST', path), 'content-type': 'text/plain' }],
      ]
      for (const [status, headers] of cases) {
        for (const expectation of [{}, { expect: '100-continue' }] as Record<string, string>[]) {
          const client = await converse(waymark().port)
          await client.send(head('POST', path, { ...length, ...headers, ...expectation }))
          await client.until(/"error"/)
          expect([headers, statuses(client.heard())]).toEqual([headers, [status]])
          client.end()
        }
      }
    })

    it('gives the go-ahead to whoever has right headers', async () => {
      const body = json({ feedback: 'fine' })
      const client = await converse(waymark().port)
      await client.send(
        head('POST', path, {
          ...sign(account, 'POST', path, body.digest),
          'content-type': body.type,
          'content-length': String(body.bytes.length),
          expect: '100-continue',
        }),
      )
      expect(statuses(await client.until(/100 Continue/))).toEqual([100])
      await client.send(body.bytes)
      expect(statuses(await client.until(/"status":"success"/))).toEqual([100, 201])
      client.end()
    })

    it('parses nothing before the signature holds, and digests nothing that it does not take', async () => {
      const cases: [number, Encoded][] = [
        [401, json('{"broken":')],
        [401, json('[')],
        [401, json('['.repeat(10_000))],
        [401, multipart([{ name: 'image', value: 'no image', filename: 'x.png' }])],
        [400, broken(part(disposition))],
        [400, manyParts(1001)],
        [413, json(' '.repeat(5 * MIB))],
        [415, raw('{}', 'text/plain')],
      ]
      for (const [status, body] of cases) {
        const answer = await post(waymark(), account, path, body, forged)
        expect(answer.status).toBe(status)
      }
    })
  })

  it('keeps its memory while eight clients send 47 MiB each', async () => {
    const body = multipart([
      ...Array.from({ length: 23 }, (_, n) => ({
        name: `file${n}`,
        value: Buffer.alloc(2 * MIB, n),
        filename: 'x.png',
      })),
      { name: 'feedback', value: 'fine' },
    ])
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('/v1/add-feedback', body)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
  })

  it('has kept under 300 MB throughout, without a fault of its own', () => {
    expect(memory.peak()).toBeGreaterThan(0)
    console.info(`peak of memory: ${Math.round(memory.peak())} MB`)
    expect(memory.peak()).toBeLessThan(MEMORY_LIMIT_MB)
    expect(waymark().output()).not.toMatch(/request failed/)
  })
})
