import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { cpuSeconds, newBystander } from '../support/isolation.ts'
import { watchMemory } from '../support/memory.ts'
import { get, post, sign } from '../support/requests.ts'
import { converse, type Conversation, head } from '../support/sockets.ts'
import { call } from '../support/visitors.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'

/** Lists of about 3 MB. */
const LINKS = 1_000
const URL_CHARACTERS = 1_500
/** Lists that each connection requests: the system takes the first one or two, and the server has to hold the others. */
const LISTS = 8
const CONNECTIONS = 24
/** No more lists than an address may have waiting at the gate. */
const AT_ONCE = 4
const MEGABYTES = 400
const ELSEWHERE = '127.0.0.99'

/** Waits until a server has nothing more to do. */
async function idle(waymark: Waymark): Promise<void> {
  for (let before = -1; (await cpuSeconds(waymark)) - before > 0.1;) {
    before = await cpuSeconds(waymark)
    await delay(500)
  }
}

it('unread lists take little memory, and others are served', async () => {
  const waymark = await startWaymark()
  const account = await waymark.account()
  const { code } = await newBystander(waymark)
  for (let from = 0; from < LINKS; from += 200) {
    const links = Array.from({ length: 200 }, (_, n) => ({
      link: `https://example.com/${from + n}/`.padEnd(URL_CHARACTERS, 'x'),
      description: 'y'.repeat(URL_CHARACTERS),
    }))
    expect((await post(waymark, account, '/v1/generate-links', { links })).status).toBe(201)
  }
  const target = `/v1/links?limit=${LINKS}`
  const memory = watchMemory(waymark)
  const clients: Conversation[] = []
  while (clients.length < CONNECTIONS) {
    for (let n = 0; n < AT_ONCE; n++) {
      const client = await converse(waymark.port)
      clients.push(client)
      client.socket.pause()
      const requests = Array.from({ length: LISTS }, () => head('GET', target, sign(account, 'GET', target)))
      await client.send(requests.join(''))
    }
    await idle(waymark)
  }
  expect((await call(waymark, 'GET', `/${code}`, { from: ELSEWHERE })).status).toBe(302)
  const served = await call(waymark, 'GET', target, {
    from: ELSEWHERE,
    headers: sign(account, 'GET', target),
  })
  expect([served.status, served.body.data?.length]).toEqual([200, LINKS])
  memory.stop()
  console.log(`${CONNECTIONS * LISTS} unread lists: ${memory.peak().toFixed(0)} MB`)
  expect(memory.peak()).toBeLessThan(MEGABYTES)
  for (const client of clients) client.end()
  await expect.poll(async () => (await get(waymark, account, target)).status).toBe(200)
  await waymark.stop()
})
