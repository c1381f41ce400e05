import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BODY_LIMITS, BodyError } from './body-limits.ts'
import { readBody } from './read-body.ts'

let tempDir: string

beforeAll(async () => {
  tempDir = await mkdtemp(join(tmpdir(), 'waymark-multipart-property-'))
})
afterAll(() => rm(tempDir, { recursive: true }))

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

const read = (chunks: Iterable<Buffer>, boundary: string) =>
  readBody(
    Readable.from(chunks),
    { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    BODY_LIMITS,
    tempDir,
  )

describe('multipart', () => {
  it('is read exactly, for any parts, boundary and chunks', async () => {
    const boundaryOf = fc
      .array(fc.constantFrom(...`0aZ'()+_,-./:=?`.split('')), { minLength: 1, maxLength: 70 })
      .map((letters) => letters.join(''))
    const nasty = fc.constantFrom(
      '\r',
      '\n',
      '-',
      '\r\n',
      '--',
      '\r\n--',
      '\r\n\r\n',
      '\0',
      '"',
      '\\',
      '%',
      'x',
    )
    const bytesOf = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.array(nasty, { maxLength: 20 }).map((pieces) => Buffer.from(pieces.join(''))),
    )
    const fieldOf = fc.record({
      name: fc
        .string({ unit: 'binary', maxLength: 12 })
        .filter((name) => !/%(22|0d|0a)/i.test(name) && !name.includes('\0')),
      filename: fc.option(fc.stringMatching(/^[a-z.]{0,9}$/), { nil: undefined }),
      bytes: bytesOf,
    })
    const cutsOf = fc.array(fc.nat({ max: 4000 }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        boundaryOf,
        fc.array(fieldOf, { maxLength: 6 }),
        cutsOf,
        bytesOf,
        async (boundary, fields, cuts, preamble) => {
          fc.pre(
            [preamble, ...fields.map((field) => field.bytes)].every(
              (bytes) => !bytes.includes(`--${boundary}`),
            ),
          )
          const escape = (name: string) =>
            name
              .toWellFormed()
              .replaceAll('\\', '\\\\')
              .replaceAll('"', '\\"')
              .replaceAll('\r', '%0D')
              .replaceAll('\n', '%0A')
          const body = Buffer.concat([
            preamble,
            ...fields.flatMap(({ name, filename, bytes }) => [
              Buffer.from(`\r\n--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"`),
              Buffer.from(
                filename === undefined ? '\r\n\r\n' : `; filename="${filename}"\r\nContent-Type: a/b\r\n\r\n`,
              ),
              bytes,
            ]),
            Buffer.from(`\r\n--${boundary}--\r\n`),
          ])
          const edges = [0, ...cuts.filter((cut) => cut < body.length).sort((a, b) => a - b), body.length]
          const chunks = edges.slice(1).map((edge, index) => body.subarray(edges[index], edge))
          const raw = await read(chunks, boundary)
          const got = []
          for (const { name, filename, path, text } of raw.kind === 'multipart' ? raw.parts : []) {
            const bytes = filename === undefined ? text : path === '' ? Buffer.alloc(0) : await readFile(path)
            got.push({ name, filename, bytes: bytes.toString('hex') })
          }
          await raw.dispose()
          const sent = fields.map((field) => ({
            ...field,
            name: field.name.toWellFormed(),
            bytes: field.bytes.toString('hex'),
          }))
          expect(got).toEqual(sent)
          const manifest = fields.map((field) => `${escape(field.name)}\n${sha256(field.bytes)}\n`).join('')
          expect(raw.digest).toBe(sha256(manifest))
        },
      ),
      { numRuns: 300 },
    )
    expect(await readdir(tempDir)).toEqual([])
  })

  it('throws only its own errors, for any bytes', async () => {
    const piece = fc.constantFrom(
      '--b',
      '\r\n',
      '--',
      'Content-Disposition: form-data',
      '; name="a"',
      '; filename=',
      '"',
      '\\',
      'x',
      ': ',
      '\0',
      ' ',
    )
    const garbage = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(garbage, async (pieces) => {
        const outcome = await read(
          pieces.map((text) => Buffer.from(text)),
          'b',
        ).then(
          (raw) => raw.dispose(),
          (error: unknown) => error,
        )
        expect(outcome === undefined || outcome instanceof BodyError).toBe(true)
      }),
      { numRuns: 500 },
    )
    expect(await readdir(tempDir)).toEqual([])
  })
})
