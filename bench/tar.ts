// Our reader and writer of backup archives against tar-stream, on the same files.
//
//   npm install --no-save tar-stream@3.2.2 && npm run -s node bench/tar.ts
//
// 2,000 files of 20 KB and one of 200 MB are written to an archive and read from it again; then an archive that is cut
// off is read. Processor time of the process, the median of the rounds.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readTar, TarWriter } from '../packages/server/src/storage/backups/tar.ts'
import { median } from './support/load.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 5)
const SMALL = 2_000
const smallBytes = Buffer.alloc(20_000, 1)
const bigBytes = 200 * 1024 * 1024

interface Pack extends NodeJS.ReadableStream {
  entry(header: object, body?: Buffer | ((error: unknown) => void), done?: () => void): NodeJS.WritableStream
  finalize(): void
}
interface TarStream {
  pack(): Pack
  extract(): NodeJS.WritableStream & AsyncIterable<AsyncIterable<Buffer> & { header: { name: string } }>
}
const name = 'tar-stream'
const tarStream = ((await import(name)) as { default: TarStream }).default

const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
const big = join(folder, 'big')
await writeFile(big, Buffer.alloc(bigBytes, 2))

async function writeOurs(path: string): Promise<void> {
  const file = await open(path, 'w')
  const tar = new TarWriter(file, 0)
  for (let n = 0; n < SMALL; n++) await tar.addBytes(`small/${n}`, smallBytes)
  await tar.addFile('big', big)
  await tar.end()
  await file.close()
}

async function writeTheirs(path: string): Promise<void> {
  const pack = tarStream.pack()
  const written = pipeline(pack, createWriteStream(path))
  for (let n = 0; n < SMALL; n++)
    await new Promise<void>((done) => pack.entry({ name: `small/${n}` }, smallBytes, () => done()))
  const entry = pack.entry({ name: 'big', size: bigBytes }, () => undefined)
  await pipeline(createReadStream(big, { highWaterMark: 256 * 1024 }), entry)
  pack.finalize()
  await written
}

async function readOurs(path: string): Promise<number> {
  const file = await open(path)
  let bytes = 0
  try {
    for await (const entry of readTar(file)) for await (const chunk of entry.read()) bytes += chunk.length
  } finally {
    await file.close()
  }
  return bytes
}

async function readTheirs(path: string): Promise<number> {
  const extract = tarStream.extract()
  const piped = pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), extract)
  let bytes = 0
  const read = async (): Promise<void> => {
    for await (const entry of extract) for await (const chunk of entry) bytes += chunk.length
  }
  await Promise.all([piped, read()])
  return bytes
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const archive = join(folder, 'archive.tar')
const cases = { writeOurs, writeTheirs, readOurs, readTheirs }
const times = new Map<string, number[]>()
try {
  for (let round = 0; round < ROUNDS; round++)
    for (const [what, work] of Object.entries(cases))
      times.set(what, [...(times.get(what) ?? []), await cpuMs(() => work(archive))])
  for (const [what, all] of times) console.log(what.padEnd(12), `${Math.round(median(all))} ms`)
  await truncate(archive, 30_000_000)
  for (const read of [readOurs, readTheirs])
    console.log(read.name, 'of an archive that is cut off:', await read(archive).catch(String))
} finally {
  await rm(folder, { recursive: true, force: true })
}
