import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openReceiver, type Received, type Receiver, verify } from './support/receiver.ts'
import { get, multipart, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

let receiver: Receiver
let paths = 0
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())

const newPath = (): string => `/hook${++paths}`
const link = { link: 'https://example.com/' }

forEachStack(
  (waymark) => {
    const call = (who: Account, path: string, body: Record<string, unknown>) =>
      post(waymark(), who, path, body)
    const hook = async (who: Account, fields: Record<string, unknown> = {}) => {
      const path = newPath()
      const { status, body } = await call(who, '/v1/add-webhook', { url: receiver.url + path, ...fields })
      expect([status, body.data.secret]).toEqual([201, expect.stringMatching(/^whsec_/)])
      return { path, uuid: body.data.uuid as string, secret: body.data.secret as string }
    }
    const deliveries = async (who: Account, uuid: string) =>
      (await get(waymark(), who, `/v1/webhook-deliveries?uuid=${uuid}`)).body.data
    const arrived = async (path: string, count: number): Promise<Received[]> => {
      await expect.poll(() => receiver.at(path).length, { interval: 20 }).toBe(count)
      return receiver.at(path)
    }

    let failed: { readonly person: Account; readonly path: string; readonly uuid: string }

    it('says of a delivery that failed why, and when it is tried again', async () => {
      const person = await waymark().account()
      const { path, uuid } = await hook(person)
      failed = { person, path, uuid }
      receiver.answer(path, 503)
      await call(person, '/v1/generate-link', link)
      await arrived(path, 1)
      receiver.answer(path, 204)
      await expect
        .poll(async () => (await deliveries(person, uuid))[0])
        .toMatchObject({
          state: 'pending',
          attempts: 1,
          status: 503,
          error: 'The receiver returned 503',
          next_attempt_at: expect.any(String),
        })
    })

    it('tells of every change what the API answered, signed by the standard', async () => {
      const person = await waymark().account()
      const { path, secret } = await hook(person)
      const fields = {
        title: 'Named',
        tags: ['a', 'b'],
        archived: true,
        starts_at: '2020-01-01T00:00:00.000Z',
        expire: '2099-01-01T00:00:00.000Z',
        forward_query: true,
        rules: [{ if: { country: ['DE'] }, to: 'https://example.com/de' }],
        variants: ['A', 'B'].map((name) => ({ name, weight: 1, url: `https://example.com/${name}` })),
        preview: { title: 'Card', description: null, image: null },
      }
      const made = (await call(person, '/v1/generate-link', { ...link, ...fields })).body.data
      expect(made).toMatchObject(fields)
      const edited = (await call(person, '/v1/edit-links', { ...link, uuid: made.uuid, tag: 'ü' })).body.data
      await call(person, '/v1/remove-links', { uuid: made.uuid })
      await call(person, '/v1/restore', { uuids: [made.uuid] })
      const received = await arrived(path, 4)
      const byType = new Map(received.map(({ event }) => [event.type, event.data]))
      expect(Object.fromEntries(byType)).toEqual({
        'link.created': made,
        'link.edited': edited,
        'link.removed': { uuid: made.uuid },
        'link.restored': edited,
      })
      for (const delivery of received) {
        expect(verify(secret, delivery)).toEqual(delivery.event)
        const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = delivery.headers
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
        const byHand = createHmac('sha256', key).update([id, at, delivery.body].join('.')).digest('base64')
        expect(signature).toBe(`v1,${byHand}`)
        expect(() => verify(`whsec_${'A'.repeat(43)}=`, delivery)).toThrow('No matching signature')
      }
      expect(new Set(received.map(({ id }) => id)).size).toBe(4)
    })

    it('tells of codes, UTM links and pages, and of the links and codes that come and go with them', async () => {
      const person = await waymark().account()
      const { path } = await hook(person)
      const { uuid } = (await call(person, '/v1/generate-barcode', { url: 'https://example.com/' })).body.data
      await call(person, '/v1/edit-barcode', { uuid, size: 50 })
      await call(person, '/v1/remove-barcode', { uuid })
      const tags = { source: 'a', medium: 'b', campaign: 'c', content: 'd', url: 'https://example.com/' }
      const utm = (await call(person, '/v1/generate-utm', { ...tags, shorten: true })).body.data
      await call(person, '/v1/edit-utm', { ...tags, source: 'z', uuid: utm.uuid })
      await call(person, '/v1/remove-utm', { uuid: utm.uuid })
      const qr = (await call(person, '/v1/generate-qr', { url: tags.url, pattern: 'dots' })).body.data
      await call(person, '/v1/edit-qr', { uuid: qr.uuid, size: 200 })
      await call(person, '/v1/remove-qr', { uuid: qr.uuid })
      const page = (
        await post(
          waymark(),
          person,
          '/v1/generate-page',
          multipart([
            { name: 'title', value: 'A page' },
            { name: 'slug', value: `w${Date.now()}` },
            { name: 'logoPosition', value: 'top-left' },
            { name: 'images[][src]', value: 'https://example.com/a.png' },
            { name: 'buttons[][label]', value: 'Go' },
          ]),
        )
      ).body.data
      const pageEdit = { uuid: page.uuid, title: 'B', logoPosition: 'top-left', buttons: [{ label: 'Go' }] }
      await call(person, '/v1/edit-page', { ...pageEdit, slug: `x${Date.now()}` })
      await call(person, '/v1/remove-page', { uuid: page.uuid })
      const changes = (name: string): string[] => [`${name}.created`, `${name}.edited`, `${name}.removed`]
      const expected = [
        ...changes('barcode'),
        ...changes('utm'),
        ...changes('link'),
        ...changes('qrcode'),
        ...changes('page'),
        ...changes('link'),
        'qrcode.created',
        'qrcode.removed',
      ]
      const received = await arrived(path, expected.length)
      expect(received.map(({ event }) => event.type as string).toSorted()).toEqual(expected.toSorted())
      const told = (type: string, of: string) =>
        received.find(({ event }) => event.type === type && event.data.uuid === of)?.event.data
      expect(told('page.created', page.uuid)).toEqual(page)
      expect(told('link.created', page.short_link.uuid)).toEqual(page.short_link)
      expect(told('qrcode.created', page.qr_code.uuid)).toEqual(page.qr_code)
    })

    it('tells of what was asked for alone, of many at once, and nothing while it is switched off', async () => {
      const person = await waymark().account()
      const { path, uuid } = await hook(person, { events: ['link.created', 'link.created'] })
      const many = Array.from({ length: 30 }, () => link)
      const made = (await call(person, '/v1/generate-links', { links: many })).body.data
      await call(person, '/v1/remove-links', { uuid: made[0].uuid })
      const refused = await call(person, '/v1/generate-links', { links: [link, { link: 'nonsense' }] })
      expect(refused.status).toBe(422)
      const received = await arrived(path, 30)
      const uuids = (list: { uuid: string }[]) => list.map((item) => item.uuid).toSorted()
      expect(uuids(received.map(({ event }) => event.data))).toEqual(uuids(made))

      const off = await call(person, '/v1/edit-webhook', { uuid, enabled: false })
      expect(off.body.data).toMatchObject({ enabled: false, events: ['link.created'] })
      expect((await call(person, '/v1/test-webhook', { uuid })).status).toBe(409)
      await call(person, '/v1/generate-link', link)
      await call(person, '/v1/edit-webhook', { uuid, enabled: true })
      const tested = await call(person, '/v1/test-webhook', { uuid })
      expect([tested.status, tested.body.data.type]).toEqual([200, 'webhook.test'])
      expect((await arrived(path, 31)).at(-1)?.event.type).toBe('webhook.test')
    })

    it('shows what became of a delivery, and follows no redirect', async () => {
      const person = await waymark().account()
      const { path, uuid } = await hook(person)
      receiver.answer(path, (response) => {
        response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end()
      })
      await call(person, '/v1/test-webhook', { uuid })
      await expect.poll(async () => (await deliveries(person, uuid))[0].state).toBe('failed')
      expect(await deliveries(person, uuid)).toMatchObject([
        { type: 'webhook.test', attempts: 1, status: 302, error: expect.stringContaining('redirects') },
      ])
      expect([receiver.at(path).length, receiver.at('/elsewhere').length]).toEqual([1, 0])
    })

    it('loses nothing to a kill between the change and its delivery', async () => {
      const person = await waymark().account()
      const { path } = await hook(person)
      // What has begun hangs, so that the rest waits in the database.
      receiver.answer(path, () => {})
      const made = await call(person, '/v1/generate-links', { links: Array.from({ length: 40 }, () => link) })
      expect(made.status).toBe(201)
      await expect.poll(() => receiver.at(path).length).toBeGreaterThan(0)
      await waymark().end('SIGKILL')
      const before = new Set(receiver.at(path).map(({ id }) => id))
      expect(before.size).toBeLessThan(40)
      receiver.answer(path, 204)
      await waymark().restart()
      const uuids = () => new Set(receiver.at(path).map(({ event }) => event.data.uuid as string))
      await expect.poll(() => uuids().size).toBe(40)
      expect([...uuids()].toSorted()).toEqual(
        made.body.data.map((item: { uuid: string }) => item.uuid).toSorted(),
      )
    })

    it('keeps webhooks to their owner, and ends with the account', async () => {
      const [person, other] = [await waymark().account(), await waymark().account()]
      const { path, uuid } = await hook(person)
      expect((await get(waymark(), other, '/v1/webhooks')).body.data).toEqual([])
      const [listed] = (await get(waymark(), person, '/v1/webhooks')).body.data
      expect([listed.uuid, listed.secret]).toEqual([uuid, undefined])
      const strange = [
        await call(other, '/v1/edit-webhook', { uuid, enabled: false }),
        await call(other, '/v1/remove-webhook', { uuid }),
        await call(other, '/v1/test-webhook', { uuid }),
        await get(waymark(), other, `/v1/webhook-deliveries?uuid=${uuid}`),
      ]
      expect(strange.map(({ status }) => status)).toEqual([404, 404, 404, 404])
      await call(other, '/v1/generate-link', link)
      await call(person, '/v1/generate-link', link)
      await arrived(path, 1)
      expect((await call(person, '/v1/remove-account', { reason: 'enough' })).status).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(receiver.at(path)).toHaveLength(1)
    })

    it('never fails over what it is given', async () => {
      const person = await waymark().account()
      const { uuid } = await hook(person)
      const url = 'https://example.com/'
      const wrong: [string, Record<string, unknown>, number][] = [
        ['/v1/add-webhook', {}, 422],
        ['/v1/add-webhook', { url: 'ftp://example.com/' }, 422],
        ['/v1/add-webhook', { url: 'https://user:secret@example.com/' }, 422],
        ['/v1/add-webhook', { url: ['https://example.com/'] }, 422],
        ['/v1/add-webhook', { url: `https://example.com/${'x'.repeat(2048)}` }, 422],
        ['/v1/add-webhook', { url, events: [] }, 422],
        ['/v1/add-webhook', { url, events: ['link.made'] }, 422],
        ['/v1/add-webhook', { url, events: ['webhook.test'] }, 422],
        ['/v1/add-webhook', { url, events: 'link.created' }, 422],
        ['/v1/add-webhook', { url, events: [['link.created']] }, 422],
        ['/v1/add-webhook', { url, events: Array.from({ length: 101 }, () => 'link.created') }, 422],
        ['/v1/add-webhook', { url, description: 'x'.repeat(256) }, 422],
        ['/v1/add-webhook', { url, description: 'a\0b' }, 422],
        ['/v1/edit-webhook', { uuid, enabled: 'perhaps' }, 422],
        ['/v1/edit-webhook', { uuid: 'a\0b' }, 422],
        ['/v1/edit-webhook', { uuid: "' or 1=1 --" }, 404],
        ['/v1/remove-webhook', { uuid: '🐌' }, 404],
        ['/v1/test-webhook', { uuid: { $ne: '' } }, 422],
      ]
      for (const [path, body, status] of wrong)
        expect([path, body, (await call(person, path, body)).status]).toEqual([path, body, status])
      for (const [query, status] of [
        ['', 422],
        ['?uuid=', 422],
        ['?uuid=x', 404],
        [`?uuid=${uuid}&limit=0`, 422],
        [`?uuid=${uuid}&limit=1e1`, 422],
        [`?uuid=${uuid}&limit=101`, 422],
        [`?uuid=${uuid}&limit=100`, 200],
      ] as const)
        expect([query, (await get(waymark(), person, `/v1/webhook-deliveries${query}`)).status]).toEqual([
          query,
          status,
        ])
    })

    it('tries again what failed before the restart, with the same id and body', async () => {
      const { person, path, uuid } = failed
      const [first, second] = await arrived(path, 2)
      expect([second?.id, second?.body]).toEqual([first?.id, first?.body])
      await expect.poll(async () => (await deliveries(person, uuid))[0].state).toBe('delivered')
    })
  },
  { WEBHOOK_ALLOW_PRIVATE: 'true' },
)
