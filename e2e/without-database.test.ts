import { expect, it } from 'vitest'
import { get } from './support/requests.ts'
import { askServices } from './support/stacks.ts'
import { startWaymark } from './support/waymark.ts'

it('without its database is not ready, answers 503 with retry-after, and comes back by itself', async () => {
  const postgres = await askServices('own/postgres')
  const waymark = await startWaymark({
    DATABASE_URL: postgres['url'] ?? '',
    SECRET_KEY: 'a secret for tests that nobody else knows',
    LOG_LEVEL: 'fatal',
  })
  const account = await waymark.account()
  await askServices(`own/${postgres['id']}/halt`)
  await expect.poll(async () => (await fetch(`${waymark.url}/readyz`)).status).toBe(503)
  const refused = await get(waymark, account, '/v1/current-plan')
  expect([refused.status, refused.headers.get('retry-after') !== null]).toEqual([503, true])
  expect((await fetch(`${waymark.url}/livez`)).status).toBe(200)
  await askServices(`own/${postgres['id']}/resume`)
  await expect.poll(async () => (await get(waymark, account, '/v1/current-plan')).status).toBe(200)
  await waymark.stop()
  await askServices(`own/${postgres['id']}/stop`)
})
