// What a redirect costs beside a bare node:http server with the same answer. Needs wrk.
//
//   npm run -s node bench/redirect.ts                 about five minutes
//   ROUNDS=1 SECONDS=2 LINKS=100000 npm run -s node bench/redirect.ts
//
// Both servers run all the while and are asked in turn, so that whatever else the machine does meets both alike;
// the middle of all rounds counts. The server is the whole product as `npm start` starts it, and its clicks are
// counted into the database by its own thread during the run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf, countedClicks, fillLinks } from './support/links.ts'
import { everyLinkScript, exactly, load, median } from './support/load.ts'
import type { Load, LoadResult } from './support/load.ts'
import { startBare, startWaymark } from './support/servers.ts'
import type { Running } from './support/servers.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const seconds = Number(process.env['SECONDS'] ?? 5)
const links = Number(process.env['LINKS'] ?? 1_000_000)
const distinct = Math.min(links, Number(process.env['DISTINCT'] ?? 1_000_000))

interface Pair {
  readonly bare: LoadResult[]
  readonly ours: LoadResult[]
}

const dataDir = mkdtempSync(join(tmpdir(), 'waymark-bench-'))
console.log(`${links.toLocaleString('en')} links, ${rounds} rounds of ${seconds} s each`)
await fillLinks(dataDir, links)
const bare = await startBare()
const ours = await startWaymark(dataDir)

try {
  await warmUp()
  report('cache hit, 64 connections', await compare({ connections: 64, seconds, path: `/${codeOf(1)}` }), 0.9)
  reportTail(await compare({ connections: 8, seconds, path: `/${codeOf(1)}` }))
  await checkClicks()
  let begin = 0
  const misses = await compare(() => {
    begin += 3
    return { connections: 64, seconds, path: '/', script: everyLinkScript(links, begin) }
  })
  report(`cache miss, ${links.toLocaleString('en')} links`, misses, 0.6)
  await askEveryLink(misses.ours.reduce((sum, { answers }) => sum + answers, 0))
} finally {
  await bare.stop()
  await ours.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function warmUp(): Promise<void> {
  for (const server of [bare, ours])
    await load(server.url, { connections: 64, seconds: 2, path: `/${codeOf(1)}` })
}

async function compare(what: Load | (() => Load)): Promise<Pair> {
  const pair: Pair = { bare: [], ours: [] }
  for (let round = 0; round < rounds; round++) {
    const given = typeof what === 'function' ? what() : what
    pair.bare.push(await load(bare.url, given))
    pair.ours.push(await load(ours.url, given))
  }
  return pair
}

function report(what: string, pair: Pair, aim: number): void {
  const [base, own] = [pair.bare, pair.ours].map((results) =>
    median(results.map(({ perSecond }) => perSecond)),
  )
  const errors = pair.ours.reduce((sum, result) => sum + result.errors, 0)
  const ratio = ((own ?? 0) / (base ?? 1)).toFixed(2)
  console.log(`${what}: ${ratio} of bare node:http (aim ${aim}), ${own} against ${base}/s, ${errors} errors`)
}

function reportTail(pair: Pair): void {
  const [base = 1, own = 0] = [pair.bare, pair.ours].map((results) =>
    median(results.map(({ p99Ms }) => p99Ms)),
  )
  const times = (own / base).toFixed(2)
  console.log(`99 % of answers, 8 connections: ${times} times bare (aim 1.5), ${own} against ${base} ms`)
}

/** Everything answered so far and one more exact number: the database must have neither more nor fewer. */
async function checkClicks(): Promise<void> {
  const before = await settledClicks()
  const answered = await exactly(`${ours.url}/${codeOf(2)}`, 50_000, 64)
  const counted = (await settledClicks()) - before
  const verdict = counted === answered ? 'equal' : 'NOT EQUAL'
  console.log(`clicks in the database: ${counted} for ${answered} redirects answered: ${verdict}`)
  if (counted !== answered) process.exitCode = 1
}

async function settledClicks(): Promise<number> {
  for (let last = -1; ;) {
    const now = countedClicks(dataDir)
    if (now === last) return now
    last = now
    await delay(1_500)
  }
}

async function askEveryLink(askedAlready: number): Promise<void> {
  let asked = askedAlready
  while (asked < distinct) {
    const script = everyLinkScript(links, asked * 7919)
    asked += (await load(ours.url, { connections: 64, seconds, path: '/', script })).answers
  }
  await settledClicks()
  console.log(
    `memory after ${asked.toLocaleString('en')} distinct redirects: ${memory(ours)} MB resident (aim 250)`,
  )
}

function memory(server: Running): string {
  return server.memoryMb().toFixed(0)
}
