import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { beforeAll, expect, it } from 'vitest'
import { type Bystander, cpuSeconds, newBystander, whileAttacked } from '../support/isolation.ts'
import { json, sign } from '../support/requests.ts'
import { onStack } from '../support/stacks.ts'
import { call } from '../support/visitors.ts'
import type { Account, Waymark } from '../support/waymark.ts'

const COST = { servingSeconds: 1.5, megabytes: 400 }

const BULK = '/v1/generate-links'
const BULKS = 4
const BULK_MS = 3_000
const RESETS = 400
const AT_ONCE = 16
/** Less than one password takes on any machine. */
const HASH_MS = 15

/** A thousand links with a password each; resolves when the client has hung up. */
const sendBulk = ({ port }: Waymark, account: Account): Promise<number | undefined> => {
  const links = Array.from({ length: 1_000 }, (_, n) => ({
    link: `https://example.com/${n}`,
    password: `Secret-${n}`,
  }))
  const { bytes, type, digest } = json({ links })
  const headers = { 'content-type': type, ...sign(account, 'POST', BULK, digest) }
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path: BULK, headers })
    sent.on('response', ({ statusCode }) => resolve(statusCode))
    sent.on('error', () => resolve(undefined))
    sent.end(bytes)
    setTimeout(() => sent.destroy(), BULK_MS)
  })
}

onStack('embedded', (waymark) => {
  let bystander: Bystander
  let attacker: Account
  beforeAll(async () => {
    bystander = await newBystander(waymark())
    attacker = await waymark().account()
  })

  it('bulk creates with thousands of passwords delay no other account', async () => {
    await whileAttacked(waymark(), 'bulk passwords', bystander, COST, () =>
      Promise.all(Array.from({ length: BULKS }, () => sendBulk(waymark(), attacker))),
    )
  })

  it('bogus reset tokens are rejected without hashing', async () => {
    let left = RESETS
    const errors = new Set<unknown>()
    const attack = async (): Promise<void> => {
      while (left-- > 0) {
        const token = randomBytes(32).toString('base64url')
        const body = { token, password: 'Correct-horse-2', confirm_password: 'Correct-horse-2' }
        errors.add((await call(waymark(), 'POST', '/v1/reset-password', { body })).body.error)
      }
    }
    const before = await cpuSeconds(waymark())
    await Promise.all(Array.from({ length: AT_ONCE }, attack))
    const used = (await cpuSeconds(waymark())) - before
    console.log(`${RESETS} bogus resets: ${used.toFixed(2)} s of processor time`)
    expect([...errors]).toEqual(['This link is no longer valid; request a new one'])
    expect(used).toBeLessThan((RESETS * HASH_MS) / 1000 / 2)
  })
})
