import { createHash, pbkdf2 } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BODY_LIMITS, type BodyError } from './body-limits.ts'
import { readBody } from './read-body.ts'
import { removeStaleBodies, UploadBudget } from './temp-folder.ts'

const MIB = 1024 * 1024
const deriveKey = promisify(pbkdf2)
let tempDir: string

beforeAll(async () => {
  tempDir = await mkdtemp(join(tmpdir(), 'waymark-body-test-'))
})
afterAll(() => rm(tempDir, { recursive: true }))

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

const read = (body: Buffer | string | Iterable<Buffer>, type?: string) =>
  readBody(
    Readable.from(typeof body === 'string' || Buffer.isBuffer(body) ? [Buffer.from(body)] : body),
    type === undefined ? {} : { 'content-type': type },
    BODY_LIMITS,
    tempDir,
  )

const part = (name: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

describe('a body without parts', () => {
  it('is empty if there are no bytes, whatever the headers say', async () => {
    for (const type of [undefined, 'application/json', 'text/plain', 'multipart/form-data']) {
      const raw = await read([], type)
      expect(raw).toMatchObject({ kind: 'none', digest: sha256('') })
    }
  })

  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/problem+json'])(
    'keeps the raw bytes of %s and digests them',
    async (type) => {
      const raw = await read([Buffer.from('{"a"'), Buffer.from(':1}')], type)
      expect(raw).toMatchObject({ kind: 'json', bytes: Buffer.from('{"a":1}'), digest: sha256('{"a":1}') })
    },
  )

  it('counts the memory of a body that arrives in pieces, until it is disposed', async () => {
    const budget = new UploadBudget({ totalBytes: 60, shareBytes: 60 })
    const text = part('a', 'x'.repeat(40))
    const bodies: [string, string[]][] = [
      ['application/json', ['{"a":"', 'x'.repeat(40), '"}']],
      ['multipart/form-data; boundary=b', [text.slice(0, 60), text.slice(60), '--b--\r\n']],
    ]
    for (const [type, pieces] of bodies) {
      const send = () => {
        const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)))
        const share = budget.shareOf(['address a'])
        return readBody(stream, { 'content-type': type }, BODY_LIMITS, tempDir, undefined, share)
      }
      const first = await send()
      await expect(send()).rejects.toMatchObject({ code: 'no_room', status: 503 })
      await first.dispose()
      await (await send()).dispose()
    }
  })

  it('keeps the raw bytes of a url-encoded form', async () => {
    const raw = await read('a=1', 'application/x-www-form-urlencoded;charset=UTF-8')
    expect(raw).toMatchObject({ kind: 'urlencoded', bytes: Buffer.from('a=1'), digest: sha256('a=1') })
  })

  it.each([
    'text/plain',
    'application/jsonp',
    'application/xml',
    'multipart/mixed; boundary=b',
    '',
    ';',
    undefined,
  ])('refuses the type %s', async (type) => {
    await expect(read('{}', type)).rejects.toMatchObject({ code: 'unsupported_type', status: 415 })
  })

  it('rejects compressed bodies', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    await expect(
      readBody(Readable.from([Buffer.from('x')]), headers, BODY_LIMITS, tempDir),
    ).rejects.toMatchObject({
      code: 'unsupported_type',
    })
    const identity = { 'content-type': 'application/json', 'content-encoding': 'identity' }
    expect(await readBody(Readable.from([Buffer.from('x')]), identity, BODY_LIMITS, tempDir)).toMatchObject({
      kind: 'json',
    })
  })

  it('accepts exactly 4 MiB and not a byte more', async () => {
    const body = Buffer.alloc(4 * MIB, ' ')
    expect(await read(body, 'application/json')).toMatchObject({ kind: 'json', digest: sha256(body) })
    await expect(read([body, Buffer.from(' ')], 'application/json')).rejects.toMatchObject({
      code: 'too_large',
      status: 413,
    })
  })

  it('rejects a declared length above the limit without reading', async () => {
    let pulled = false
    const stream = Readable.from(
      (function* () {
        pulled = true
        yield Buffer.from('x')
      })(),
    )
    const headers = { 'content-type': 'application/json', 'content-length': String(4 * MIB + 1) }
    const response = readBody(stream, headers, { ...BODY_LIMITS, discardBytes: 0 }, tempDir)
    expect(pulled).toBe(false)
    await expect(response).rejects.toMatchObject({ code: 'too_large' })
  })
})

describe('a client that falls silent', () => {
  it('is rejected after a timeout, however much it has sent', async () => {
    const stream = new Readable({ read: () => {} })
    stream.push('{"a":')
    const headers = { 'content-type': 'application/json' }
    const response = readBody(stream, headers, { ...BODY_LIMITS, idleMs: 20 }, tempDir)
    await expect(response).rejects.toMatchObject({ code: 'too_slow', status: 408 })
  })

  it('is not blamed for a slow disk', async () => {
    // All threads that write files are busy, much longer than the client may be silent.
    const busy = Array.from({ length: 4 }, () => deriveKey('a', 'b', 1_000_000, 64, 'sha512'))
    const pieces = [part('a', 'x'.repeat(200_000), '; filename="a"'), part('b', 'y'), '--b--\r\n']
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)))
    const body = await readBody(stream, type, { ...BODY_LIMITS, idleMs: 300 }, tempDir)
    expect(body).toMatchObject({ kind: 'multipart', parts: [{ name: 'a' }, { name: 'b' }] })
    await body.dispose()
    await Promise.all(busy)
  })
})

describe('100 Continue', () => {
  it.each([
    ['right headers', { 'content-type': 'application/json', 'content-length': '2' }, true],
    ['a length over the limit', { 'content-type': 'application/json', 'content-length': '99999999' }, false],
    ['another type', { 'content-type': 'text/plain', 'content-length': '2' }, false],
  ])('for %s', async (_, headers, expected) => {
    let given = false
    await readBody(Readable.from([Buffer.from('{}')]), headers, BODY_LIMITS, tempDir, () => {
      given = true
    }).catch(() => undefined)
    expect(given).toBe(expected)
  })
})

describe('over a socket', () => {
  const serve = async () => {
    const outcomes: PromiseWithResolvers<unknown> = Promise.withResolvers()
    const server = createServer((request, response) => {
      readBody(request, request.headers, BODY_LIMITS, tempDir).then(
        async (raw) => {
          await raw.dispose()
          response.end(`${raw.kind} ${raw.digest}`)
          outcomes.resolve(raw)
        },
        (error: BodyError) => {
          response.writeHead(error.status, { connection: 'close' }).end(error.code)
          outcomes.resolve(error)
        },
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { server, port: (server.address() as AddressInfo).port, outcome: outcomes.promise }
  }

  it('reads all of a body that arrived in pieces before it was read', async () => {
    const server = createServer((request, response) => {
      const whenAllIsThere = (): void => {
        if (request.readableLength < body.length) return void setTimeout(whenAllIsThere, 5)
        void readBody(request, request.headers, BODY_LIMITS, tempDir).then((raw) => response.end(raw.digest))
      }
      whenAllIsThere()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const body = JSON.stringify({ a: 'y'.repeat(30_000) })
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n')
    socket.write(`Content-Length: ${body.length}\r\n\r\n`)
    for (const piece of [body.slice(0, 10), body.slice(10, 9_000), body.slice(9_000)]) {
      socket.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await text(socket)).toContain(sha256(body))
    server.close()
  })

  it('accepts a chunked body without a length', async () => {
    const { server, port } = await serve()
    const response = await new Promise<string>((resolve, reject) => {
      const request = httpRequest({ port, method: 'POST', headers: { 'content-type': 'application/json' } })
      request.on('error', reject).on('response', (response) => resolve(text(response)))
      request.write('{"a"')
      request.end(':1}')
    })
    server.close()
    expect(response).toBe(`json ${sha256('{"a":1}')}`)
  })

  it('removes the files of a client that disconnects', async () => {
    const { server, port, outcome } = await serve()
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n',
    )
    socket.write(part('f', 'some bytes that reach the disk', '; filename="f"'))
    while ((await readdir(tempDir)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    socket.destroy()
    expect(await outcome).toMatchObject({ code: 'aborted' })
    expect(await readdir(tempDir)).toEqual([])
    server.close()
  })

  it('accepts a body byte by byte, without writing single bytes to disk', async () => {
    const { server, port } = await serve()
    const socket = connect(port, '127.0.0.1')
    const response = text(socket)
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n')
    socket.write('Content-Type: multipart/form-data; boundary=b\r\n\r\n')
    const file = 'y'.repeat(20_000)
    const body = `${part('f', file, '; filename="f"')}--b--`
    for (const letter of body.split('')) socket.write(`1\r\n${letter}\r\n`)
    socket.write('0\r\n\r\n')
    expect(await response).toContain(`multipart ${sha256(`f\n${sha256(file)}\n`)}`)
    server.close()
  })

  it('is aborted immediately if the client has already disconnected', async () => {
    const gone = new Readable({ read: () => {} })
    gone.destroy()
    await expect(readBody(gone, {}, BODY_LIMITS, tempDir)).rejects.toMatchObject({ code: 'aborted' })
  })

  it('lets a client that sends too much read its response', async () => {
    const { server, port } = await serve()
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(30 * MIB, ' '),
    })
    expect(response.status).toBe(413)
    expect(await response.text()).toBe('too_large')
    server.close()
  })
})

describe('removeStaleBodies', () => {
  it('removes only old bodies', async () => {
    const old = await mkdtemp(join(tempDir, 'body-'))
    const fresh = await mkdtemp(join(tempDir, 'body-'))
    await utimes(old, 1, 1)
    await removeStaleBodies(tempDir, 60_000, Date.now())
    expect(await readdir(tempDir)).toEqual([fresh.slice(tempDir.length + 1)])
    await rm(fresh, { recursive: true })
    await removeStaleBodies(join(tempDir, 'absent'), 0, Date.now())
  })
})
