import { describe, expect, it } from 'vitest'
import { operations } from './support/operations.ts'
import { answered, formats, freshMs, get, json, multipart, post, sign } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import { newEmail, PASSWORD, Visitor } from './support/visitors.ts'
import type { Account } from './support/waymark.ts'

const authenticated = operations.filter(({ auth }) => auth !== 'none')
const signed = operations.filter(({ auth }) => auth === 'signed')

onStack('embedded', (waymark) => {
  let account: Account
  let other: Account
  const accounts = async (): Promise<void> => {
    account ??= await waymark().account()
    other ??= await waymark().account()
  }
  const send = async (method: string, path: string, headers: Record<string, string>, body?: string) =>
    answered(
      await fetch(waymark().url + path, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body }),
      }),
    )
  const bodyFor = (method: string): string | undefined => (method === 'POST' ? '{}' : undefined)

  it('knows all 27 operations', () => {
    expect(operations).toHaveLength(27)
  })

  describe.each(authenticated)('$method $path', ({ method, path, auth }) => {
    const digestOf = (): string | undefined => (method === 'POST' ? json('{}').digest : undefined)

    it('401 without a key', async () => {
      const { status, body, headers } = await send(method, path, {}, bodyFor(method))
      expect([status, body]).toEqual([401, { error: 'API key missing' }])
      expect(headers.get('cache-control')).toBe('no-cache, private')
      expect(headers.get('content-type')).toBe('application/json')
      expect(headers.get('vary')).toBe('Origin')
      expect(headers.get('x-ratelimit-limit')).toMatch(/^\d+$/)
      expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
      expect(headers.get('x-request-id')).toBeTruthy()
    })

    it('401 with an unknown key', async () => {
      const { status, body } = await send(method, path, { 'x-api-key': 'wm_nobody' }, bodyFor(method))
      expect([status, body]).toEqual([401, { error: 'Invalid API key' }])
    })

    it('401 with a wrong signature, and the string that was expected', async () => {
      await accounts()
      const timestamp = freshMs()
      const headers = { ...sign(other, method, path, digestOf(), timestamp), 'x-api-key': account.apiKey }
      const { status, body } = await send(method, path, headers, bodyFor(method))
      expect([status, body.error]).toEqual([401, 'Invalid signature'])
      expect(body.canonical).toBe([timestamp, method, path, json(bodyFor(method) ?? '').digest].join('\n'))
      expect(JSON.stringify(body)).not.toContain(account.secret)
    })

    it('401 for timestamps that are stale, early or unreadable', async () => {
      await accounts()
      const at = (offset: number): string => String(Math.floor(Date.now() / 1000) + offset)
      const cases = [
        [at(-330), 'Timestamp expired'],
        [at(330), 'Timestamp expired'],
        ['yesterday', 'Timestamp invalid'],
        ['123', 'Timestamp invalid'],
        ['-1234567890', 'Timestamp invalid'],
      ] as const
      for (const [timestamp, error] of cases) {
        const headers = sign(account, method, path, digestOf(), timestamp)
        expect(await send(method, path, headers, bodyFor(method))).toMatchObject({
          status: 401,
          body: { error },
        })
      }
    })

    const itIfSigned = auth === 'signed' ? it : () => undefined
    itIfSigned('401 without a signature or a timestamp', async () => {
      await accounts()
      const key = { 'x-api-key': account.apiKey }
      expect(await send(method, path, key, bodyFor(method))).toMatchObject({
        status: 401,
        body: { error: 'Signature missing' },
      })
      expect(await send(method, path, { ...key, 'x-signature': 'ab' }, bodyFor(method))).toMatchObject({
        status: 401,
        body: { error: 'Timestamp missing' },
      })
    })
  })

  it('405 with allow for the other method, 404 for an unknown path', async () => {
    for (const { method, path } of operations) {
      const wrong = method === 'GET' ? 'DELETE' : 'GET'
      const { status, headers, body } = await send(wrong, path, {})
      expect([status, headers.get('allow')?.includes(method)]).toEqual([405, true])
      expect(typeof body.error).toBe('string')
    }
    expect(await send('GET', '/v1/nothing', {})).toMatchObject({ status: 404 })
    expect(await send('POST', '/v1', {}, '{}')).toMatchObject({ status: 404 })
  })

  describe('signatures', () => {
    it('may repeat with seconds, and are single-use with milliseconds', async () => {
      await accounts()
      const path = '/v1/current-plan'
      const seconds = sign(account, 'GET', path, undefined, String(Math.floor(Date.now() / 1000)))
      expect((await send('GET', path, seconds)).status).toBe(200)
      expect((await send('GET', path, seconds)).status).toBe(200)
      const once = sign(account, 'GET', path)
      expect((await send('GET', path, once)).status).toBe(200)
      expect(await send('GET', path, once)).toMatchObject({
        status: 401,
        body: { error: 'Signature already used' },
      })
    })

    it('are used once when a hundred arrive together', async () => {
      await accounts()
      const headers = sign(account, 'GET', '/v1/current-plan')
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => send('GET', '/v1/current-plan', headers)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    it('cover the query string and the body', async () => {
      await accounts()
      const path = '/v1/download-invoice'
      expect((await send('GET', `${path}?number=INV-1`, sign(account, 'GET', path))).body.error).toBe(
        'Invalid signature',
      )
      const headers = sign(account, 'POST', '/v1/remove-qr', json('{"uuid":"a"}').digest)
      expect((await send('POST', '/v1/remove-qr', headers, '{"uuid":"b"}')).body.error).toBe(
        'Invalid signature',
      )
    })

    it('are checked on key-only operations, too, if they are sent', async () => {
      await accounts()
      expect((await send('GET', '/v1/links', { 'x-api-key': account.apiKey })).status).toBe(200)
      expect((await get(waymark(), account, '/v1/links')).status).toBe(200)
      const forged = { ...sign(account, 'GET', '/v1/links'), 'x-signature': 'f'.repeat(64) }
      expect((await send('GET', '/v1/links', forged)).body.error).toBe('Invalid signature')
    })

    it('sign the undecoded names of multipart fields', async () => {
      await accounts()
      const body = multipart([
        { name: 'feedback', value: 'fine' },
        { name: String.raw`odd%22\"name`, value: 'ignored' },
        { name: 'ünïcödé', value: 'ignored' },
      ])
      expect(await post(waymark(), account, '/v1/add-feedback', body)).toMatchObject({ status: 201 })
    })

    it('outlive a restart', async () => {
      await accounts()
      const headers = sign(account, 'GET', '/v1/current-plan')
      expect((await send('GET', '/v1/current-plan', headers)).status).toBe(200)
      await waymark().end('SIGKILL')
      await waymark().restart()
      expect((await send('GET', '/v1/current-plan', headers)).body.error).toBe('Signature already used')
    })
  })

  describe('update-password', () => {
    const path = '/v1/update-password'
    const NEXT = 'Another-horse-2'

    it('422 on the field that is wrong, all at once', async () => {
      await accounts()
      const change = async (fields: Record<string, string>) =>
        Object.keys((await post(waymark(), account, path, fields)).body.errors).sort()
      expect(await change({})).toEqual(['confirm_password', 'old_password', 'password'])
      expect(await change({ old_password: 'wrong', password: NEXT, confirm_password: NEXT })).toEqual([
        'old_password',
      ])
      expect(await change({ old_password: PASSWORD, password: NEXT, confirm_password: PASSWORD })).toEqual([
        'confirm_password',
      ])
      expect(await change({ old_password: 'wrong', password: NEXT, confirm_password: PASSWORD })).toEqual([
        'confirm_password',
        'old_password',
      ])
      for (const weak of ['Sh0rt!a', 'no-upper-1', 'NO-LOWER-1', 'No-digit-x', 'NoSymbol1'])
        expect([
          weak,
          await change({ old_password: PASSWORD, password: weak, confirm_password: weak }),
        ]).toEqual([weak, ['password']])
    })

    it.each(formats({ old_password: PASSWORD, password: NEXT, confirm_password: NEXT }))(
      'with %s ends every session and keeps the keys',
      async (_, body) => {
        const person = await waymark().account()
        const session = new Visitor(waymark())
        expect((await session.signIn(person.email)).status).toBe(200)
        expect((await post(waymark(), person, path, body)).status).toBe(200)
        expect((await session.get('/v1/profile')).status).toBe(401)
        expect((await get(waymark(), person, '/v1/current-plan')).status).toBe(200)
        expect((await new Visitor(waymark()).signIn(person.email)).status).toBe(401)
        expect((await new Visitor(waymark()).signIn(person.email, NEXT)).status).toBe(200)
      },
    )

    it('spares the session that changes it', async () => {
      const [mine, other, email] = [new Visitor(waymark(), '127.0.0.9'), new Visitor(waymark()), newEmail()]
      await mine.signUp(email)
      await other.signIn(email)
      const answer = await mine.post(path, { old_password: PASSWORD, password: NEXT, confirm_password: NEXT })
      expect([answer.status, answer.body.data]).toEqual([200, {}])
      expect((await mine.get('/v1/profile')).status).toBe(200)
      expect((await other.get('/v1/profile')).status).toBe(401)
    })
  })

  it('401 with a revoked key', async () => {
    const revoked = await waymark().account()
    expect((await get(waymark(), revoked, '/v1/current-plan')).status).toBe(200)
    await waymark().cli('key', 'revoke', revoked.apiKey)
    await expect
      .poll(async () => (await get(waymark(), revoked, '/v1/current-plan')).body.error)
      .toBe('Invalid API key')
  })

  it('works for every signed operation with a right signature', async () => {
    await accounts()
    for (const { method, path } of signed.filter(({ path }) => path !== '/v1/remove-account')) {
      const { status } = await send(
        method,
        path,
        sign(account, method, path, bodyFor(method) && json('{}').digest),
        bodyFor(method),
      )
      expect([path, status]).toEqual([
        path,
        method === 'GET' ? 200 : path === '/v1/update-personal-info' ? 200 : 422,
      ])
    }
  })
})
