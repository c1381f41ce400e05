import { describe, expect, it } from 'vitest'
import { filesOf } from './support/files.ts'
import { png } from './support/pictures.ts'
import { get, multipart, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'
import { Visitor } from './support/visitors.ts'
import type { Account } from './support/waymark.ts'

const REASON = { reason: 'I have seen enough' }

forEachStack((waymark, stack) => {
  const picture = async (who: Account, bytes: Buffer): Promise<string> => {
    const body = multipart([{ name: 'image', value: bytes, filename: 'x.png' }])
    return (await post(waymark(), who, '/v1/update-personal-info', body)).body.data.image
  }
  const statusOf = async (address: string): Promise<number> =>
    (await fetch(address, { redirect: 'manual' })).status
  const remove = (who: Account) => post(waymark(), who, '/v1/remove-account', REASON)
  const code = (): string => `c${Math.random().toString(36).slice(2)}`

  describe('remove-account', () => {
    it('422 without a reason, or with one over 250 code points', async () => {
      const person = await waymark().account()
      for (const body of [{}, { reason: '' }, { reason: '🐌'.repeat(251) }])
        expect((await post(waymark(), person, '/v1/remove-account', body)).body.errors).toEqual({
          reason: [expect.any(String)],
        })
      expect((await get(waymark(), person, '/v1/current-plan')).status).toBe(200)
    })

    it('ends everything at once, erases what was, and gives nothing of it away', async () => {
      const [person, other] = [await waymark().account(), await waymark().account()]
      const session = new Visitor(waymark())
      await session.signIn(person.email)
      const [own, old] = [code(), code()]
      const link = await post(waymark(), person, '/v1/generate-link', {
        link: 'https://example.com/a',
        customLink: old,
      })
      await post(waymark(), person, '/v1/edit-links', {
        uuid: link.body.data.uuid,
        link: 'https://example.com/b',
        customLink: own,
      })
      const qr = await post(
        waymark(),
        person,
        '/v1/generate-qr',
        multipart([
          { name: 'url', value: 'https://example.com/qr' },
          { name: 'pattern', value: 'squares' },
          { name: 'logo', value: png(101), filename: 'logo.png' },
        ]),
      )
      expect(qr.status).toBe(201)
      const mine = await picture(person, png(102))
      const feedback = multipart([
        { name: 'feedback', value: 'fine' },
        { name: 'image', value: png(103), filename: 'x.png' },
      ])
      const seen = (await post(waymark(), person, '/v1/add-feedback', feedback)).body.data.image as string
      const shared = await picture(other, png(103))
      expect(shared).toBe(seen)
      const codes = [own, old].map((name) => `${waymark().url}/${name}`)
      for (const address of [...codes, mine, seen, qr.body.data.image_url, qr.body.data.svg_url])
        expect([address, await statusOf(address)]).toEqual([address, codes.includes(address) ? 302 : 200])

      const removed = await remove(person)
      expect([removed.status, removed.body.data]).toEqual([200, {}])

      expect((await get(waymark(), person, '/v1/current-plan')).body).toEqual({ error: 'Invalid API key' })
      expect((await session.get('/v1/profile')).status).toBe(401)
      expect((await new Visitor(waymark()).signIn(person.email)).status).toBe(401)
      for (const address of [...codes, mine, qr.body.data.image_url, qr.body.data.svg_url])
        expect([address, await statusOf(address)]).toEqual([address, 410])
      expect(await statusOf(shared)).toBe(200)
      for (const name of [own, old]) {
        const taken = await post(waymark(), other, '/v1/generate-link', {
          link: 'https://example.com/',
          customLink: name,
        })
        expect([taken.status, Object.keys(taken.body.errors)]).toEqual([409, ['customLink']])
      }
      if (stack === 'embedded') {
        const names = (await filesOf(waymark(), 'blobs')).join()
        const hash = (address: string): string => address.slice(-67, -5).slice(4)
        expect(names).toContain(hash(shared))
        expect(names).not.toContain(hash(mine))
      }
      // The address is free again, for an account that begins from nothing.
      const again = new Visitor(waymark())
      expect((await again.signUp(person.email)).status).toBe(201)
      expect((await again.get('/v1/links')).body.meta.total).toBe(0)
    })

    it('works from the dashboard and with an Idempotency-Key, too', async () => {
      const [person, session] = [await waymark().account(), new Visitor(waymark())]
      await session.signIn(person.email)
      expect((await session.post('/v1/remove-account', REASON, { 'idempotency-key': 'once' })).status).toBe(
        200,
      )
      expect((await session.get('/v1/profile')).status).toBe(401)
      expect((await get(waymark(), person, '/v1/current-plan')).status).toBe(401)
      expect((await new Visitor(waymark()).signUp(person.email)).status).toBe(201)
    })

    it('can be asked twice at once', async () => {
      const person = await waymark().account()
      const answers = await Promise.all([remove(person), remove(person), remove(person)])
      const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
      expect(statuses[0]).toBe(200)
      for (const status of statuses) expect([200, 401]).toContain(status)
    })

    it('is not disturbed by what the account was doing meanwhile', async () => {
      const person = await waymark().account()
      const ended = new AbortController()
      const statuses = new Set<number>()
      const work = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (!ended.signal.aborted) {
            const made = await post(waymark(), person, '/v1/generate-link', { link: 'https://example.com/' })
            statuses.add(made.status)
          }
        }),
      )
      await expect.poll(() => statuses.has(201)).toBe(true)
      expect((await remove(person)).status).toBe(200)
      await expect.poll(() => statuses.has(401)).toBe(true)
      ended.abort()
      await work
      expect([...statuses].filter((status) => status >= 500)).toEqual([])
      expect((await new Visitor(waymark()).signUp(person.email)).status).toBe(201)
    })

    it('ends cached links, pages and pictures also from the command line', async () => {
      const person = await waymark().account()
      const page = await post(waymark(), person, '/v1/generate-page', {
        title: 'Soon gone',
        slug: code(),
        logoPosition: 'top-left',
        buttons: [{ label: 'One' }],
        images: [{ src: 'https://example.com/a.png' }],
      })
      const { page_url, short_link, qr_code } = page.body.data
      const addresses: string[] = [page_url, short_link.short_url, qr_code.svg_url]
      const statuses = () => Promise.all(addresses.map(statusOf))
      expect(await statuses()).toEqual([200, 302, 200])
      expect((await waymark().cli('user', 'remove', '--email', person.email)).code).toBe(0)
      // A cached entry would be served for a minute.
      await expect.poll(statuses, { timeout: 15_000 }).toEqual([410, 410, 410])
    })

    it('goes on after a crash in the middle', async () => {
      const person = await waymark().account()
      const mine = await picture(person, png(104))
      const codes: string[] = []
      for (let batch = 0; batch < 2; batch++) {
        const links = Array.from({ length: 1000 }, () => ({ link: 'https://example.com/' }))
        const made = await post(waymark(), person, '/v1/generate-links', { links })
        expect(made.status).toBe(201)
        codes.push(...made.body.data.map((link: { code: string }) => link.code).slice(0, 3))
      }
      const asked = remove(person).catch(() => undefined)
      // Gone for everybody, and a long way from erased.
      while ((await get(waymark(), person, '/v1/current-plan')).status === 200);
      await waymark().end('SIGKILL')
      await asked
      await waymark().restart()
      expect((await get(waymark(), person, '/v1/current-plan')).status).toBe(401)
      await expect
        .poll(async () => (await new Visitor(waymark(), '127.0.0.21').signUp(person.email)).status, {
          interval: 1000,
        })
        .toBe(201)
      for (const name of codes) expect(await statusOf(`${waymark().url}/${name}`)).toBe(410)
      await expect.poll(() => statusOf(mine)).toBe(410)
    })
  })
})
