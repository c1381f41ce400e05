import { get, post } from '../e2e/support/requests.ts'
import { startWaymark } from '../e2e/support/waymark.ts'
import './support/released.ts'

/*
 * What a create with proof costs, and whether it stalls anybody else: the health check's p99 while eight clients
 * create codes, as a ratio to its idle value, in one run.
 */

const CREATES = Number(process.env['CREATES'] ?? 400)
const CHECKS = Number(process.env['CHECKS'] ?? 2_000)
const CLIENTS = 8

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

const waymark = await startWaymark()
const account = await waymark.account()

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
const checkOnce = (): Promise<number> =>
  timed(async () => (await fetch(`${waymark.url}/v1/healthcheck`)).arrayBuffer())
const checks = async (): Promise<number[]> => {
  const times: number[] = []
  for (let n = 0; n < CHECKS; n++) times.push(await checkOnce())
  return times
}
const create = async (n: number): Promise<void> => {
  const pattern = n % 2 === 0 ? 'squares' : 'dots'
  const answer = await post(waymark, account, '/v1/generate-qr', { url: `https://example.com/${n}`, pattern })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
}

for (let n = 0; n < 20; n++) await create(n)
await checks()
const idle = await checks()
const alone: number[] = []
for (let n = 0; n < 100; n++) alone.push(await timed(() => create(n)))

const enough = new AbortController()
let created = 0
const startedAt = performance.now()
const busyClients = Array.from({ length: CLIENTS }, async () => {
  while (!enough.signal.aborted || created < CREATES) await create(created++)
})
const busy = await checks()
enough.abort()
await Promise.all(busyClients)
const perSecond = created / ((performance.now() - startedAt) / 1000)
await get(waymark, account, '/v1/qrcode?limit=1')
await waymark.stop()

const ms = (value: number): string => `${value.toFixed(2)} ms`
console.log(
  `create with proof, one client     median ${ms(percentile(alone, 0.5))}, p99 ${ms(percentile(alone, 0.99))}`,
)
console.log(`creates with proof, ${CLIENTS} clients    ${perSecond.toFixed(0)} per second`)
console.log(`health check, idle                p99 ${ms(percentile(idle, 0.99))}`)
console.log(`health check, ${CLIENTS} clients creating  p99 ${ms(percentile(busy, 0.99))}`)
console.log(
  `ratio busy / idle                 ${(percentile(busy, 0.99) / percentile(idle, 0.99)).toFixed(1)}  (aim: under 5)`,
)
