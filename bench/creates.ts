import autocannon from 'autocannon'
import { startWaymark } from '../e2e/support/waymark.ts'

/** Links created per second on SQLite by one process: 16 connections, key only, each committed before its answer. */

const SECONDS = Number(process.env['SECONDS'] ?? 10)

const waymark = await startWaymark()
const { apiKey } = await waymark.account()
const load = (seconds: number) =>
  autocannon({
    url: `${waymark.url}/v1/generate-link`,
    method: 'POST',
    connections: 16,
    duration: seconds,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ link: 'https://example.com/some/where?with=query' }),
  })
await load(3)
const result = await load(SECONDS)
const listed = await fetch(`${waymark.url}/v1/links?limit=1`, { headers: { 'x-api-key': apiKey } })
const { meta } = (await listed.json()) as { meta: { total: number } }
await waymark.stop()

console.log(`links created per second  ${(result['2xx'] / result.duration).toFixed(0)}  (aim: 3,000)`)
console.log(`answered otherwise        ${result.non2xx}, errors ${result.errors}`)
console.log(`kept in the database      ${meta.total}`)
