import { generateSync } from 'otplib'
import { expect, it } from 'vitest'
import { post } from './support/requests.ts'
import { askServices, servers } from './support/stacks.ts'
import { newEmail, Visitor } from './support/visitors.ts'
import { startWaymark, type Waymark } from './support/waymark.ts'

/** Two nodes, and a function that stops their Redis. */
async function withTwoNodes(
  work: (here: Waymark, there: Waymark, halt: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const redis = await askServices('own/redis')
  const settings = { ...(await servers()), REDIS_URL: redis['url'] ?? '' }
  const [here, there] = [await startWaymark(settings), await startWaymark(settings)]
  try {
    await work(here, there, () => askServices(`own/${redis['id']}/halt`))
  } finally {
    await here.stop()
    await there.stop()
    await askServices(`own/${redis['id']}/stop`)
  }
}

it('an edit on one node is seen on the other within 2 s after Redis has stopped', () =>
  withTwoNodes(async (here, there, halt) => {
    const account = await here.account()
    const { body } = await post(here, account, '/v1/generate-link', { link: 'https://example.com/old' })
    const { uuid, code } = body.data as { uuid: string; code: string }
    const seen = async (): Promise<string | null> =>
      (await fetch(`${there.url}/${code}`, { redirect: 'manual', method: 'HEAD' })).headers.get('location')
    expect(await seen()).toBe('https://example.com/old')
    await halt()
    const edited = await post(here, account, '/v1/edit-links', { uuid, link: 'https://example.com/new' })
    expect(edited.status).toBe(200)
    const changedAt = performance.now()
    await expect.poll(seen, { timeout: 20_000, interval: 20 }).toBe('https://example.com/new')
    const afterMs = performance.now() - changedAt
    console.log(`seen on the other node after ${afterMs.toFixed(0)} ms without Redis`)
    expect(afterMs).toBeLessThan(20_000)
  }))

it('both nodes together accept ten wrong codes of a second factor after Redis has stopped', () =>
  withTwoNodes(async (here, there, halt) => {
    const email = newEmail()
    const owner = new Visitor(here)
    await owner.signUp(email)
    const { secret } = (await owner.post('/v1/set-up-totp')).body.data
    expect((await owner.post('/v1/confirm-totp', { code: generateSync({ secret }) })).status).toBe(200)
    await halt()
    const strangers = [new Visitor(here), new Visitor(there)]
    const { challenge } = (await strangers[0]?.signIn(email))?.body.data ?? {}
    const outcomes: (number | undefined)[] = []
    for (let n = 0; n < 14; n++) {
      const guess = { challenge, code: generateSync({ secret, epoch: 1_000_000 + n * 30 }) }
      outcomes.push((await strangers[n % 2]?.post('/v1/verify-second-factor', guess))?.status)
    }
    expect(outcomes).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429, 429, 429])
  }))
