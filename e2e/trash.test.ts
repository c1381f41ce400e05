import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { leastNested, newSlug, pageForm, picture, upload, wrongFields } from './support/pages.ts'
import { answered, type Encoded, get, multipart, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const plansFile = join(mkdtempSync(join(tmpdir(), 'waymark-plans-')), 'plans.json')
writeFileSync(plansFile, JSON.stringify({ free: {}, small: { limits: { links: 2, qrcodes: 1 } } }))

const LINK = { link: 'https://example.com/' }
const QR = { url: 'https://example.com/qr', pattern: 'squares', dynamic: true }
const BARCODE = { url: 'https://example.com/bar', dynamic: true }
const UTM = {
  url: 'https://example.com/',
  source: 'mail',
  medium: 'email',
  campaign: 'spring',
  content: 'top',
  shorten: true,
}

/** How each resource is created, listed and removed, and what an edit of it takes. */
const resources = [
  { type: 'link', list: '/v1/links', suffix: 'links', create: '/v1/generate-link', fields: () => LINK },
  { type: 'qrcode', list: '/v1/qrcode', suffix: 'qr', create: '/v1/generate-qr', fields: () => QR },
  {
    type: 'barcode',
    list: '/v1/barcode',
    suffix: 'barcode',
    create: '/v1/generate-barcode',
    fields: () => BARCODE,
  },
  { type: 'utm', list: '/v1/utm', suffix: 'utm', create: '/v1/generate-utm', fields: () => UTM },
  {
    type: 'page',
    list: '/v1/pages',
    suffix: 'page',
    create: '/v1/generate-page',
    fields: () => leastNested(newSlug()),
  },
] as const

type Fields = Record<string, unknown>

// Two processes, so that each sees what the other was asked to remove and restore.
onStack(
  'embedded',
  (waymark) => {
    const call = (who: Account, path: string, body: Fields | Encoded) => post(waymark(), who, path, body)
    const trashOf = async (who: Account, query = '') => (await get(waymark(), who, `/v1/trash${query}`)).body
    const total = async (who: Account, path: string): Promise<number> =>
      (await get(waymark(), who, path)).body.meta.total
    const restore = (who: Account, ...uuids: string[]) => call(who, '/v1/restore', { uuids })
    /** A connection of its own each time, so that both processes are asked. */
    const statusOf = async (address: string): Promise<number> =>
      (await fetch(address, { redirect: 'manual', headers: { connection: 'close' } })).status
    const expectStatus = async (status: number, ...addresses: string[]): Promise<void> => {
      for (const address of [...addresses, ...addresses])
        expect([address, await statusOf(address)]).toEqual([address, status])
    }
    const addressesOf = (data: Fields): string[] =>
      ['short_url', 'image_url', 'page_url'].flatMap((field) => {
        const address = data[field]
        return typeof address === 'string' ? [address] : []
      })

    it('a webhook comes back with its settings, and the trash tells what it was', async () => {
      const person = await waymark().account()
      const add = async (description: string) => {
        const { secret: _shownOnce, ...made } = (
          await call(person, '/v1/add-webhook', { url: 'https://example.com/hook', description })
        ).body.data
        return made
      }
      const [first, second] = [await add('first'), await add('second')]
      const uuids = [first.uuid, second.uuid]
      const unknown = await call(person, '/v1/remove-webhook', { uuids: [...uuids, 'unknown'] })
      expect([unknown.status, unknown.body.error]).toEqual([404, expect.stringContaining('unknown')])
      const removed = await call(person, '/v1/remove-webhook', { uuids })
      expect([removed.status, removed.body.data]).toEqual([200, { uuids }])
      const listed = async () => (await get(waymark(), person, '/v1/webhooks')).body.data
      expect(await listed()).toEqual([])
      const { data } = await trashOf(person, '?type=webhook')
      expect(data).toMatchObject([
        { uuid: second.uuid, type: 'webhook', label: 'second' },
        { uuid: first.uuid, type: 'webhook', label: 'first' },
      ])
      for (const path of ['/v1/edit-webhook', '/v1/remove-webhook', '/v1/test-webhook'])
        expect([path, (await call(person, path, { uuid: first.uuid })).status]).toEqual([path, 404])
      expect((await restore(person, first.uuid)).status).toBe(200)
      expect(await listed()).toEqual([first])
      await call(person, '/v1/remove-webhook', { uuid: first.uuid, permanent: true })
      expect((await restore(person, first.uuid)).status).toBe(404)
    })

    describe.each(resources)('$type', ({ type, list, suffix, create, fields }) => {
      const remove = `/v1/remove-${suffix}`

      it('is gone for visitors at once, and comes back as it was', async () => {
        const person = await waymark().account()
        const made = (await call(person, create, fields())).body.data
        const { uuid } = made
        const addresses = addressesOf(made)
        expect(addresses.length).toBeGreaterThan(0)
        const served = await Promise.all(addresses.map(statusOf))
        const removed = await call(person, remove, { uuid })
        expect([removed.status, removed.body.data]).toEqual([200, { uuid }])
        await expectStatus(410, ...addresses)
        expect([await total(person, list), await total(person, '/v1/links')]).toEqual([0, 0])
        expect((await get(waymark(), person, `${list}?uuid=${uuid}`)).body.data).toEqual([])
        expect((await get(waymark(), person, `/v1/analytics?uuid=${uuid}`)).status).toBe(404)
        expect((await call(person, remove, { uuid })).status).toBe(404)
        expect((await call(person, `/v1/edit-${suffix}`, { ...fields(), uuid })).status).toBe(404)

        const { data, meta } = await trashOf(person)
        expect(meta).toEqual({ count: 1, total: 1, next_cursor: null })
        expect(data).toEqual([
          {
            uuid,
            type,
            label: expect.any(String),
            removed_at: expect.any(String),
            erased_at: expect.any(String),
          },
        ])
        const kept = Date.parse(data[0].erased_at) - Date.parse(data[0].removed_at)
        expect(kept).toBe(30 * 24 * 60 * 60 * 1000)

        const restored = await restore(person, uuid)
        expect([restored.status, restored.body.data]).toEqual([200, { uuids: [uuid] }])
        expect((await get(waymark(), person, `${list}?uuid=${uuid}`)).body.data).toMatchObject([
          { uuid, created_at: made.created_at, updated_at: made.updated_at },
        ])
        expect(await Promise.all(addresses.map(statusOf))).toEqual(served)
        expect(await total(person, list)).toBe(1)
        expect((await trashOf(person)).meta.total).toBe(0)
        expect((await restore(person, uuid)).status).toBe(404)
      })

      it('is removed with others, all or none, and the unknown one is named', async () => {
        const [person, other] = [await waymark().account(), await waymark().account()]
        const uuids: string[] = []
        for (let n = 0; n < 3; n++) uuids.push((await call(person, create, fields())).body.data.uuid)
        const theirs = (await call(other, create, fields())).body.data.uuid
        for (const unknown of ['nobody', theirs]) {
          const refused = await call(person, remove, { uuids: [...uuids, unknown] })
          expect([refused.status, refused.body.error]).toEqual([404, expect.stringContaining(unknown)])
        }
        expect(await total(person, list)).toBe(3)
        const removed = await call(person, remove, { uuids: uuids.slice(0, 2) })
        expect([removed.status, removed.body.data]).toEqual([200, { uuids: uuids.slice(0, 2) }])
        expect(await total(person, list)).toBe(1)

        for (const unknown of ['nobody', uuids[2] ?? '', theirs]) {
          const refused = await restore(person, uuids[0] ?? '', unknown)
          expect([refused.status, refused.body.error]).toEqual([404, expect.stringContaining(unknown)])
        }
        expect((await restore(person, ...uuids.slice(0, 2))).status).toBe(200)
        expect(await total(person, list)).toBe(3)
      })

      it('is erased at once with permanent, and cannot be restored', async () => {
        const person = await waymark().account()
        const { data } = (await call(person, create, fields())).body
        expect((await call(person, remove, { uuid: data.uuid, permanent: true })).status).toBe(200)
        await expectStatus(410, ...addressesOf(data))
        expect((await trashOf(person)).data).toEqual([])
        expect((await restore(person, data.uuid)).status).toBe(404)
      })
    })

    it('removes and restores a thousand at once, and no more', async () => {
      const person = await waymark().account()
      const links = Array.from({ length: 1000 }, () => LINK)
      const made = (await call(person, '/v1/generate-links', { links })).body.data as {
        uuid: string
        short_url: string
      }[]
      const uuids = made.map(({ uuid }) => uuid)
      const tooMany = await call(person, '/v1/remove-links', { uuids: [...uuids, 'x'] })
      expect([tooMany.status, wrongFields(tooMany)]).toEqual([422, ['uuids']])
      expect((await call(person, '/v1/remove-links', { uuids })).status).toBe(200)
      await expectStatus(410, made[0]?.short_url ?? '', made[999]?.short_url ?? '')
      const pages: string[] = []
      let cursor = ''
      do {
        const { data, meta } = await trashOf(person, `?limit=400&cursor=${cursor}`.replace(/&cursor=$/, ''))
        pages.push(...data.map((item: { uuid: string }) => item.uuid))
        expect(meta.total).toBe(1000)
        cursor = meta.next_cursor ?? ''
      } while (cursor !== '')
      expect(pages.toSorted()).toEqual(uuids.toSorted())
      expect((await restore(person, ...uuids)).status).toBe(200)
      await expectStatus(302, made[0]?.short_url ?? '', made[999]?.short_url ?? '')
      expect(await total(person, '/v1/links')).toBe(1000)
    })

    it('422 for neither, both or wrong lists, in every format', async () => {
      const person = await waymark().account()
      const { uuid } = (await call(person, '/v1/generate-link', LINK)).body.data
      const wrong: [Fields, string][] = [
        [{}, 'uuid'],
        [{ uuid: null, uuids: null }, 'uuid'],
        [{ uuid, uuids: [uuid] }, 'uuids'],
        [{ uuids: [] }, 'uuids'],
        [{ uuids: uuid }, 'uuids'],
        [{ uuids: [uuid, 5] }, 'uuids.1'],
        [{ uuid, permanent: 'maybe' }, 'permanent'],
      ]
      for (const [body, field] of wrong) {
        const refused = await call(person, '/v1/remove-links', body)
        expect([body, refused.status, wrongFields(refused)]).toEqual([body, 422, [field]])
      }
      for (const body of [{}, { uuids: [] }, { uuids: 'x' }])
        expect(wrongFields(await call(person, '/v1/restore', body))).toEqual(['uuids'])
      const form = multipart([
        { name: 'uuids[]', value: uuid },
        { name: 'permanent', value: 'false' },
      ])
      expect((await call(person, '/v1/remove-links', form)).body.data).toEqual({ uuids: [uuid] })
      expect((await call(person, '/v1/restore', multipart([{ name: 'uuids[]', value: uuid }]))).status).toBe(
        200,
      )
    })

    it('needs the signature', async () => {
      const { apiKey } = await waymark().account()
      for (const [method, path] of [
        ['GET', '/v1/trash'],
        ['POST', '/v1/restore'],
      ] as const) {
        const response = await fetch(waymark().url + path, { method, headers: { 'x-api-key': apiKey } })
        expect((await answered(response)).body).toEqual({ error: 'Signature missing' })
      }
    })

    it('keeps short codes, slugs, pictures and domains of what is in it', async () => {
      const [person, other] = [await waymark().account(), await waymark().account()]
      const name = `trash-${process.pid}.example.com`
      await waymark().cli('domain', 'add', name, '--email', person.email)
      const customLink = `kept-${process.pid}`
      const link = (await call(person, '/v1/generate-link', { ...LINK, customLink, domain: name })).body.data
      const slug = newSlug()
      const logo = upload('logo', await picture('#345678', 31, 17))
      const page = (await call(person, '/v1/generate-page', await pageForm(slug, [logo]))).body.data
      await call(person, '/v1/remove-links', { uuid: link.uuid })
      await call(person, '/v1/remove-page', { uuid: page.uuid })

      await expectStatus(410, page.page_url, page.logo, page.short_link.short_url, page.qr_code.image_url)
      const again = await call(person, '/v1/generate-link', { ...LINK, customLink, domain: name })
      expect([again.status, wrongFields(again)]).toEqual([409, ['customLink']])
      expect((await call(other, '/v1/generate-page', leastNested(slug))).status).toBe(409)
      expect((await call(person, '/v1/remove-domain', { name })).status).toBe(409)

      expect((await restore(person, page.uuid, link.uuid)).status).toBe(200)
      await expectStatus(200, page.page_url, page.logo, page.qr_code.image_url)
      const { data } = (await get(waymark(), person, `/v1/pages?uuid=${page.uuid}`)).body
      expect(data).toEqual([page])
      await call(person, '/v1/remove-links', { uuid: link.uuid, permanent: true })
      expect((await call(person, '/v1/remove-domain', { name })).status).toBe(200)
    })

    it('frees the quota, and 402 when what is restored no longer fits', async () => {
      const person = await waymark().account()
      await waymark().cli('plan', 'set', '--email', person.email, '--plan', 'small')
      const create = async (): Promise<string> =>
        (await call(person, '/v1/generate-link', LINK)).body.data.uuid
      const first = [await create(), await create()]
      await call(person, '/v1/remove-links', { uuids: first })
      const second = [await create(), await create()]
      expect((await restore(person, ...first)).status).toBe(402)
      await call(person, '/v1/remove-links', { uuid: second[0] })
      expect((await restore(person, ...first)).status).toBe(402)
      expect((await trashOf(person)).meta.total).toBe(3)
      expect((await restore(person, first[0] ?? '')).status).toBe(200)
      expect((await restore(person, first[1] ?? '')).status).toBe(402)
    })

    it('goes with the account, and nothing of it is given away', async () => {
      const [person, other] = [await waymark().account(), await waymark().account()]
      const slug = newSlug()
      const page = (await call(person, '/v1/generate-page', leastNested(slug))).body.data
      const link = (await call(person, '/v1/generate-link', LINK)).body.data
      await call(person, '/v1/remove-page', { uuid: page.uuid })
      await call(person, '/v1/remove-links', { uuid: link.uuid })
      expect((await call(person, '/v1/remove-account', { reason: 'done' })).status).toBe(200)
      await expectStatus(410, page.page_url, page.qr_code.image_url, link.short_url)
      expect((await call(other, '/v1/generate-page', leastNested(slug))).status).toBe(409)
      expect((await call(other, '/v1/generate-link', { ...LINK, customLink: link.code })).status).toBe(409)
    })
  },
  { WORKERS: '2', PLANS_FILE: plansFile, RATE_LIMIT_READ: '600' },
)
