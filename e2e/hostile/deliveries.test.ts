import { afterAll, beforeAll, expect, it } from 'vitest'
import { newBystander, whileAttacked } from '../support/isolation.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { post } from '../support/requests.ts'
import { onStack } from '../support/stacks.ts'
import type { Account, Waymark } from '../support/waymark.ts'

const COST = { servingSeconds: 1, megabytes: 400 }

const ACCOUNTS = 7
const WEBHOOKS = 10
const EVENTS = 20
const HANGING = '/hanging'

const addWebhook = async (waymark: Waymark, account: Account, url: string): Promise<void> => {
  expect((await post(waymark, account, '/v1/add-webhook', { url })).status).toBe(201)
}

/** An account all of whose receivers accept connections and never answer, with a backlog for each. */
const addHangingAccount = async (waymark: Waymark, { url }: Receiver): Promise<void> => {
  const account = await waymark.account()
  for (let n = 0; n < WEBHOOKS; n++) await addWebhook(waymark, account, url + HANGING)
  const links = Array.from({ length: EVENTS }, () => ({ link: 'https://example.com/' }))
  expect((await post(waymark, account, '/v1/generate-links', { links })).status).toBe(201)
}

let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
  receiver.answer(HANGING, () => {})
})
afterAll(() => receiver.close())

onStack(
  'embedded',
  (waymark) => {
    it('receivers that hang delay no delivery of another account', async () => {
      const bystander = await newBystander(waymark())
      const before = receiver.at(HANGING).length
      await Promise.all(Array.from({ length: ACCOUNTS }, () => addHangingAccount(waymark(), receiver)))
      await expect.poll(() => receiver.at(HANGING).length - before).toBeGreaterThanOrEqual(ACCOUNTS)
      const path = '/bystander'
      await addWebhook(waymark(), bystander.account, receiver.url + path)
      await whileAttacked(waymark(), 'hanging receivers', bystander, COST, async () => {
        for (let n = 1; n <= 5; n++) {
          const { status } = await post(waymark(), bystander.account, '/v1/generate-link', {
            link: `https://example.com/${n}`,
          })
          expect(status).toBe(201)
          await expect.poll(() => receiver.at(path).length, { interval: 10 }).toBe(n)
        }
      })
    })
  },
  { WEBHOOK_ALLOW_PRIVATE: 'true' },
)
