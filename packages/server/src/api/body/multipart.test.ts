import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BODY_LIMITS, type BodyLimits } from './body-limits.ts'
import { readBody, type RawBody } from './read-body.ts'

const KIB = 1024
const MIB = 1024 * KIB
let tempDir: string

beforeAll(async () => {
  tempDir = await mkdtemp(join(tmpdir(), 'waymark-multipart-test-'))
})
afterAll(() => rm(tempDir, { recursive: true }))

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

const read = (body: Buffer | string | Iterable<Buffer>, type: string, limits: Partial<BodyLimits> = {}) =>
  readBody(
    Readable.from(typeof body === 'string' || Buffer.isBuffer(body) ? [Buffer.from(body)] : body),
    { 'content-type': type },
    { ...BODY_LIMITS, ...limits },
    tempDir,
  )

const multipart = (body: Buffer | string | Iterable<Buffer>, limits: Partial<BodyLimits> = {}) =>
  read(body, 'multipart/form-data; boundary=b', limits)

const partsOf = (raw: RawBody) => {
  if (raw.kind !== 'multipart') throw new Error(`A ${raw.kind} body`)
  return raw.parts
}

const texts = async (body: string) =>
  partsOf(await multipart(body)).map((part) => [part.name, part.text.toString()])

const part = (name: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

describe('multipart', () => {
  it('reads text and file parts, and digests names and bytes but not the boundary', async () => {
    const image = Buffer.from([0xff, 0xd8, 0x0d, 0x0a, 0x2d, 0x2d, 0x62, 0x00])
    const body = Buffer.concat([
      Buffer.from(part('title', 'Hello')),
      Buffer.from('--b\r\ncontent-disposition: form-data; name="logo"; filename="a b.png"\r\n'),
      Buffer.from('Content-Type: image/png\r\n\r\n'),
      image,
      Buffer.from('\r\n--b--\r\n'),
    ])
    // The image contains CRLF + '--b': a prefix of the boundary must not be mistaken for it.
    await expect(multipart(body)).rejects.toMatchObject({ code: 'broken_multipart' })
    const safe = Buffer.from(
      body.toString('latin1').replaceAll('--b\r', '--bound\r').replace('--b--', '--bound--'),
      'latin1',
    )
    const raw = await read(safe, 'multipart/form-data; boundary=bound')
    const [title, logo] = partsOf(raw)
    expect(title).toMatchObject({ name: 'title', size: 5, filename: undefined, text: Buffer.from('Hello') })
    expect(logo).toMatchObject({ name: 'logo', size: image.length, filename: 'a b.png' })
    expect(await readFile(logo?.path ?? '')).toEqual(image)
    expect((await stat(logo?.path ?? '')).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(logo?.path ?? ''))).mode & 0o777).toBe(0o700)
    expect(raw.digest).toBe(sha256(`title\n${sha256('Hello')}\nlogo\n${sha256(image)}\n`))
    await raw.dispose()
    await raw.dispose()
    expect(await readdir(tempDir)).toEqual([])
  })

  it('accepts preamble, epilogue, padding and a missing last line break', async () => {
    const good = `This is\r\na preamble --b\n--b\r\n${part('a', '\n1\r\n').replace('--b', '--b \t ')}--b\n${part('c', 'd').slice(5)}--b-- \r\nepilogue\r\n--b\r\nnot a part`
    expect(await texts(good)).toEqual([
      ['a', '\n1\r\n'],
      ['c', 'd'],
    ])
  })

  it('accepts empty parts, with and without their own line break, and no parts', async () => {
    expect(await texts(`${part('a', '')}--b--`)).toEqual([['a', '']])
    expect(await texts('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n--b--')).toEqual([['a', '']])
    expect(await texts('--b--\r\n')).toEqual([])
  })

  it('accepts quoted boundaries with any character', async () => {
    const boundary = `a'()+_,-./:=? b`
    const body = part('x', 'y').replace('--b', `--${boundary}`) + `--${boundary}--`
    expect(
      partsOf(await read(body, `multipart/form-data; Boundary="${boundary}"; charset=utf-8`)),
    ).toHaveLength(1)
    expect(
      partsOf(await read(body.replaceAll(boundary, 'q/1'), 'multipart/form-data;boundary=q/1')),
    ).toHaveLength(1)
  })

  it('decodes names for reading, and uses their raw bytes for the digest', async () => {
    const names: [string, string][] = [
      ['caf\u00e9', 'caf\u00e9'],
      ['a\\"b', 'a"b'],
      ['a\\\\', 'a\\'],
      ['a%22b%0d%0Ac%41', 'a"b\r\nc%41'],
      ['C:\\x', 'C:\\x'],
      ['', ''],
    ]
    for (const [sent, name] of names) {
      const raw = await multipart(`${part(sent, 'v')}--b--`)
      expect(partsOf(raw)[0]?.name).toBe(name)
      expect(raw.digest).toBe(sha256(`${sent}\n${sha256('v')}\n`))
    }
    expect(await texts('--b\r\nContent-Disposition: form-data;name=plain\r\n\r\nv\r\n--b--')).toEqual([
      ['plain', 'v'],
    ])
    expect(
      await texts('--b\r\nX-A: 1\r\nContent-Disposition: form-data;\r\n  name="f"\r\n\r\nv\r\n--b--'),
    ).toEqual([['f', 'v']])
  })

  it.each([
    [`; filename="C:\\fake\\a.png"`, 'a.png'],
    [`; filename="../../etc/passwd"`, 'passwd'],
    [`; filename*=UTF-8''na%C3%AFve.png`, 'na\u00efve.png'],
    [`; filename="x"; filename*=utf-8'en'%e2%82%ac`, '\u20ac'],
    [`; filename="x"; filename*=UTF-8''%ff`, 'x'],
    [`; filename=""`, ''],
    [`; filename="na\u00efve"`, 'na\u00efve'],
  ])('knows a file part by %s', async (sent, filename) => {
    const raw = await multipart(`${part('f', 'v', sent)}--b--`)
    expect(partsOf(raw)[0]?.filename).toBe(filename)
    await raw.dispose()
  })

  it.each([
    ['no end', part('a', '1')],
    ['no end after the last boundary', `${part('a', '1')}--b`],
    ['an end cut short', `${part('a', '1')}--b-`],
    ['no boundary at all', 'hello'],
    ['only a header', '--b\r\nContent-Disposition: form-data; name="a"'],
    ['no header', '--b\r\n\r\nx\r\n--b--'],
    ['no name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--'],
    ['two names', `${part('a', 'x', '; name="b"')}--b--`],
    [
      'two dispositions',
      part('a', 'x').replace('\r\n\r\n', '\r\ncontent-disposition: form-data; name=b\r\n\r\n') + '--b--',
    ],
    ['another disposition', `${part('a', 'x').replace('form-data', 'attachment')}--b--`],
    ['an open quote', '--b\r\nContent-Disposition: form-data; name="a\\"\r\n\r\nx\r\n--b--'],
    ['a header that is none', part('a', 'x').replace('\r\n\r\n', '\r\nnonsense\r\n\r\n') + '--b--'],
    ['a NUL in a header', `${part('a\0', 'x')}--b--`],
    ['something behind a boundary', `${part('a', 'x')}--bx\r\n${part('c', 'd')}--b--`],
    ['endless padding', `--b${' '.repeat(1000)}\r\n${part('a', 'x').slice(5)}--b--`],
    [
      'a transfer encoding',
      part('a', 'eA==').replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: base64\r\n\r\n') + '--b--',
    ],
    ['a header over its bound', `${part('a'.repeat(9 * KIB), 'x')}--b--`],
    ['a header without an end', `--b\r\nX: ${'a'.repeat(9 * KIB)}`],
  ])('refuses %s', async (_, body) => {
    await expect(multipart(body)).rejects.toMatchObject({ code: 'broken_multipart', status: 400 })
    expect(await readdir(tempDir)).toEqual([])
  })

  it.each([
    '',
    '; boundary=',
    '; boundary=""',
    `; boundary=${'a'.repeat(71)}`,
    '; boundary=a; boundary=b',
    '; boundary="a',
    '; boundary="a "',
  ])('refuses the boundary %j', async (parameters) => {
    await expect(read('--a--', `multipart/form-data${parameters}`)).rejects.toMatchObject({
      code: 'broken_multipart',
    })
  })

  it('accepts 1,000 parts and rejects 1,001', async () => {
    expect(partsOf(await multipart(`${part('a', '').repeat(1000)}--b--`))).toHaveLength(1000)
    await expect(multipart(`${part('a', '').repeat(1001)}--b--`)).rejects.toMatchObject({
      code: 'too_many_parts',
      status: 400,
    })
  })

  it('truncates long text in memory and still digests all of it', async () => {
    const long = 'x'.repeat(64 * KIB + 1)
    const raw = await multipart(`${part('a', long)}--b--`)
    expect(partsOf(raw)[0]).toMatchObject({ size: long.length, dropped: false })
    expect(partsOf(raw)[0]?.text.length).toBe(64 * KIB)
    expect(raw.digest).toBe(sha256(`a\n${sha256(long)}\n`))
  })

  it('limits the total text, and reports it', async () => {
    const raw = await multipart(`${part('a', '123')}${part('b', '45678')}${part('c', '9')}--b--`, {
      textTotalBytes: 6,
    })
    expect(partsOf(raw).map((part) => part.dropped)).toEqual([false, true, false])
    expect(raw.digest).toBe(sha256(`a\n${sha256('123')}\nb\n${sha256('45678')}\nc\n${sha256('9')}\n`))
  })

  it('stores a file up to the limit and one byte, and still counts and digests all of it', async () => {
    const file = Buffer.alloc(3 * MIB, 'y')
    const raw = await multipart([
      Buffer.from(part('f', '', '; filename="f"').slice(0, -2)),
      file.subarray(0, MIB),
      file.subarray(MIB),
      Buffer.from('\r\n--b--'),
    ])
    const [stored] = partsOf(raw)
    expect(stored?.size).toBe(3 * MIB)
    expect((await stat(stored?.path ?? '')).size).toBe(2 * MIB + 1)
    expect(raw.digest).toBe(sha256(`f\n${sha256(file)}\n`))
    await raw.dispose()
  })

  it('rejects more than its limit, declared or not, and leaves no file', async () => {
    const chunk = Buffer.alloc(MIB, 'y')
    function* tooMuch() {
      yield Buffer.from(part('f', '', '; filename="f"').slice(0, -2))
      for (let sent = 0; sent < 60; sent++) yield chunk
    }
    await expect(multipart(tooMuch())).rejects.toMatchObject({ code: 'too_large' })
    const headers = {
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(48 * MIB + 1),
    }
    await expect(readBody(Readable.from([]), headers, BODY_LIMITS, tempDir)).rejects.toMatchObject({
      code: 'too_large',
    })
    expect(await readdir(tempDir)).toEqual([])
  })
})
