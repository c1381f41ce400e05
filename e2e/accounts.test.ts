import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { png } from './support/pictures.ts'
import { type Encoded, formats, get, multipart, post, sign, urlencoded } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import { newEmail, Visitor } from './support/visitors.ts'
import type { Account } from './support/waymark.ts'

const plansFile = join(mkdtempSync(join(tmpdir(), 'waymark-plans-')), 'plans.json')
writeFileSync(
  plansFile,
  JSON.stringify({
    free: { limits: { links: 3 } },
    pro: { price: 1900, currency: 'EUR', interval: 'month', tax_rate: 19, limits: { links: 100 } },
  }),
)
const settings = {
  PLANS_FILE: plansFile,
  SELLER_NAME: 'Waymark GmbH',
  SELLER_ADDRESS: 'Lindenweg 4\n10115 Berlin',
  SELLER_TAX_ID: 'DE123456789',
}

const ISO_TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

onStack(
  'embedded',
  (waymark) => {
    let account: Account
    beforeAll(async () => {
      account = await waymark().account()
    })
    const link = (who: Account) => post(waymark(), who, '/v1/generate-link', { link: 'https://example.com/' })
    const plan = async (who: Account) => (await get(waymark(), who, '/v1/current-plan')).body.data

    describe('current-plan', () => {
      it('shows the terms, their limits and what is used of them', async () => {
        const answer = await get(waymark(), account, '/v1/current-plan')
        expect(answer.status).toBe(200)
        expect(answer.body).toEqual({
          status: 'success',
          message: expect.any(String),
          data: {
            name: 'free',
            price: 0,
            currency: 'USD',
            interval: 'month',
            started_at: ISO_TIME,
            renews_at: ISO_TIME,
            limits: {
              links: 3,
              qrcodes: null,
              barcodes: null,
              pages: null,
              utm: null,
              domains: null,
              workspaces: 5,
            },
            usage: { links: 0, qrcodes: 0, barcodes: 0, pages: 0, utm: 0, domains: 0, workspaces: 1 },
          },
        })
      })

      it('402 past the quota, however many ask at once; what was removed can be made again', async () => {
        const answers = await Promise.all(Array.from({ length: 12 }, () => link(account)))
        expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
          201,
          201,
          201,
          ...Array.from({ length: 9 }, () => 402),
        ])
        expect((await plan(account)).usage.links).toBe(3)
        const made = answers.find(({ status }) => status === 201)
        await post(waymark(), account, '/v1/remove-links', { uuid: made?.body.data.uuid })
        expect((await plan(account)).usage.links).toBe(2)
        expect((await link(account)).status).toBe(201)
        expect((await link(account)).status).toBe(402)
      })

      it('follows the plan that the operator sets', async () => {
        const changed = await waymark().cli(
          'plan',
          'set',
          '--email',
          account.email,
          '--plan',
          'pro',
          '--json',
        )
        expect(JSON.parse(changed.stdout)).toEqual({ email: account.email, plan: 'pro' })
        expect(await plan(account)).toMatchObject({
          name: 'pro',
          price: 1900,
          currency: 'EUR',
          limits: { links: 100 },
        })
        expect((await link(account)).status).toBe(201)
      })
    })

    describe('download-invoice', () => {
      const path = '/v1/download-invoice'
      const numbers = async (who: Account): Promise<string[]> =>
        (await get(waymark(), who, '/v1/invoices')).body.data.map(({ number }: { number: string }) => number)

      it('is there from the first moment, the free plan included', async () => {
        const person = await waymark().account()
        const { status, body } = await get(waymark(), person, path)
        expect(status).toBe(200)
        expect(body.data).toMatchObject({
          number: expect.stringMatching(/^INV-\d{6}$/),
          issued_at: ISO_TIME,
          due_at: ISO_TIME,
          period_start: ISO_TIME,
          period_end: ISO_TIME,
          seller: { name: 'Waymark GmbH', address: 'Lindenweg 4\n10115 Berlin', tax_id: 'DE123456789' },
          buyer: { name: person.email, email: person.email, address: null },
          lines: [{ quantity: 1, unit_price: 0, amount: 0 }],
          subtotal: 0,
          tax: { rate: 0, amount: 0 },
          total: 0,
          currency: 'USD',
          pdf_url: expect.stringContaining('.pdf?'),
        })
      })

      it('answers the newest, and any by its number', async () => {
        const [newest, oldest] = await numbers(account)
        const { data } = (await get(waymark(), account, path)).body
        expect(data).toMatchObject({
          number: newest,
          subtotal: 1900,
          tax: { rate: 19, amount: 361 },
          total: 2261,
        })
        expect((await get(waymark(), account, `${path}?number=${oldest}`)).body.data).toMatchObject({
          number: oldest,
          total: 0,
        })
      })

      it('404 for a number that is unknown or another person’s', async () => {
        const other = await waymark().account()
        const [theirs] = await numbers(other)
        for (const number of [theirs, 'INV-999999', 'nonsense', '%2e%2e%2f'])
          expect([number, (await get(waymark(), account, `${path}?number=${number}`)).status]).toEqual([
            number,
            404,
          ])
        expect((await get(waymark(), account, `${path}?number=%00`)).status).toBe(422)
      })

      it('is a PDF for whoever asks for one', async () => {
        const target = path
        const response = await fetch(waymark().url + target, {
          headers: { ...sign(account, 'GET', target), accept: 'application/pdf' },
        })
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
        const unwanted = { ...sign(account, 'GET', target), accept: 'application/pdf;q=0, */*' }
        const shown = await fetch(waymark().url + target, { headers: unwanted })
        expect(shown.headers.get('content-type')).toBe('application/json')
        expect(
          Buffer.from(await response.arrayBuffer())
            .subarray(0, 5)
            .toString(),
        ).toBe('%PDF-')
      })

      it('has a link to its PDF that works without a key, and no other does', async () => {
        const address = (await get(waymark(), account, path)).body.data.pdf_url as string
        const response = await fetch(address)
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
        const url = new URL(address)
        const expires = Number(url.searchParams.get('expires'))
        expect(expires - Date.now()).toBeGreaterThan(14 * 60_000)
        expect(expires - Date.now()).toBeLessThanOrEqual(15 * 60_000)
        const changed = (change: (url: URL) => void): string => {
          const copy = new URL(address)
          change(copy)
          return copy.href
        }
        const forged = [
          changed((copy) => copy.searchParams.set('expires', String(expires + 1))),
          changed((copy) => copy.searchParams.set('expires', '1')),
          changed((copy) => copy.searchParams.set('signature', 'f'.repeat(64))),
          changed((copy) => copy.searchParams.delete('signature')),
          changed((copy) => copy.searchParams.delete('expires')),
          changed((copy) => (copy.pathname = copy.pathname.replace(/\d+\.pdf/, '000001.pdf'))),
        ]
        for (const href of forged) expect([href, (await fetch(href)).status]).toEqual([href, 404])
      })

      it('is numbered without gaps when thirty accounts are made at once', async () => {
        // Fifteen from each address: more in one minute would be refused.
        const visitors = Array.from(
          { length: 30 },
          (_, n) => new Visitor(waymark(), `127.0.0.${7 + (n % 2)}`),
        )
        const statuses = await Promise.all(
          visitors.map(async (visitor) => (await visitor.signUp(newEmail())).status),
        )
        // Passwords are hashed two at a time, and those that wait for ten seconds on a busy machine are turned away.
        expect(statuses.filter((status) => ![201, 503].includes(status))).toEqual([])
        const members = visitors.filter((_, n) => statuses[n] === 201)
        expect(members.length).toBeGreaterThan(5)
        const found = await Promise.all(members.map((visitor) => visitor.get(path)))
        const values = found.map(({ body }) => Number(body.data.number.slice(4))).sort((a, b) => a - b)
        expect(values).toEqual(members.map((_, n) => (values[0] ?? 0) + n))
      })
    })

    describe('update-personal-info', () => {
      const path = '/v1/update-personal-info'
      const edit = (body: Encoded | Record<string, unknown>) => post(waymark(), account, path, body)

      it.each(
        formats({
          first_name: 'Zoë 🌱',
          last_name: 'O’Neil',
          phone: '+49 30 123456',
          address: 'Weg 1\nBerlin',
        }),
      )('takes %s', async (_, body) => {
        await edit({ first_name: null, last_name: null, phone: null, address: null })
        const answer = await edit(body)
        expect([answer.status, answer.body.data]).toEqual([
          200,
          {
            email: account.email,
            first_name: 'Zoë 🌱',
            last_name: 'O’Neil',
            phone: '+49 30 123456',
            address: 'Weg 1\nBerlin',
            image: null,
          },
        ])
      })

      it('leaves alone what is left out, clears what is null, and takes an empty text of a form for null', async () => {
        await edit({ first_name: 'Ada', last_name: 'Lovelace' })
        expect((await edit({})).body.data).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' })
        expect((await edit({ first_name: null })).body.data).toMatchObject({
          first_name: null,
          last_name: 'Lovelace',
        })
        expect((await edit(urlencoded({ last_name: '' }))).body.data).toMatchObject({ last_name: null })
        await edit({ address: 'here' })
        expect((await edit(multipart([{ name: 'address', value: '' }]))).body.data).toMatchObject({
          address: null,
        })
      })

      it('422 for a phone of 9 or 21 characters, which count as code points', async () => {
        for (const phone of ['123456789', '1'.repeat(21), '🌱'.repeat(9)])
          expect((await edit({ phone })).body.errors).toEqual({ phone: [expect.any(String)] })
        for (const phone of ['1234567890', '1'.repeat(20), '🌱'.repeat(20)])
          expect((await edit({ phone })).status).toBe(200)
      })

      it('shows on the next invoice, and not on those that were issued', async () => {
        const person = await waymark().account()
        await post(waymark(), person, path, {
          first_name: 'Grace',
          last_name: 'Hopper',
          address: 'Arlington',
        })
        const before = (await get(waymark(), person, '/v1/download-invoice')).body.data
        await waymark().cli('plan', 'set', '--email', person.email, '--plan', 'pro')
        const after = (await get(waymark(), person, '/v1/download-invoice')).body.data
        expect([before.buyer.name, after.buyer]).toEqual([
          person.email,
          { name: 'Grace Hopper', email: person.email, address: 'Arlington' },
        ])
      })
    })

    describe('add-feedback', () => {
      it.each(formats({ feedback: 'Good, but 🐌' }))('201 with %s', async (_, body) => {
        const answer = await post(waymark(), account, '/v1/add-feedback', body)
        expect([answer.status, answer.body.data]).toEqual([
          201,
          {
            uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
            feedback: 'Good, but 🐌',
            image: null,
            created_at: ISO_TIME,
          },
        ])
      })

      it('takes 250 code points and a picture, and no more', async () => {
        const body = (feedback: string) =>
          multipart([
            { name: 'feedback', value: feedback },
            { name: 'image', value: png(77), filename: 'x.png' },
          ])
        const answer = await post(waymark(), account, '/v1/add-feedback', body('🐌'.repeat(250)))
        expect([answer.status, (await fetch(answer.body.data.image)).status]).toEqual([201, 200])
        expect(
          (await post(waymark(), account, '/v1/add-feedback', body('🐌'.repeat(251)))).body.errors,
        ).toEqual({
          feedback: [expect.any(String)],
        })
      })
    })
  },
  settings,
)
