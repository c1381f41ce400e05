import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWaymark } from '../e2e/support/waymark.ts'
import { load } from './support/load.ts'

/** Links created per second on SQLite by one process: 16 connections, key only, each committed before its response. */

const SECONDS = Number(process.env['SECONDS'] ?? 10)

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
const create = (seconds: number) =>
  load(waymark.url, { connections: 16, seconds, path: '/v1/generate-link', script })
const warm = await create(3)
const { perSecond, answers, errors, p99Ms } = await create(SECONDS)
const listed = await fetch(`${waymark.url}/v1/links?limit=1`, { headers: { 'x-api-key': apiKey } })
const { meta } = (await listed.json()) as { meta: { total: number } }
await waymark.stop()
await rm(folder, { recursive: true })

console.log(`links created per second  ${perSecond.toFixed(0)}  (aim: 3,000), p99 ${p99Ms.toFixed(1)} ms`)
console.log(
  `answered                  ${warm.answers + answers}, otherwise than 201: ${warm.errors + errors}`,
)
console.log(`kept in the database      ${meta.total}`)
