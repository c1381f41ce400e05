// Links created per second on SQLite by one process: 16 connections, key only, each committed before its response.
//
//   npm run -s node bench/creates.ts                   about twenty seconds
//   ROUNDS=3 SECONDS=1 npm run -s node bench/creates.ts
//
// Beside other trees, such as an older commit, round by round in turn. Theirs run from the sources, so this one does too,
// beside its released package:
//
//   git worktree add ../older 1b5b845 && (cd ../older && npm ci && npm run build)
//   ROUNDS=25 SECONDS=2 npm run -s node bench/creates.ts ../older               about three minutes
//
// The rate depends on the disk, which makes both trees wait; processor time and bytes written hardly do.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWaymark, type Waymark } from '../e2e/support/waymark.ts'
import './support/released.ts'
import { load, type LoadResult } from './support/load.ts'
import { type Contestant, inRounds, type Measured } from './support/rounds.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 3)
const WARM_UP_SECONDS = 3
const root = fileURLToPath(new URL('..', import.meta.url))
const others = process.argv.slice(2)

interface Creating extends Contestant {
  readonly waymark: Waymark
  readonly apiKey: string
  readonly warm: LoadResult
}

const folder = await mkdtemp(join(tmpdir(), 'waymark-creates-'))
const servers: Record<string, Creating> = {
  'this tree as released': await startCreating(await startWaymark()),
}
if (others.length > 0) servers['this tree from the sources'] = await startSources(root)
for (const tree of others) servers[`${tree} from the sources`] = await startSources(resolve(tree))
const results = await inRounds(rounds, servers)
console.log(`medians of ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`)
for (const [name, server] of Object.entries(servers)) await print(name, server, results[name])
await rm(folder, { recursive: true })

async function startSources(tree: string): Promise<Creating> {
  const launcher = join(tree, 'packages/server/bin/waymark.mjs')
  return startCreating(await startWaymark({}, { node: process.execPath, launcher }))
}

/** A server that has created links for a while, so that the engine has compiled what it runs. */
async function startCreating(waymark: Waymark): Promise<Creating> {
  const { apiKey } = await waymark.account()
  const script = join(folder, `${waymark.port}.lua`)
  await writeFile(
    script,
    `wrk.method = "POST"
wrk.body = '{"link":"https://example.com/some/where?with=query"}'
wrk.headers["content-type"] = "application/json"
wrk.headers["x-api-key"] = "${apiKey}"
`,
  )
  const create = { connections: 16, seconds, path: '/v1/generate-link', script }
  const warm = await load(waymark.url, { ...create, seconds: WARM_UP_SECONDS })
  return { waymark, apiKey, warm, server: waymark, load: create }
}

async function print(
  name: string,
  { waymark, apiKey, warm }: Creating,
  result: Measured | undefined,
): Promise<void> {
  if (result === undefined) return
  const listed = await fetch(`${waymark.url}/v1/links?limit=1`, { headers: { 'x-api-key': apiKey } })
  const { meta } = (await listed.json()) as { meta: { total: number } }
  await waymark.stop()
  const { perSecond, p99Ms, serving, all, written, answers, errors } = result
  console.log(`
${name}
links created per second  ${perSecond.toFixed(0)}  (aim: 3,000), p99 ${p99Ms.toFixed(1)} ms
processor time of each    ${serving.toFixed(0)} µs serving, ${all.toFixed(0)} µs all threads
written for each          ${(written / 1000).toFixed(1)} kB
answered                  ${warm.answers + answers}, otherwise than 201: ${warm.errors + errors}
kept in the database      ${meta.total}`)
}
