// Our reading of multipart bodies against busboy: processor time for the same bodies, both digested part by part.
//
//   npm run -s node bench/body.ts
//
// One body with a file of 40 MB, and one with 1,000 small fields. Files go to the disk on both sides.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BODY_LIMITS } from '../packages/server/src/api/body/body-limits.ts'
import { readBody } from '../packages/server/src/api/body/read-body.ts'
import { median } from './support/load.ts'

type Busboy = NodeJS.WritableStream & {
  on(event: 'field', listener: (name: string, value: string) => void): void
  on(event: 'file', listener: (name: string, stream: Readable) => void): void
}
const name = 'busboy'
const { default: openBusboy } = (await import(name)) as {
  default: (options: { headers: object; limits: object }) => Busboy
}

const ROUNDS = Number(process.env['ROUNDS'] ?? 7)
const CHUNK = 64 * 1024
const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-'))

async function bodyOf(form: FormData): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  const response = new Response(form)
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type') ?? ''
  return { bytes, headers: { 'content-type': type, 'content-length': String(bytes.length) } }
}

const large = new FormData()
large.append('logo', new Blob([Buffer.alloc(40 * 1024 * 1024, 7)]), 'logo.png')
const many = new FormData()
for (let n = 0; n < 1_000; n++) many.append(`field${n}`, `value ${n}`)
const bodies = { 'file of 40 MB': await bodyOf(large), '1,000 fields': await bodyOf(many) }

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

async function ours(bytes: Buffer, headers: Record<string, string>): Promise<void> {
  const raw = await readBody(Readable.from(chunksOf(bytes)), headers, BODY_LIMITS, folder)
  await raw.dispose()
}

async function theirs(bytes: Buffer, headers: Record<string, string>): Promise<void> {
  const reader = openBusboy({ headers, limits: { parts: 1_000, fields: 1_000 } })
  const digest = createHash('sha256')
  const files: Promise<void>[] = []
  reader.on('field', (field, value) => {
    digest.update(`${field}\n${createHash('sha256').update(value).digest('hex')}\n`)
  })
  reader.on('file', (field, stream) => {
    const part = createHash('sha256')
    const path = join(folder, crypto.randomUUID())
    const hashed = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        part.update(chunk)
        yield chunk
      }
      digest.update(`${field}\n${part.digest('hex')}\n`)
    }
    files.push(pipeline(stream, hashed, createWriteStream(path)).then(() => rm(path)))
  })
  await pipeline(Readable.from(chunksOf(bytes)), reader)
  await Promise.all(files)
}

async function cpuMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

try {
  for (const [what, { bytes, headers }] of Object.entries(bodies)) {
    const times: Record<'ours' | 'busboy', number[]> = { ours: [], busboy: [] }
    for (let round = 0; round < ROUNDS; round++) {
      times.ours.push(await cpuMs(() => ours(bytes, headers)))
      times.busboy.push(await cpuMs(() => theirs(bytes, headers)))
    }
    console.log(
      `${what}: ours ${median(times.ours).toFixed(1)} ms, busboy ${median(times.busboy).toFixed(1)} ms`,
    )
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
