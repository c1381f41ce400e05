import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { type Answered, answered, get } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'
import { freePort, startWaymark, type Waymark } from './support/waymark.ts'

const password = 'Correct-horse-1'
let people = 0
const newEmail = (): string => `visitor${++people}.${Date.now()}@example.com`

const call = async (
  waymark: Waymark,
  path: string,
  body: object | undefined,
  headers: Record<string, string> = {},
): Promise<Answered> =>
  answered(
    await fetch(waymark.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
const cookieOf = ({ headers }: Answered): string => headers.getSetCookie()[0]?.split(';')[0] ?? ''

forEachStack((waymark) => {
  const own = (cookie: string) => ({ cookie, origin: waymark().url, 'sec-fetch-site': 'same-origin' })
  const signUp = async (email = newEmail()) => {
    const answer = await call(waymark(), '/v1/sign-up', { email, password })
    return { email, answer, cookie: cookieOf(answer) }
  }

  it('begin with signing up, in a cookie that scripts and other sites cannot use', async () => {
    const { answer, email } = await signUp()
    expect([answer.status, answer.body.data.email]).toEqual([201, email])
    expect(answer.headers.getSetCookie()[0]).toMatch(/HttpOnly/i)
    expect(answer.headers.getSetCookie()[0]).toMatch(/SameSite=(Lax|Strict)/i)
    const again = await call(waymark(), '/v1/sign-up', { email: email.toUpperCase(), password })
    expect([again.status, Object.keys(again.body.errors)]).toEqual([409, ['email']])
    const weak = await call(waymark(), '/v1/sign-up', { email: 'nonsense', password: 'weak' })
    expect([weak.status, Object.keys(weak.body.errors).toSorted()]).toEqual([422, ['email', 'password']])
  })

  it('stand for key and signature on every operation', async () => {
    const { cookie } = await signUp()
    expect((await call(waymark(), '/v1/current-plan', undefined, { cookie })).status).toBe(200)
    const made = await call(waymark(), '/v1/generate-link', { link: 'https://example.com' }, own(cookie))
    expect([made.status, made.headers.get('x-ratelimit-limit')]).toEqual([
      201,
      waymark().env['RATE_LIMIT_SESSION'],
    ])
    expect((await call(waymark(), '/v1/links', undefined, { cookie })).body.meta.total).toBe(1)
  })

  it('write nothing for another origin', async () => {
    const { cookie } = await signUp()
    const foreign: Record<string, string>[] = [
      { cookie },
      { cookie, origin: 'https://evil.example' },
      { cookie, 'sec-fetch-site': 'cross-site' },
      { cookie, 'sec-fetch-site': 'same-site' },
      { cookie, origin: waymark().url, 'sec-fetch-site': 'cross-site' },
      { cookie, origin: 'null' },
    ]
    for (const headers of foreign) {
      const { status } = await call(waymark(), '/v1/generate-link', { link: 'https://example.com' }, headers)
      expect([JSON.stringify(headers).replace(cookie, ''), status]).toEqual([expect.anything(), 403])
    }
    expect((await call(waymark(), '/v1/links', undefined, { cookie })).body.meta.total).toBe(0)
    const signIn = await call(
      waymark(),
      '/v1/sign-in',
      { email: 'a@b.example', password },
      { origin: 'https://evil.example' },
    )
    expect(signIn.status).toBe(403)
  })

  it('end with signing out, and each other one on demand', async () => {
    const { email, cookie } = await signUp()
    const second = cookieOf(await call(waymark(), '/v1/sign-in', { email, password }))
    const { data } = (await call(waymark(), '/v1/sessions', undefined, { cookie })).body
    expect(data).toHaveLength(2)
    const other = data.find(({ current }: { current: boolean }) => !current)
    expect((await call(waymark(), '/v1/remove-session', { uuid: other.uuid }, own(cookie))).status).toBe(200)
    expect((await call(waymark(), '/v1/links', undefined, { cookie: second })).status).toBe(401)
    expect((await call(waymark(), '/v1/sign-out', {}, own(cookie))).status).toBe(200)
    expect((await call(waymark(), '/v1/links', undefined, { cookie })).status).toBe(401)
  })

  it('say the same for a wrong password and an unknown account', async () => {
    const { email } = await signUp()
    const wrong = await call(waymark(), '/v1/sign-in', { email, password: 'Wrong-horse-1' })
    const unknown = await call(waymark(), '/v1/sign-in', { email: newEmail(), password })
    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body])
    expect(wrong.status).toBe(401)
  })

  it('all end but the one that changes the password; keys stay', async () => {
    const { email, cookie } = await signUp()
    const second = cookieOf(await call(waymark(), '/v1/sign-in', { email, password }))
    const key = (await call(waymark(), '/v1/generate-key', {}, own(cookie))).body.data
    const change = { old_password: password, password: 'Newer-horse-2', confirm_password: 'Newer-horse-2' }
    const wrong = await call(waymark(), '/v1/update-password', { ...change, old_password: 'x' }, own(cookie))
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['old_password']])
    expect((await call(waymark(), '/v1/update-password', change, own(cookie))).status).toBe(200)
    expect((await call(waymark(), '/v1/links', undefined, { cookie })).status).toBe(200)
    expect((await call(waymark(), '/v1/links', undefined, { cookie: second })).status).toBe(401)
    expect(
      (await get(waymark(), { apiKey: key.api_key, secret: key.secret }, '/v1/current-plan')).status,
    ).toBe(200)
    expect((await call(waymark(), '/v1/sign-in', { email, password })).status).toBe(401)
  })

  it('make, list and revoke keys, which a key itself cannot', async () => {
    const { cookie } = await signUp()
    const key = (await call(waymark(), '/v1/generate-key', { name: 'ci' }, own(cookie))).body.data
    const listed = (await call(waymark(), '/v1/keys', undefined, { cookie })).body.data
    expect(listed).toMatchObject([{ api_key: key.api_key, name: 'ci' }])
    expect(JSON.stringify(listed)).not.toContain(key.secret)
    const account = { apiKey: key.api_key, secret: key.secret }
    expect((await get(waymark(), account, '/v1/keys')).status).toBe(401)
    expect((await get(waymark(), account, '/v1/current-plan')).status).toBe(200)
    await expect
      .poll(async () => (await call(waymark(), '/v1/keys', undefined, { cookie })).body.data[0].last_used_at)
      .not.toBeNull()
    expect((await call(waymark(), '/v1/remove-key', { uuid: key.uuid }, own(cookie))).status).toBe(200)
    expect((await get(waymark(), account, '/v1/current-plan')).body.error).toBe('Invalid API key')
  })
})

describe('a forgotten password', () => {
  it('is set anew through a mail, once', async () => {
    const mails: string[] = []
    const mailServer = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData(stream, _session, done) {
        let text = ''
        stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
        stream.on('end', () => {
          mails.push(text)
          done()
        })
      },
    })
    const port = await freePort()
    const listening = mailServer.listen(port, '127.0.0.1')
    await once(listening, 'listening')
    const waymark = await startWaymark({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    const { email } = await waymark.account()
    const asked = await call(waymark, '/v1/forgot-password', { email })
    const unknown = await call(waymark, '/v1/forgot-password', { email: newEmail() })
    expect([asked.status, asked.body]).toEqual([200, unknown.body])
    await expect.poll(() => mails.length).toBe(1)
    const mail = mails[0]?.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
    const token = /token=([\w-]+)/.exec(mail)?.[1] ?? ''
    const reset = { token, password: 'Newer-horse-2', confirm_password: 'Newer-horse-2' }
    expect((await call(waymark, '/v1/reset-password', { ...reset, token: 'wrong' })).status).toBe(422)
    expect((await call(waymark, '/v1/reset-password', reset)).status).toBe(200)
    expect((await call(waymark, '/v1/reset-password', reset)).status).toBe(422)
    expect((await call(waymark, '/v1/sign-in', { email, password: 'Newer-horse-2' })).status).toBe(200)
    await waymark.stop()
    mailServer.close()
  })

  it('is printed in the log where there is no mail server', async () => {
    const waymark = await startWaymark()
    const { email } = await waymark.account()
    await call(waymark, '/v1/forgot-password', { email })
    await expect.poll(() => waymark.output()).toMatch(/reset-password\?token=[\w-]+/)
    await waymark.stop()
  })
})
