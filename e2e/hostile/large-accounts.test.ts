import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertManyLinks } from '../dashboard/many-links.ts'
import {
  type Bystander,
  cpuSeconds,
  newBystander,
  servingSeconds,
  whileAttacked,
} from '../support/isolation.ts'
import { get } from '../support/requests.ts'
import { type Account, startWaymark, type Waymark } from '../support/waymark.ts'

const COST = { servingSeconds: 4, megabytes: 400 }

const LINKS = 200_000

let waymark: Waymark
let owner: Account
let bystander: Bystander

beforeAll(async () => {
  waymark = await startWaymark()
  owner = await waymark.account()
  bystander = await newBystander(waymark)
  insertManyLinks(waymark, owner.email, LINKS)
})
afterAll(() => waymark.stop())

/** A stranger who knows nothing but the public key. */
const asked = async (path: string) => {
  const response = await fetch(waymark.url + path, { headers: { 'x-api-key': owner.apiKey } })
  return { status: response.status, body: (await response.json()) as { meta: { total: number } } }
}

it('searches and totals of a large account are not read by the thread that serves visitors', async () => {
  // The Kelvin sign is a k once it is folded.
  const paths = [
    `/v1/links?search=${encodeURIComponent('\u212a')}`,
    '/v1/links?search=not-to-be-found',
    `/v1/links?search=${encodeURIComponent('ä')}`,
    '/v1/links?domain=localhost',
    '/v1/tags',
    '/v1/analytics?domain=localhost&compare=true',
  ]
  await asked('/v1/links?search=warm')
  const [all, serving] = [await cpuSeconds(waymark), await servingSeconds(waymark)]
  await whileAttacked(waymark, 'large account', bystander, COST, async () => {
    for (let round = 0; round < 3; round++)
      for (const path of paths) expect([path, (await asked(path)).status]).toEqual([path, 200])
  })
  const [spent, servingSpent] = [(await cpuSeconds(waymark)) - all, (await servingSeconds(waymark)) - serving]
  console.log(
    `large account: ${spent.toFixed(2)} s of processor time, ${servingSpent.toFixed(2)} s while serving`,
  )
  // What is left to that thread are the redirects, the sign-ins and the JSON.
  expect(servingSpent).toBeLessThan(spent / 2)
})

it('many of these reads at once are all served, in turns with those of others', async () => {
  const other = await waymark.account()
  const ended: string[] = []
  const reads = Array.from({ length: 40 }, async () => {
    const { status } = await asked('/v1/links?search=not-to-be-found')
    ended.push('busy')
    return status
  })
  const search = await get(waymark, other, '/v1/links?search=not-to-be-found')
  ended.push('other')
  expect(new Set([search.status, ...(await Promise.all(reads))])).toEqual(new Set([200]))
  // Not after all of those that came before it.
  expect(ended.indexOf('other')).toBeLessThan(reads.length)
})
