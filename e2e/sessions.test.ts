import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from './support/mailbox.ts'
import { untilRoomInHour, untilRoomInMinute } from './support/minutes.ts'
import { onStack } from './support/stacks.ts'
import { call, newEmail, PASSWORD, Visitor } from './support/visitors.ts'
import { startWaymark, type Waymark } from './support/waymark.ts'

const cookieOf = (headers: Record<string, string | string[] | undefined>): string =>
  [headers['set-cookie'] ?? []].flat().join('\n')
const tokenIn = (text: string): string => /reset-password\?token=([\w-]+)/.exec(text)?.[1] ?? ''

onStack('embedded', (waymark) => {
  // Sign-ups are limited by address; each test here comes from one of its own.
  let addresses = 100
  const newVisitor = (): Visitor => new Visitor(waymark(), `127.0.0.${++addresses}`)
  const signedUp = async () => {
    const [visitor, email] = [newVisitor(), newEmail()]
    expect((await visitor.signUp(email)).status).toBe(201)
    return { visitor, email }
  }

  describe('signing up, in and out', () => {
    it('gives a cookie that scripts cannot read and other sites cannot send along', async () => {
      const [visitor, email] = [newVisitor(), newEmail()]
      const answer = await visitor.post('/v1/sign-up', {
        email: email.toUpperCase(),
        password: PASSWORD,
        first_name: 'Ada',
      })
      expect([answer.status, answer.body.data]).toEqual([
        201,
        { email, first_name: 'Ada', last_name: null, phone: null, address: null, image: null },
      ])
      const cookie = cookieOf(answer.headers)
      expect(cookie).toMatch(/^waymark=[\w-]{43};/)
      for (const flag of ['HttpOnly', 'SameSite=Lax', 'Path=/', `Max-Age=${30 * 24 * 3600}`])
        expect(cookie).toContain(flag)
      expect(cookie).not.toMatch(/Secure|Domain/)
      expect((await visitor.get('/v1/profile')).body.data.email).toBe(email)
    })

    it('409 for an address that is taken, however it is written', async () => {
      const { email } = await signedUp()
      const answer = await newVisitor().signUp(` ${email.toUpperCase()} `)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([409, ['email']])
    })

    it('422 for what is no address or no password', async () => {
      const answer = await newVisitor().post('/v1/sign-up', { email: 'nobody', password: 'weak' })
      expect([answer.status, Object.keys(answer.body.errors).sort()]).toEqual([422, ['email', 'password']])
    })

    it('401 in the same words for a wrong password and for nobody', async () => {
      const { email } = await signedUp()
      const wrong = await newVisitor().signIn(email, 'Wrong-horse-1')
      const nobody = await newVisitor().signIn(newEmail())
      expect([wrong.status, nobody.status, wrong.body]).toEqual([401, 401, nobody.body])
      expect(cookieOf(wrong.headers)).toBe('')
      expect((await newVisitor().signIn(email)).status).toBe(200)
    })

    it('429 after thirty tries at one account from one address, and only from there', async () => {
      const { email } = await signedUp()
      const guesser = newVisitor()
      await untilRoomInMinute()
      const tries = await Promise.all(
        Array.from({ length: 31 }, () => guesser.signIn(email, 'Wrong-horse-1')),
      )
      const statuses = tries.map(({ status }) => status)
      expect(statuses.filter((status) => status === 429)).toHaveLength(1)
      // Those that wait for five seconds on a busy machine are turned away; they have counted as tries.
      expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([])
      expect(statuses).toContain(401)
      expect((await newVisitor().signIn(email)).status).toBe(200)
    })

    it('ends with signing out', async () => {
      const { visitor } = await signedUp()
      const { cookie } = visitor
      const answer = await visitor.post('/v1/sign-out')
      expect(answer.status).toBe(200)
      expect(cookieOf(answer.headers)).toMatch(/^waymark=; Max-Age=0/)
      visitor.cookie = cookie
      expect((await visitor.get('/v1/profile')).status).toBe(401)
    })
  })

  it('403 for a write with the cookie from anywhere but the dashboard', async () => {
    const { visitor } = await signedUp()
    const own = `http://localhost:${waymark().port}`
    const write = (headers: Record<string, string>) =>
      call(waymark(), 'POST', '/v1/update-personal-info', {
        headers: { cookie: visitor.cookie ?? '', ...headers },
        body: { first_name: 'Eve' },
      })
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { origin: `http://localhost:${waymark().port + 1}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: own, 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) expect([headers, (await write(headers)).status]).toEqual([headers, 403])
    for (const headers of [{ origin: own }, { 'sec-fetch-site': 'same-origin' }] as Record<string, string>[])
      expect([headers, (await write(headers)).status]).toEqual([headers, 200])
    // Nor is anybody signed in by another site's page.
    const forced = await call(waymark(), 'POST', '/v1/sign-in', {
      headers: { origin: 'https://evil.example.com' },
      body: { email: newEmail(), password: PASSWORD },
    })
    expect(forced.status).toBe(403)
  })

  it('stands for key and signature on every operation', async () => {
    const { visitor } = await signedUp()
    expect((await visitor.get('/v1/current-plan')).status).toBe(200)
    const made = await visitor.post('/v1/generate-link', { link: 'https://example.com' })
    expect([made.status, made.headers['x-ratelimit-limit']]).toEqual([
      201,
      waymark().env['RATE_LIMIT_SESSION'],
    ])
    expect((await visitor.get('/v1/links')).body.meta.total).toBe(1)
  })

  it('a key that is sent along counts, and not the cookie', async () => {
    const { visitor } = await signedUp()
    const answer = await visitor.call('GET', '/v1/profile', undefined, { 'x-api-key': 'wm_nobody' })
    expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid API key' }])
  })

  it('shows the sessions of the account and ends any of them', async () => {
    const { visitor, email } = await signedUp()
    const other = newVisitor()
    await other.signIn(email)
    const list = (await visitor.get('/v1/sessions')).body.data
    expect(list.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true])
    const { uuid } = list.find(({ current }: { current: boolean }) => !current)
    const stranger = (await signedUp()).visitor
    expect((await stranger.post('/v1/remove-session', { uuid })).status).toBe(404)
    expect((await other.get('/v1/profile')).status).toBe(200)
    expect((await visitor.post('/v1/remove-session', { uuid })).status).toBe(200)
    expect((await other.get('/v1/profile')).status).toBe(401)
  })

  it('makes, lists and revokes keys; a key itself may not', async () => {
    const { visitor } = await signedUp()
    const made = await visitor.post('/v1/generate-key', { name: 'laptop' })
    const { api_key, secret, uuid } = made.body.data
    expect([made.status, api_key, secret]).toEqual([
      201,
      expect.stringMatching(/^wm_/),
      expect.stringMatching(/^wms_/),
    ])
    const headers = { 'x-api-key': api_key as string }
    expect((await call(waymark(), 'GET', '/v1/links', { headers })).status).toBe(200)
    expect((await call(waymark(), 'GET', '/v1/keys', { headers })).status).toBe(401)
    // A use is recorded in the background.
    const lastUse = async () => (await visitor.get('/v1/keys')).body.data[0].last_used_at as unknown
    await expect.poll(lastUse).not.toBe(null)
    const listed = await visitor.get('/v1/keys')
    expect(listed.body.data).toEqual([
      {
        uuid,
        api_key,
        name: 'laptop',
        scope: 'write',
        scopes: null,
        expires_at: null,
        allowed_addresses: null,
        created_by: expect.any(String),
        signature_required: false,
        created_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ])
    expect(JSON.stringify(listed.body)).not.toContain(secret)
    expect((await visitor.post('/v1/remove-key', { uuid })).status).toBe(200)
    expect((await call(waymark(), 'GET', '/v1/links', { headers })).status).toBe(401)
    expect((await visitor.post('/v1/remove-key', { uuid })).status).toBe(404)
  })

  it('without a mail server the log says how an operator can help, and holds no token', async () => {
    const { email } = await signedUp()
    expect((await newVisitor().post('/v1/forgot-password', { email })).status).toBe(200)
    await expect.poll(() => waymark().output()).toContain('waymark user reset-link')
    expect(waymark().output()).not.toMatch(/token=/)
    expect(waymark().output()).not.toContain(email)
    const { stdout, code } = await waymark().cli('user', 'reset-link', '--email', email, '--json')
    expect(code).toBe(0)
    const token = tokenIn((JSON.parse(stdout) as { url: string }).url)
    const password = 'Another-horse-2'
    const reset = { token, password, confirm_password: password }
    expect((await newVisitor().post('/v1/reset-password', reset)).status).toBe(200)
    expect((await newVisitor().signIn(email, password)).status).toBe(200)
  })
})

describe('a forgotten password', () => {
  let mailbox: Mailbox
  let waymark: Waymark
  let addresses = 200
  const newVisitor = (): Visitor => new Visitor(waymark, `127.0.0.${++addresses}`)
  beforeAll(async () => {
    mailbox = await openMailbox()
    waymark = await startWaymark({ SMTP_URL: mailbox.url })
  })
  afterAll(async () => {
    await waymark.stop()
    await mailbox.close()
  })
  const NEXT = 'Another-horse-2'
  const resetMails = (): string[] => mailbox.mails.filter((mail) => tokenIn(mail) !== '')
  const reset = (token: string, password = NEXT) =>
    newVisitor().post('/v1/reset-password', { token, password, confirm_password: password })

  it('is set anew by the link of a mail, once, and ends every session', async () => {
    const [visitor, email] = [newVisitor(), newEmail()]
    await visitor.signUp(email)
    expect((await newVisitor().post('/v1/forgot-password', { email })).body.data).toEqual({})
    await expect.poll(() => resetMails()).toHaveLength(1)
    const mail = resetMails()[0] ?? ''
    expect(mail).toContain(`To: ${email}`)
    expect(mail).toContain(`${waymark.url}/app/reset-password?token=`)
    const token = tokenIn(mail)
    expect((await reset(token, 'weak')).status).toBe(422)
    expect((await reset(token)).status).toBe(200)
    expect((await visitor.get('/v1/profile')).status).toBe(401)
    expect((await newVisitor().signIn(email)).status).toBe(401)
    expect((await newVisitor().signIn(email, NEXT)).status).toBe(200)
    expect((await reset(token)).status).toBe(422)
    expect((await reset('forged')).status).toBe(422)
  })

  it('tells nobody whether there is such an account, and mails nothing then', async () => {
    const before = resetMails().length
    const answer = await newVisitor().post('/v1/forgot-password', { email: newEmail() })
    expect([answer.status, answer.body.data]).toEqual([200, {}])
    const [visitor, email] = [newVisitor(), newEmail()]
    await visitor.signUp(email)
    expect((await newVisitor().post('/v1/forgot-password', { email })).body).toEqual(answer.body)
    await expect.poll(() => resetMails().length).toBe(before + 1)
  })

  it('429 for an address that asks again and again', async () => {
    const asker = newVisitor()
    await untilRoomInHour()
    const asked = await Promise.all(
      Array.from({ length: 31 }, () => asker.post('/v1/forgot-password', { email: newEmail() })),
    )
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

describe('settings', () => {
  it('SIGNUP=closed lets in those alone who are there already', async () => {
    const waymark = await startWaymark({ SIGNUP: 'closed' })
    const [visitor, email] = [new Visitor(waymark), newEmail()]
    expect((await visitor.signUp(email)).status).toBe(403)
    expect((await visitor.get('/v1/instance')).body.data.signup).toBe('closed')
    const created = await waymark.cli('user', 'create', '--email', email, '--password', PASSWORD, '--json')
    expect(created.code).toBe(0)
    expect((await visitor.signIn(email)).status).toBe(200)
    await waymark.stop()
  })

  it('behind https the cookie is bound to it and to this very host', async () => {
    const waymark = await startWaymark({ BASE_URL: 'https://go.example.com' })
    const visitor = new Visitor(waymark)
    const headers = { origin: 'https://go.example.com', host: 'go.example.com' }
    const answer = await visitor.post('/v1/sign-up', { email: newEmail(), password: PASSWORD }, headers)
    expect(answer.status).toBe(201)
    const cookie = cookieOf(answer.headers)
    expect(cookie).toMatch(/^__Host-waymark=/)
    expect(cookie).toContain('Secure')
    expect((await visitor.post('/v1/update-personal-info', {}, headers)).status).toBe(200)
    await waymark.stop()
  })
})
