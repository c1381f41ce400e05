// What signatures cost: one operation asked with its key alone, and with key, signature and single-use timestamp.
//
//   npm run -s node bench/signed.ts                   about two minutes
//   ROUNDS=3 SECONDS=2 npm run -s node bench/signed.ts
//
// The load comes from a process of its own, which signs beforehand; every signature has a millisecond of its own, so
// that the store of used signatures records each. The kinds take turns, and the middle of all rounds counts. Beside
// requests per second it prints the server's processor time per request, which other programs disturb less.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median } from './support/load.ts'
import { startWaymark } from './support/servers.ts'
import type { Running } from './support/servers.ts'
import type { SignedLoad, SignedLoadResult } from './support/signed-load.ts'

const run = promisify(execFile)
const rounds = Number(process.env['ROUNDS'] ?? 7)
const seconds = Number(process.env['SECONDS'] ?? 4)
const PATH = '/v1/tags'
const CONNECTIONS = 32
const PREPARED = 60_000
/** Timestamps begin this long ago: they must neither repeat nor leave the window while the rounds last. */
const BEHIND_MS = 280_000
const IDLE_MS = 5_000
const TICK_MS = 10

interface Round {
  readonly perSecond: number
  readonly cpuMicroseconds: number
}

const dataDir = mkdtempSync(join(tmpdir(), 'waymark-bench-'))
const unlimited = { RATE_LIMIT_READ: '1000000000' }
// Once to compile, and once as it is from the second start on.
await (await startWaymark(dataDir, unlimited)).stop()
const server = await startWaymark(dataDir, unlimited)
let nextMs = Date.now() - BEHIND_MS

try {
  await delay(IDLE_MS)
  console.log(`idle server: ${Math.round(server.memoryMb())} MB resident (aim: under 120)`)
  const { apiKey, secret } = await newKey(server.url)
  await ask({ apiKey, secret })
  await ask({ apiKey })
  const signed: Round[] = []
  const unsigned: Round[] = []
  for (let round = 0; round < rounds; round++) {
    // Who comes first changes, too.
    if (round % 2 === 0) signed.push(await ask({ apiKey, secret }))
    unsigned.push(await ask({ apiKey }))
    if (round % 2 === 1) signed.push(await ask({ apiKey, secret }))
  }
  report(signed, unsigned)
  console.log(`after the load: ${Math.round(server.memoryMb())} MB resident`)
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function ask(who: { apiKey: string; secret?: string }): Promise<Round> {
  const load: SignedLoad = {
    ...who,
    port: Number(new URL(server.url).port),
    path: PATH,
    connections: CONNECTIONS,
    seconds,
    fromMs: nextMs,
    prepared: PREPARED,
  }
  if (who.secret !== undefined) nextMs += PREPARED
  const before = cpuMs(server)
  const script = fileURLToPath(new URL('./support/signed-load.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [script, JSON.stringify(load)])
  const result = JSON.parse(stdout) as SignedLoadResult
  if (result.errors > 0) throw new Error(`${result.errors} answers were refusals`)
  return {
    perSecond: result.perSecond,
    cpuMicroseconds: ((cpuMs(server) - before) * 1000) / result.answers,
  }
}

function report(signed: readonly Round[], unsigned: readonly Round[]): void {
  const rate = (kind: readonly Round[]): number => median(kind.map(({ perSecond }) => perSecond))
  const cost = (kind: readonly Round[]): number => median(kind.map(({ cpuMicroseconds }) => cpuMicroseconds))
  console.log(`unsigned: ${Math.round(rate(unsigned))}/s, ${Math.round(cost(unsigned))} µs of processor each`)
  console.log(`signed:   ${Math.round(rate(signed))}/s, ${Math.round(cost(signed))} µs of processor each`)
  console.log(`ratio of requests per second: ${(rate(signed) / rate(unsigned)).toFixed(2)} (aim: 0.8)`)
  console.log(`ratio of processor time: ${(cost(unsigned) / cost(signed)).toFixed(2)}`)
}

/** Processor time of all threads of a server so far. */
function cpuMs({ pid }: Running): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

async function newKey(url: string): Promise<{ apiKey: string; secret: string }> {
  const post = (path: string, body: object, cookie = ''): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie },
      body: JSON.stringify(body),
    })
  const signedUp = await post('/v1/sign-up', { email: 'bench@example.com', password: 'Correct-horse-1' })
  const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0]
  const made = (await (await post('/v1/generate-key', {}, cookie)).json()) as {
    data: { api_key: string; secret: string }
  }
  return { apiKey: made.data.api_key, secret: made.data.secret }
}
