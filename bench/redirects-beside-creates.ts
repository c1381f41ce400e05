// How long visitors wait while links are created on SQLite, whose writes are made in the process that redirects: one redirect
// every 5 ms from a thread of its own, 8 connections that create links as fast as they can.
//
//   npm run -s node bench/redirects-beside-creates.ts                      about half a minute
//   ROUNDS=9 npm run -s node bench/redirects-beside-creates.ts ../older    beside another tree, as in creates.ts
//   BESIDE=signed npm run -s node bench/redirects-beside-creates.ts        signed requests instead of creates
//
// Creates wait for flushes of the disk, redirects must not. How long one takes is printed, too; support/slow-flush.c
// says how to measure with slow ones.
import { once } from 'node:events'
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Creating, startCreating } from './support/creating.ts'
import { load } from './support/load.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 3)
const areSigned = process.env['BESIDE'] === 'signed'

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)
const share = (values: readonly number[], part: number): string =>
  (values[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0).toFixed(1)
const told = (values: readonly number[]): string =>
  [0.5, 0.99, 0.999, 1].map((part) => share(sorted(values), part)).join(' | ')

await using servers = await startCreating(process.argv.slice(2), { connections: 8, seconds })
const seen = Object.fromEntries(Object.keys(servers.all).map((name) => [name, { waits: [0], creates: [0] }]))
for (const one of Object.values(seen)) one.waits.length = one.creates.length = 0
for (let round = 0; round < rounds; round++)
  for (const [name, server] of Object.entries(servers.all)) await measure(server, seen[name])

console.log(`${rounds} rounds of ${seconds} s, load ${loadavg()[0]?.toFixed(1)}; milliseconds\n`)
console.log(`| | ${areSigned ? 'signed' : 'creates'} /s | half | 99 of 100 | 999 of 1,000 | longest |`)
console.log('|---|---|---|---|---|---|')
for (const [name, { waits, creates }] of Object.entries(seen))
  console.log(`| ${name} | ${share(sorted(creates), 0.5)} | ${told(waits)} |`)
console.log(`| a flush of the disk | | ${told(await flushes())} |`)

async function measure(
  { waymark, apiKey, load: create, signed }: Creating,
  into: { waits: number[]; creates: number[] } | undefined,
): Promise<void> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const made = await fetch(`${waymark.url}/v1/generate-link`, {
    method: 'POST',
    headers,
    body: '{"link":"https://example.com/"}',
  })
  const { data } = (await made.json()) as { data: { code: string } }
  const url = `${waymark.url}/${data.code}`
  const worker = new Worker(new URL('support/visit-every.worker.ts', import.meta.url), { workerData: url })
  await once(worker, 'message')
  const { perSecond } = await load(waymark.url, areSigned ? signed() : create)
  const reply = once(worker, 'message') as Promise<[number[]]>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage('stop')
  into?.waits.push(...(await reply)[0])
  into?.creates.push(perSecond)
}

async function flushes(): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-flush-'))
  const file = openSync(join(folder, 'file'), 'w')
  const times: number[] = []
  for (let n = 0; n < 300; n++) {
    writeSync(file, Buffer.alloc(8_192))
    const startedAt = performance.now()
    fdatasyncSync(file)
    times.push(performance.now() - startedAt)
    await delay(5)
  }
  closeSync(file)
  rmSync(folder, { recursive: true })
  return times
}
