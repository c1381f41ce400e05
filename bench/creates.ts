// Links created per second on SQLite by one process: 16 connections, key only, each committed before its response.
//
//   npm run -s node bench/creates.ts                   about twenty seconds
//   ROUNDS=3 SECONDS=1 npm run -s node bench/creates.ts
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWaymark } from '../e2e/support/waymark.ts'
import './support/released.ts'
import { load } from './support/load.ts'
import { inRounds } from './support/rounds.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 3)

const waymark = await startWaymark()
const { apiKey } = await waymark.account()
const folder = await mkdtemp(join(tmpdir(), 'waymark-creates-'))
const script = join(folder, 'create.lua')
await writeFile(
  script,
  `wrk.method = "POST"
wrk.body = '{"link":"https://example.com/some/where?with=query"}'
wrk.headers["content-type"] = "application/json"
wrk.headers["x-api-key"] = "${apiKey}"
`,
)
const create = { connections: 16, seconds, path: '/v1/generate-link', script }
const warm = await load(waymark.url, create)
const { ours } = await inRounds(rounds, { ours: { server: waymark, load: create } })
const listed = await fetch(`${waymark.url}/v1/links?limit=1`, { headers: { 'x-api-key': apiKey } })
const { meta } = (await listed.json()) as { meta: { total: number } }
await waymark.stop()
await rm(folder, { recursive: true })

console.log(
  `links created per second  ${ours.perSecond.toFixed(0)}  (aim: 3,000), p99 ${ours.p99Ms.toFixed(1)} ms, median of ${rounds} rounds`,
)
console.log(
  `processor time of each    ${ours.serving.toFixed(0)} µs serving, ${ours.all.toFixed(0)} µs all threads`,
)
console.log(
  `answered                  ${warm.answers + ours.answers}, otherwise than 201: ${warm.errors + ours.errors}`,
)
console.log(`kept in the database      ${meta.total}`)
