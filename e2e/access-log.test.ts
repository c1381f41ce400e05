import { afterEach, expect, it } from 'vitest'
import { until } from './support/pages.ts'
import { get, post } from './support/requests.ts'
import { startWaymark, type Waymark } from './support/waymark.ts'

let running: Waymark | undefined
afterEach(() => running?.stop())

interface Line {
  readonly msg: string
  readonly operation: string
  readonly status: number
  readonly ms: number
  readonly requestId?: string
  readonly address?: string
}

const linesOf = (waymark: Waymark): Line[] =>
  waymark
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg === 'request')

/** Makes one request of each kind: an operation, a redirect, a page that is not there, and a rejected call. */
async function visitAll(waymark: Waymark): Promise<string> {
  const account = await waymark.account()
  const link = (await post(waymark, account, '/v1/generate-link', { link: 'https://example.com/' })).body.data
  await fetch(link.short_url as string, { redirect: 'manual' })
  await fetch(`${waymark.url}/unknown-code`)
  await fetch(`${waymark.url}/v1/links`)
  return (await get(waymark, account, '/v1/links?search=token')).headers.get('x-request-id') ?? ''
}

it('logs every request with its id, operation, status and time, without addresses and URLs', async () => {
  running = await startWaymark({ LOG_LEVEL: 'info', LOG_REQUESTS: 'all' })
  const requestId = await visitAll(running)
  const waymark = running
  const lines = await until(
    async () => linesOf(waymark),
    (found) => found.some((line) => line.requestId === requestId),
  )
  const listed = lines.find((line) => line.requestId === requestId)
  expect(listed).toMatchObject({ operation: 'links', status: 200 })
  expect(listed?.ms).toBeGreaterThanOrEqual(0)
  expect(lines).toContainEqual(expect.objectContaining({ operation: 'generateLink', status: 201 }))
  expect(lines).toContainEqual(expect.objectContaining({ operation: 'links', status: 401 }))
  expect(lines.map(({ status }) => status)).toEqual(expect.arrayContaining([302, 404]))
  expect(running.output()).not.toMatch(/127\.0\.0\.1|::1|search=token/)
})

it('logs errors alone, with addresses where asked to', async () => {
  running = await startWaymark({ LOG_LEVEL: 'info', LOG_REQUESTS: 'errors', LOG_ADDRESSES: 'on' })
  await visitAll(running)
  const waymark = running
  const lines = await until(
    async () => linesOf(waymark),
    (found) => found.length >= 2,
  )
  expect(lines.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([401, 404])
  for (const { address } of lines) expect(address).toMatch(/^(127\.0\.0\.1|::1)$/)
})

it('logs nothing by default', async () => {
  running = await startWaymark({ LOG_LEVEL: 'info' })
  await visitAll(running)
  expect(linesOf(running)).toEqual([])
})
