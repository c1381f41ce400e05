// What CLICK_FSYNC=on costs: the same redirects with and without, in turn. Needs wrk and Linux.
//
//   npm run -s node bench/click-fsync.ts
//   BENCH_DIR=/var/tmp ROUNDS=3 SECONDS=1 npm run -s node bench/click-fsync.ts
//
// The price is the disk's: BENCH_DIR must be on the kind of disk that DATA_DIR will be on, and not in memory.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf, fillLinks } from './support/links.ts'
import { load, median } from './support/load.ts'
import { inRounds } from './support/rounds.ts'
import { type Running, startWaymark } from './support/servers.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 3)
const root = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'waymark-fsync-'))
const servers: Running[] = []

try {
  console.log(`one flush of this disk: ${flushMs().toFixed(2)} ms; load ${loadavg()[0]?.toFixed(1)}\n`)
  const off = await started('off')
  const on = await started('on')
  console.log('| connections | off /s | on /s | on / off | off p99 ms | on p99 ms | off µs | on µs |')
  console.log('|---|---|---|---|---|---|---|---|')
  for (const connections of [1, 8, 64, 256]) {
    const work = { connections, seconds, path: `/${codeOf(1)}` }
    for (const server of servers) await load(server.url, { ...work, seconds: 1 })
    const seen = await inRounds(rounds, { off: { server: off, load: work }, on: { server: on, load: work } })
    const rate = (seen.on.perSecond / seen.off.perSecond).toFixed(2)
    const cells = [
      connections,
      Math.round(seen.off.perSecond),
      Math.round(seen.on.perSecond),
      `**${rate}**`,
      seen.off.p99Ms,
      seen.on.p99Ms,
      seen.off.serving.toFixed(1),
      seen.on.serving.toFixed(1),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
} finally {
  for (const server of servers) await server.stop()
  rmSync(root, { recursive: true, force: true })
}

async function started(fsync: 'on' | 'off'): Promise<Running> {
  const dataDir = join(root, fsync)
  await fillLinks(dataDir, 1_000)
  const server = await startWaymark(dataDir, { CLICK_FSYNC: fsync, CONNECTIONS_PER_ADDRESS: '1000' })
  servers.push(server)
  return server
}

function flushMs(): number {
  const path = join(root, 'flush')
  const fd = openSync(path, 'w')
  const times = Array.from({ length: 50 }, () => {
    const begin = performance.now()
    writeSync(fd, Buffer.alloc(200))
    fdatasyncSync(fd)
    return performance.now() - begin
  })
  closeSync(fd)
  return median(times)
}
