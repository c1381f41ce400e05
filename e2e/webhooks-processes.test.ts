import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from './support/receiver.ts'
import { post } from './support/requests.ts'
import { startWaymark, type Waymark } from './support/waymark.ts'

let receiver: Receiver
let paths = 0
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())

const newPath = (): string => `/hook${++paths}`
const link = { link: 'https://example.com/' }

describe('several processes', () => {
  let waymark: Waymark
  beforeAll(async () => {
    waymark = await startWaymark({ WORKERS: '2', WEBHOOK_ALLOW_PRIVATE: 'true' })
  })
  afterAll(() => waymark.stop())

  it('know of a webhook soon, and send each event once between them', async () => {
    const person = await waymark.account()
    const path = newPath()
    await post(waymark, person, '/v1/add-webhook', { url: receiver.url + path })
    // The other process hears of it at once by a message, and looks every second.
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const makes = Array.from({ length: 40 }, () =>
      post(waymark, person, '/v1/generate-link', link, { connection: 'close' }),
    )
    const made = (await Promise.all(makes)).map(({ body }) => body.data.uuid as string)
    await expect.poll(() => receiver.at(path).length).toBeGreaterThanOrEqual(40)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(
      receiver
        .at(path)
        .map(({ event }) => event.data.uuid as string)
        .toSorted(),
    ).toEqual(made.toSorted())
  })
})

describe('without leave to reach private addresses', () => {
  let waymark: Waymark
  beforeAll(async () => {
    waymark = await startWaymark()
  })
  afterAll(() => waymark.stop())

  it('422 for one of them, however it is written, and nothing is sent there', async () => {
    const person = await waymark.account()
    const path = newPath()
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '169.254.169.254', '10.0.0.1']) {
      const url = `http://${host}:${new URL(receiver.url).port}${path}`
      const { status, body } = await post(waymark, person, '/v1/add-webhook', { url })
      expect([url, status, body.errors]).toEqual([url, 422, { url: ['Must be a public address'] }])
    }
    expect(receiver.at(path)).toEqual([])
  })
})
