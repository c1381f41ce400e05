import { describe, expect, it } from 'vitest'
import { answered, get, post } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

let used = 0
const newKey = (): string => `key ${Date.now()} ${++used}`

forEachStack((waymark) => {
  const create = (account: Account, key: string, fields: object = {}) =>
    post(
      waymark(),
      account,
      '/v1/generate-link',
      { link: 'https://example.com', ...fields },
      { 'idempotency-key': key },
    )
  const total = async (account: Account): Promise<number> =>
    (await get(waymark(), account, '/v1/links?limit=1')).body.meta.total

  describe('the same key', () => {
    it('gives the first answer again, with a header that says so, and acts once', async () => {
      const account = await waymark().account()
      const key = newKey()
      const first = await create(account, key)
      const again = await create(account, key)
      expect([first.status, again.status]).toEqual([201, 201])
      expect(again.body).toEqual(first.body)
      expect(first.headers.get('idempotent-replayed')).toBeNull()
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(await total(account)).toBe(1)
    })

    it('is 422 with another payload', async () => {
      const account = await waymark().account()
      const key = newKey()
      await create(account, key)
      const { status, body } = await create(account, key, { tag: 'other' })
      expect([status, typeof body.error]).toEqual([422, 'string'])
      expect(await total(account)).toBe(1)
    })

    it('never runs twice when twenty come at once', async () => {
      const account = await waymark().account()
      const key = newKey()
      const answers = await Promise.all(Array.from({ length: 20 }, () => create(account, key)))
      expect(new Set(answers.map(({ body }) => body.data.uuid)).size).toBe(1)
      expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
      expect(await total(account)).toBe(1)
    })

    it('is its own for every user and every operation', async () => {
      const [one, other] = [await waymark().account(), await waymark().account()]
      const key = newKey()
      expect((await create(one, key)).headers.get('idempotent-replayed')).toBeNull()
      expect((await create(other, key)).headers.get('idempotent-replayed')).toBeNull()
      const utm = { url: 'https://example.com', source: 's', medium: 'email', campaign: 'c', content: 'x' }
      const headers = { 'idempotency-key': key }
      expect(
        (await post(waymark(), one, '/v1/generate-utm', utm, headers)).headers.get('idempotent-replayed'),
      ).toBeNull()
    })

    it('keeps refusals of the request itself', async () => {
      const account = await waymark().account()
      const key = newKey()
      expect((await create(account, key, { link: 'nonsense' })).status).toBe(422)
      const again = await create(account, key, { link: 'nonsense' })
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([422, 'true'])
      const gone = newKey()
      for (const replayed of [null, 'true']) {
        const answer = await post(
          waymark(),
          account,
          '/v1/remove-links',
          { uuid: 'nope' },
          { 'idempotency-key': gone },
        )
        expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([404, replayed])
      }
    })

    it('does not keep what was refused for who called', async () => {
      const account = await waymark().account()
      const key = newKey()
      expect((await create({ ...account, secret: 'wrong' }, key)).status).toBe(401)
      const right = await create(account, key)
      expect([right.status, right.headers.get('idempotent-replayed')]).toEqual([201, null])
    })

    it('covers codes with their short link, and pictures with it', async () => {
      const account = await waymark().account()
      const key = newKey()
      const fields = { url: 'https://example.com', pattern: 'dots', dynamic: true }
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          post(waymark(), account, '/v1/generate-qr', fields, { 'idempotency-key': key }),
        ),
      )
      expect(new Set(answers.map(({ body }) => body.data.uuid)).size).toBe(1)
      expect(await total(account)).toBe(1)
    })
  })

  it('422 for a key that is too long', async () => {
    const account = await waymark().account()
    expect((await create(account, 'k'.repeat(255))).status).toBe(201)
    expect((await create(account, 'k'.repeat(256))).status).toBe(422)
  })

  it('keeps no answer that holds a secret', async () => {
    const { email, password } = await waymark().account()
    const headers = { 'content-type': 'application/json', origin: waymark().url }
    const signedIn = await fetch(`${waymark().url}/v1/sign-in`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email, password }),
    })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const key = newKey()
    const make = async () =>
      answered(
        await fetch(`${waymark().url}/v1/generate-key`, {
          method: 'POST',
          headers: { ...headers, cookie, 'idempotency-key': key },
          body: '{}',
        }),
      )
    const [first, second] = [await make(), await make()]
    expect([first.status, second.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect(second.body.data.secret).not.toBe(first.body.data.secret)
  })
})
