import { expect, it } from 'vitest'
import { post } from './support/requests.ts'
import { askServices, servers } from './support/stacks.ts'
import { startWaymark } from './support/waymark.ts'

it('an edit on one node is seen on the other within 2 s after Redis has stopped', async () => {
  const redis = await askServices('own/redis')
  const settings = { ...(await servers()), REDIS_URL: redis['url'] ?? '' }
  const [here, there] = [await startWaymark(settings), await startWaymark(settings)]
  try {
    const account = await here.account()
    const { body } = await post(here, account, '/v1/generate-link', { link: 'https://example.com/old' })
    const { uuid, code } = body.data as { uuid: string; code: string }
    const seen = async (): Promise<string | null> =>
      (await fetch(`${there.url}/${code}`, { redirect: 'manual', method: 'HEAD' })).headers.get('location')
    expect(await seen()).toBe('https://example.com/old')
    await askServices(`own/${redis['id']}/halt`)
    const edited = await post(here, account, '/v1/edit-links', { uuid, link: 'https://example.com/new' })
    expect(edited.status).toBe(200)
    const changedAt = performance.now()
    await expect.poll(seen, { timeout: 20_000, interval: 20 }).toBe('https://example.com/new')
    const afterMs = performance.now() - changedAt
    console.log(`seen on the other node after ${afterMs.toFixed(0)} ms without Redis`)
    expect(afterMs).toBeLessThan(20_000)
  } finally {
    await here.stop()
    await there.stop()
    await askServices(`own/${redis['id']}/stop`)
  }
})
