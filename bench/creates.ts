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
import { loadavg } from 'node:os'
import { type Creating, startCreating } from './support/creating.ts'
import { inRounds, type Measured } from './support/rounds.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 3)

await using servers = await startCreating(process.argv.slice(2), { connections: 16, seconds })
const results = await inRounds(rounds, servers.all)
console.log(`medians of ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`)
for (const [name, server] of Object.entries(servers.all)) await print(name, server, results[name])

async function print(
  name: string,
  { waymark, apiKey, warm }: Creating,
  result: Measured | undefined,
): Promise<void> {
  if (result === undefined) return
  const listed = await fetch(`${waymark.url}/v1/links?limit=1`, { headers: { 'x-api-key': apiKey } })
  const { meta } = (await listed.json()) as { meta: { total: number } }
  const { perSecond, p99Ms, serving, all, written, answers, errors } = result
  console.log(`
${name}
links created per second  ${perSecond.toFixed(0)}  (aim: 3,000), p99 ${p99Ms.toFixed(1)} ms
processor time of each    ${serving.toFixed(0)} µs serving, ${all.toFixed(0)} µs all threads
written for each          ${(written / 1000).toFixed(1)} kB
answered                  ${warm.answers + answers}, otherwise than 201: ${warm.errors + errors}
kept in the database      ${meta.total}`)
}
