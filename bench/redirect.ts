// What a redirect costs beside a bare node:http server with the same response. Needs wrk and Linux.
//
//   npm run bench                                              about eight minutes
//   ROUNDS=5 SECONDS=1 LINKS=100000 npm run bench              about a minute
//
// Rates depend on what else the machine does; processor time per request hardly does, so that is what counts. All
// servers run all the while and are asked in turn; every figure is the median of the rounds. Waymark runs as
// `npm start` starts it, and the time of all threads includes counting the clicks of the round into the database.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  addCustomDomain,
  BENCH_DOMAIN,
  codeOf,
  countedClicks,
  fillLinks,
  untilCounted,
} from './support/links.ts'
import { everyLinkScript, exactly, load } from './support/load.ts'
import type { Load } from './support/load.ts'
import { type Contestant, inRounds, type Measured } from './support/rounds.ts'
import { startBare, startWaymark } from './support/servers.ts'
import type { Running } from './support/servers.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 3)
const links = Number(process.env['LINKS'] ?? 1_000_000)
const distinct = Math.min(links, Number(process.env['DISTINCT'] ?? 1_000_000))
const exact = Number(process.env['EXACT'] ?? 200_000)
const words = (count: number): string => Math.round(count).toLocaleString('en')

const root = mkdtempSync(join(tmpdir(), 'waymark-bench-'))
const dataDir = join(root, 'direct')
const proxiedDir = join(root, 'proxied')
console.log(
  `${words(links)} links, ${rounds} rounds of ${seconds} s, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}\n`,
)
await fillLinks(dataDir, links)
await fillLinks(proxiedDir, 1_000)
addCustomDomain(proxiedDir)
const bare = await startBare()
const servers: Running[] = [bare]
try {
  const ours = await started(dataDir)
  const proxied = await started(proxiedDir, { TRUST_PROXY: '1' })
  // By then every thread has collected the garbage of its start.
  await delay(25_000)
  console.log(`memory, idle: ${ours.memoryMb().toFixed(0)} MB (aim 120)\n`)
  const hit = { connections: 64, seconds, path: `/${codeOf(1)}` }
  for (const server of [bare, ours, proxied]) await load(server.url, { ...hit, seconds: 2 })

  console.log(
    '| | bare µs | ours µs, serving | ours µs, all threads | bare / ours | aim | bare /s | ours /s |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  await compare('from memory, 64 connections', ours, hit, 1.5)
  const few = await compare('from memory, 8 connections', ours, { ...hit, connections: 8 }, 1.4)
  const forwarded = { ...hit, headers: ['X-Forwarded-For: 203.0.113.7'] }
  await compare('`TRUST_PROXY=1`, `X-Forwarded-For`', proxied, forwarded, 1.4)
  await compare('custom domain', proxied, { ...hit, headers: [`Host: ${BENCH_DOMAIN}`] }, 1.4)
  await compare('unknown short code (404)', ours, { ...hit, path: '/unknown' })
  let begin = 0
  const misses = (): Load => ({
    ...hit,
    path: '/',
    script: everyLinkScript(links, (begin += 7_919 * 3)),
  })
  await compare(`miss, ${words(links)} links`, ours, misses, 0.8)

  const tail = few.ours.p99Ms / few.bare.p99Ms
  console.log(
    `\nslowest hundredth, 8 connections: ${tail.toFixed(2)} times bare (aim 1.2), ${few.ours.p99Ms} ms against ${few.bare.p99Ms} ms`,
  )
  await checkClicks(ours)
  await askEveryLink(ours)
} finally {
  for (const server of servers) await server.stop()
  rmSync(root, { recursive: true, force: true })
}

async function started(folder: string, env: Record<string, string> = {}): Promise<Running> {
  const server = await startWaymark(folder, env)
  servers.push(server)
  return server
}

async function compare(
  what: string,
  server: Running,
  given: Load | (() => Load),
  aim?: number,
): Promise<Record<'bare' | 'ours', Measured>> {
  const folder = server.pid === servers[1]?.pid ? dataDir : proxiedDir
  const one = (): Load => (typeof given === 'function' ? given() : given)
  const ours: Contestant = {
    server,
    get load() {
      return one()
    },
    settle: () => untilCounted(folder),
  }
  const seen = await inRounds(rounds, { bare: { server: bare, load: one() }, ours })
  const ratio = (seen.bare.serving / seen.ours.serving).toFixed(2)
  const cells = [
    what,
    seen.bare.serving.toFixed(1),
    seen.ours.serving.toFixed(1),
    seen.ours.all.toFixed(1),
    `**${ratio}**`,
    aim ?? '',
    words(seen.bare.perSecond),
    words(seen.ours.perSecond),
  ]
  console.log(`| ${cells.join(' | ')} |`)
  return seen
}

/** An exact number of requests: the database must have neither more nor fewer clicks. */
async function checkClicks(ours: Running): Promise<void> {
  await untilCounted(dataDir)
  const before = countedClicks(dataDir)
  const answered = await exactly(`${ours.url}/${codeOf(2)}`, exact, 64)
  await untilCounted(dataDir)
  const found = countedClicks(dataDir) - before
  const verdict = found === answered ? 'equal' : 'NOT EQUAL'
  console.log(`clicks in the database: ${words(found)} for ${words(answered)} redirects: ${verdict}`)
  if (found !== answered) process.exitCode = 1
}

async function askEveryLink(ours: Running): Promise<void> {
  let asked = 0
  while (asked < distinct) {
    const script = everyLinkScript(links, asked * 7_919)
    asked += (await load(ours.url, { connections: 64, seconds, path: '/', script })).answers
  }
  await untilCounted(dataDir)
  const atOnce = ours.memoryMb().toFixed(0)
  await delay(25_000)
  console.log(
    `memory after ${words(asked)} distinct redirects: ${atOnce} MB resident (aim 200), ${ours.memoryMb().toFixed(0)} MB 25 s later`,
  )
}
