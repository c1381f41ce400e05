// How long a request for 1,000 QR codes takes, and what others notice of it: visitors, with one redirect every 5 ms from a
// thread of its own, beside the request and, as a control, for as long without it; and another account, with one dense code
// after the other requested by the first account, and a single code of its own every 200 ms.
//
//   npm run -s node bench/many-codes.ts [count]
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { post } from '../e2e/support/requests.ts'
import { startWaymark } from '../e2e/support/waymark.ts'

const count = Number(process.argv[2] ?? 1000)

const waymark = await startWaymark()
const account = await waymark.account()
const { body } = await post(waymark, account, '/v1/generate-link', { link: 'https://example.com/' })
const visited = `${waymark.url}/${body.data.code}`

const codes = (style: string, dynamic: boolean) =>
  Array.from({ length: count }, (_, n) => ({
    url: `https://example.com/table/${n}`,
    pattern: style,
    dynamic,
  }))

async function generate(style: string, dynamic: boolean): Promise<number> {
  const startedAt = performance.now()
  const made = await post(waymark, account, '/v1/generate-codes', { qrcodes: codes(style, dynamic) })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return performance.now() - startedAt
}

/** Milliseconds that visitors wait while something is done. */
async function beside(work: () => Promise<unknown>): Promise<number[]> {
  const worker = new Worker(new URL('support/visit-every.worker.ts', import.meta.url), {
    workerData: visited,
  })
  await once(worker, 'message')
  await work()
  const reply = once(worker, 'message') as Promise<[number[]]>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage('stop')
  return (await reply)[0].toSorted((a, b) => a - b)
}

/** Milliseconds that another account waits for a single code, while dense codes are drawn. */
async function singlesBesideDense(): Promise<number[]> {
  const other = await waymark.account()
  const single = async (): Promise<number> => {
    const startedAt = performance.now()
    const made = await post(waymark, other, '/v1/generate-qr', {
      url: 'https://example.com/single',
      pattern: 'squares',
    })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    return performance.now() - startedAt
  }
  const qrcodes = Array.from({ length: count }, (_, n) => ({
    url: `https://example.com/${n}/${'aB3-xY9~'.repeat(237)}`,
    pattern: 'squares',
  }))
  const state = { isOver: false }
  const dense = post(waymark, account, '/v1/generate-codes', { qrcodes }).then(() => (state.isOver = true))
  const waits: number[] = []
  while (!state.isOver) {
    waits.push(await single())
    await delay(200)
  }
  await dense
  return waits.toSorted((a, b) => a - b)
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)
const told = (waits: readonly number[], ms: number): string => {
  const at = (share: number): string => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(1)
  return `${(waits.length / (ms / 1000)).toFixed(0)} | ${at(0.5)} | ${at(0.99)} | ${at(0.999)}`
}

await generate('squares', false)
const alone = await generate('dots', false)
let loaded = 0
const waits = await beside(async () => (loaded = await generate('dots', true)))
const control = await beside(() => delay(loaded))
const singles = await singlesBesideDense()
await waymark.stop()

console.log(`${count} codes, load ${loadavg()[0]?.toFixed(1)}\n`)
console.log(`alone ${seconds(alone)} s, dynamic and beside redirects ${seconds(loaded)} s\n`)
console.log('| redirects | /s | half, ms | 99 of 100 | 999 of 1,000 |\n|---|---|---|---|---|')
console.log(`| without | ${told(control, loaded)} |\n| beside | ${told(waits, loaded)} |`)
console.log(
  `\n${singles.length} single codes of another account beside dense ones: half ${seconds(singles[singles.length >> 1] ?? 0)} s, slowest ${seconds(singles.at(-1) ?? 0)} s`,
)
