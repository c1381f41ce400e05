import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bystander, newBystander, whileAttacked } from '../support/isolation.ts'
import { post } from '../support/requests.ts'
import { type Account, startWaymark, type Waymark } from '../support/waymark.ts'

const COST = { servingSeconds: 6, megabytes: 400 }

const REQUESTS = 20

let waymark: Waymark
let owner: Account
let bystander: Bystander

beforeAll(async () => {
  waymark = await startWaymark()
  owner = await waymark.account()
  bystander = await newBystander(waymark)
})
afterAll(() => waymark.stop())

const rules = Array.from({ length: 3 }, (_, n) => ({
  if: { device: ['mobile'] },
  to: `https://example.com/${n}`,
}))
const links = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ link: `https://example.com/${n}`, ...more }))

it('generate-links takes turns: others create links and are redirected meanwhile', async () => {
  const [answers, other] = await whileAttacked(waymark, 'generate-links', bystander, COST, () => {
    const body = { links: links(1_000, { rules }) }
    const attack = Array.from({ length: REQUESTS }, () => post(waymark, owner, '/v1/generate-links', body))
    return Promise.all([
      Promise.all(attack),
      post(waymark, bystander.account, '/v1/generate-links', { links: links(10) }),
    ])
  })
  const created = answers.filter(({ status }) => status === 201)
  const rejected = answers.filter(({ status }) => status === 503)
  // One of an account is running, and a quarter of the queue may wait, some of them in vain on a busy machine.
  expect(created.length).toBeGreaterThan(0)
  expect(created.length).toBeLessThanOrEqual(9)
  expect(created.length + rejected.length).toBe(REQUESTS)
  for (const { headers, body } of rejected) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body.error).toMatch(/busy/)
  }
  expect(other.status).toBe(201)
})

it('many requests with one Idempotency-Key: one runs, some wait, the others are 503', async () => {
  const body = { links: links(1_000) }
  const send = () => post(waymark, owner, '/v1/generate-links', body, { 'idempotency-key': 'one' })
  const answers = await whileAttacked(waymark, 'one idempotency key', bystander, COST, () =>
    Promise.all(Array.from({ length: 2 * REQUESTS }, send)),
  )
  const created = answers.filter(({ status }) => status === 201)
  expect(created.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
  expect(new Set(created.map((answer) => answer.body.data[0].uuid)).size).toBe(1)
  const rest = answers.filter(({ status }) => status !== 201)
  expect(rest.every(({ status, headers }) => status === 503 && headers.has('retry-after'))).toBe(true)
})
