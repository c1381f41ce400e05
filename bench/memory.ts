// What the memory of a server is made of before and after redirects to different links. Needs wrk and Linux.
//
//   npm run -s node bench/memory.ts                     a million links, about five minutes
//   LINKS=100000 npm run -s node bench/memory.ts
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fillLinks, untilCounted } from './support/links.ts'
import { everyLinkScript, load } from './support/load.ts'
import { type Running, startWaymark } from './support/servers.ts'

const links = Number(process.env['LINKS'] ?? 1_000_000)
const KINDS = [
  'binary and libraries',
  'heaps of V8',
  'C library',
  'mappings of 4 MB and more',
  'other',
] as const
/** V8 maps its heaps in pages of this size. */
const V8_PAGE_KB = 256

const dataDir = mkdtempSync(join(tmpdir(), 'waymark-memory-'))
await fillLinks(dataDir, links)
const server = await startWaymark(dataDir)
try {
  console.log(
    `MB of resident memory, ${links.toLocaleString('en')} links, load ${loadavg()[0]?.toFixed(1)}\n`,
  )
  console.log(`| | resident (aim 120 idle, 200 after) | ${KINDS.join(' | ')} |`)
  console.log(`|---|---|${'---|'.repeat(KINDS.length)}`)
  // By then every thread has collected the garbage of its start.
  await delay(25_000)
  print('idle', server)
  const asked = await askEveryLink(server)
  print(`after ${asked.toLocaleString('en')} redirects`, server)
  await delay(25_000)
  print('25 s later', server)
  await delay(60_000)
  print('85 s later', server)
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function askEveryLink(asking: Running): Promise<number> {
  let asked = 0
  while (asked < links) {
    const script = everyLinkScript(links, asked * 7_919)
    asked += (await load(asking.url, { connections: 64, seconds: 3, path: '/', script })).answers
  }
  await untilCounted(dataDir)
  return asked
}

function print(what: string, measured: Running): void {
  const parts = partsOf(readFileSync(`/proc/${measured.pid}/smaps`, 'utf8'))
  const cells = KINDS.map((kind) => ((parts.get(kind) ?? 0) / 1024).toFixed(0))
  console.log(`| ${what} | **${measured.memoryMb().toFixed(0)}** | ${cells.join(' | ')} |`)
}

/** By kind of mapping: kilobytes that are resident. */
function partsOf(smaps: string): Map<string, number> {
  const parts = new Map<string, number>()
  let kind = ''
  for (const line of smaps.split('\n')) {
    const mapping = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ \S+\s*(.*)$/.exec(line)
    if (mapping !== null) {
      const [, from = '', to = '', name = ''] = mapping
      kind = kindOf(name, (Number.parseInt(to, 16) - Number.parseInt(from, 16)) / 1024)
    }
    const kilobytes = /^Rss:\s+(\d+)/.exec(line)?.[1]
    if (kilobytes !== undefined) parts.set(kind, (parts.get(kind) ?? 0) + Number(kilobytes))
  }
  return parts
}

function kindOf(name: string, kilobytes: number): (typeof KINDS)[number] {
  if (name.startsWith('/')) return 'binary and libraries'
  if (name === '[heap]') return 'C library'
  if (kilobytes === V8_PAGE_KB) return 'heaps of V8'
  return kilobytes >= 4_096 ? 'mappings of 4 MB and more' : 'other'
}
