import { type Operation, operations } from '@waymark/contract'
import { parseSetCookie } from 'cookie'
import type { FastifyInstance } from 'fastify'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { SoftwarePasskey } from '../../../../scripts/services/software-passkey.ts'
import { NO_PASSWORD } from '../accounts/users/passwords.ts'
import { createIdempotency } from '../api/steps/idempotency.ts'
import { testServices } from '../modules/testing.ts'
import { admission } from '../net/admission/lanes.ts'
import { createAddressReader } from '../net/client-address.ts'
import { forEachDatabase } from '../storage/db/testing.ts'
import { createMetrics } from '../work/metrics.ts'
import { openApi } from './api.ts'
import { openVisitors } from './visitors.ts'

/*
 * Attacks on signing in, in one process with every part of the product: a stolen cookie, a cookie chosen by an attacker,
 * guessing accounts by the server's responses or work, and the dashboard under another host name.
 */

// Each hash of a password passes the admission gate.
const gate = vi.spyOn(admission, 'run')
afterAll(() => gate.mockRestore())

const BASE_URL = 'https://way.example'
const PASSWORD = 'Correct-horse-1'
const PROOF_MS = 15 * 60_000
const STEP_MS = 30_000
const UNPROVED = { error: 'Confirm that it is you', reauthenticate: true }

/** The operations that require a proof of identity: a second copy of the contract. */
const PROTECTED = [
  'generateKey',
  'generateToken',
  'takeout',
  'removeAccount',
  'removeWorkspace',
  'inviteMember',
  'editMember',
  'removeMember',
  'setUpTotp',
  'confirmTotp',
  'removeTotp',
  'replaceRecoveryCodes',
  'setUpPasskey',
  'addPasskey',
  'removePasskey',
  'setUpIdentity',
  'addIdentity',
  'removeIdentity',
]

const newEmail = (): string => `${crypto.randomUUID()}@example.com`

forEachDatabase((_engine, _open, databases) => {
  // Nothing listens there: mails are sent after the response.
  const services = testServices(databases, { BASE_URL, SMTP_URL: 'smtp://127.0.0.1:1' })
  const closing = new AsyncDisposableStack()
  let http: FastifyInstance

  beforeAll(async () => {
    const { core: storage, modules } = services()
    const core = { ...storage, closing }
    const addressOf = createAddressReader(core.config.trustProxy)
    const visitors = openVisitors(core, modules, addressOf, undefined)
    const idempotency = createIdempotency(core.db, core.now)
    const parts = { visitors, idempotency, metrics: createMetrics(), addressOf, accessLog: undefined }
    http = await openApi(core, { ...parts, modules })
  })
  afterAll(() => closing.disposeAsync())

  /** A browser that stores the cookies it receives. */
  const newBrowser = (host = 'way.example') => {
    const jar = new Map<string, string>()
    const send = async (method: 'GET' | 'POST', url: string, body: unknown = {}, more: object = {}) => {
      gate.mockClear()
      const response = await http.inject({
        method,
        url,
        headers: {
          host,
          origin: `https://${host}`,
          cookie: [...jar].map((pair) => pair.join('=')).join('; '),
          ...(method === 'POST' && { 'content-type': 'application/json' }),
          ...more,
        },
        ...(method === 'POST' && { payload: JSON.stringify(body) }),
      })
      for (const header of [response.headers['set-cookie'] ?? []].flat()) {
        const { name, value } = parseSetCookie(header) ?? {}
        if (name !== undefined) jar.set(name, value ?? '')
      }
      const isJson = String(response.headers['content-type']).includes('json')
      // oxlint-disable-next-line typescript/no-explicit-any -- bodies of all operations
      const answer: any = isJson ? JSON.parse(response.body) : undefined
      return {
        status: response.statusCode,
        body: answer,
        /** Everything that could reveal to a stranger whether an account exists. */
        seen: { status: response.statusCode, answer, headers: Object.keys(response.headers).toSorted() },
        /** How often a password was hashed before the response. */
        hashes: gate.mock.calls.filter(([lane]) => ['hashing', 'signIn'].includes(lane)).length,
      }
    }
    return {
      jar,
      session: () => jar.get('__Host-waymark'),
      get: (url: string) => send('GET', url),
      post: (url: string, body?: unknown, more?: object) => send('POST', url, body, more),
    }
  }
  type Browser = ReturnType<typeof newBrowser>

  const newAccount = async (isPasswordSet = true) => {
    const { service } = services().modules.accounts
    return service.create({ email: newEmail(), password: isPasswordSet ? PASSWORD : null }, true)
  }
  /** A browser that is signed in. */
  const enter = async (user: { uuid: string }): Promise<Browser> => {
    const browser = newBrowser()
    const cookie = parseSetCookie(await services().modules.sessions.service.begin(user.uuid, 'A browser'))
    browser.jar.set('__Host-waymark', cookie?.value ?? '')
    return browser
  }
  /** Makes it look as if the user had signed in this long ago. */
  const age = async (user: { uuid: string }, ms: number): Promise<void> => {
    const { db } = services().core
    const at = Date.now() - ms
    await db.write(() =>
      db.sql
        .updateTable('sessions')
        .set({ proved_at: at, rotated_at: at, last_used_at: at })
        .where('user_uuid', '=', user.uuid)
        .execute(),
    )
  }
  const addApp = async (browser: Browser) => {
    const { secret } = (await browser.post('/v1/set-up-totp')).body.data
    const codeAt = (ms: number): string => generateSync({ secret, epoch: Math.floor(ms / 1000) })
    const confirmed = await browser.post('/v1/confirm-totp', { code: codeAt(Date.now()) })
    expect(confirmed.status).toBe(200)
    return {
      codes: confirmed.body.data.recovery_codes as string[],
      nextCode: () => codeAt(Date.now() + STEP_MS),
    }
  }
  const addPasskey = async (browser: Browser, passkey = new SoftwarePasskey(BASE_URL)) => {
    const { options } = (await browser.post('/v1/set-up-passkey')).body.data
    const added = await browser.post('/v1/add-passkey', { name: 'Phone', passkey: passkey.create(options) })
    expect(added.status).toBe(201)
    return { passkey, uuid: added.body.data.passkey.uuid as string }
  }
  const signIn = ({ email }: { email: string }, browser: Browser) =>
    browser.post('/v1/sign-in', { email, password: PASSWORD })

  it('a stolen cookie is rejected by each protected operation 15 minutes after the proof', async () => {
    const all = Object.entries(operations as Record<string, Operation>)
    const withProof = all.filter(([, { proof }]) => proof === true)
    expect(withProof.map(([name]) => name).toSorted()).toEqual(PROTECTED.toSorted())
    const user = await newAccount()
    const thief = await enter(user)
    await age(user, PROOF_MS + 1)
    for (const [name, { method, path }] of withProof) {
      const { status, body } = method === 'GET' ? await thief.get(path) : await thief.post(path)
      expect([name, status, body]).toEqual([name, 403, UNPROVED])
    }
    expect((await thief.post('/v1/change-email', { email: newEmail() })).body).toEqual(UNPROVED)
    // Operations without a proof still work.
    expect((await thief.get('/v1/profile')).status).toBe(200)
    await age(user, PROOF_MS - 20_000)
    expect((await thief.post('/v1/set-up-totp')).status).toBe(200)
    await age(user, PROOF_MS + 1)
    expect((await thief.post('/v1/set-up-totp')).status).toBe(403)
    expect((await thief.get('/v1/reauthentication-methods')).body.data.required).toBe(true)
    // The owner confirms in their own browser, which does not help the thief.
    const owner = newBrowser()
    owner.jar.set('__Host-waymark', thief.session() ?? '')
    expect((await owner.post('/v1/reauthenticate', { password: PASSWORD })).status).toBe(200)
    expect((await owner.get('/v1/reauthentication-methods')).body.data.required).toBe(false)
    expect((await owner.post('/v1/set-up-totp')).status).toBe(200)
    expect((await thief.post('/v1/set-up-totp')).body).toEqual(UNPROVED)
  })

  it('the cookie changes with each step', async () => {
    const user = await newAccount()
    const browser = newBrowser()
    browser.jar.set('__Host-waymark', 'chosen-by-an-attacker')
    const seen = new Set([browser.session()])
    const expectNew = async (answer: Promise<{ status: number }>): Promise<void> => {
      expect((await answer).status).toBeLessThan(202)
      expect(seen).not.toContain(browser.session())
      seen.add(browser.session())
    }
    await expectNew(signIn(user, browser))
    await expectNew(browser.post('/v1/reauthenticate', { password: PASSWORD }))
    const { codes, nextCode } = await addApp(browser)
    const { passkey } = await addPasskey(browser)
    await expectNew(browser.post('/v1/reauthenticate', { code: codes[0] }))
    const { passkey_options } = (await browser.get('/v1/reauthentication-methods')).body.data
    await expectNew(browser.post('/v1/reauthenticate', { passkey: passkey.get(passkey_options) }))
    const before = browser.session()
    const { challenge } = (await signIn(user, browser)).body.data
    expect(browser.session()).toBe(before)
    await expectNew(browser.post('/v1/verify-second-factor', { challenge, code: nextCode() }))
    const { options } = (await browser.post('/v1/passkey-sign-in-options')).body.data
    await expectNew(browser.post('/v1/sign-in-with-passkey', { passkey: passkey.get(options) }))
    const { service } = services().modules.factors
    const { token } = await service.createLink(user.uuid)
    const step = (await browser.post('/v1/sign-in-with-link', { token })).body.data
    await expectNew(browser.post('/v1/verify-second-factor', { challenge: step.challenge, code: codes[1] }))
    await expectNew(browser.post('/v1/sign-up', { email: newEmail(), password: PASSWORD }))
  })

  it('a new password gives the session another cookie, and copies of the old one end at once', async () => {
    const user = await newAccount()
    const owner = await enter(user)
    const thief = newBrowser()
    thief.jar.set('__Host-waymark', owner.session() ?? '')
    const change = {
      old_password: PASSWORD,
      password: 'Battery-staple-8',
      confirm_password: 'Battery-staple-8',
    }
    await age(user, PROOF_MS - 20_000)
    expect(
      (await owner.post('/v1/update-password', { ...change, old_password: 'Wrong-horse-1' })).status,
    ).toBe(422)
    expect(owner.session()).toBe(thief.session())
    expect((await owner.post('/v1/update-password', change)).status).toBe(200)
    expect((await thief.get('/v1/profile')).status).toBe(401)
    expect((await owner.get('/v1/sessions')).body.data).toMatchObject([{ current: true }])
  })

  it('no form reveals by its text or its work whether an account exists', async () => {
    const [user, other, withoutPassword] = [await newAccount(), await newAccount(), await newAccount(false)]
    const alike = async (
      hashes: number,
      ...requests: (() => Promise<Awaited<ReturnType<Browser['post']>>>)[]
    ): Promise<void> => {
      const answers = []
      for (const request of requests) answers.push(await request())
      for (const answer of answers) {
        expect(answer.seen).toEqual(answers[0]?.seen)
        expect(answer.hashes).toBe(hashes)
        expect(answer.status).toBeLessThan(429)
      }
    }
    const stranger = newBrowser()
    const [owner, another, third] = [await enter(user), await enter(other), await enter(withoutPassword)]
    const { passkey } = await addPasskey(owner)
    await addApp(another)
    const addresses = [user.email, other.email, withoutPassword.email, newEmail()]
    const each = (path: string, body: object) =>
      addresses.map((email) => () => stranger.post(path, { email, ...body }))
    await alike(1, ...each('/v1/sign-in', { password: 'Wrong-horse-1' }))
    await alike(0, ...each('/v1/forgot-password', {}))
    expect(withoutPassword.password_hash).toBe(NO_PASSWORD)

    // Tokens that are unknown, used or malformed.
    const { token } = await services().modules.factors.service.createLink(other.uuid)
    const { challenge } = (await signIn(user, newBrowser())).body.data
    const tokens = ['guessed', challenge, token, 'x'.repeat(43)]
    const tokenForms = (path: string, field: string, body: object = {}, not?: string) =>
      tokens
        .filter((each) => each !== not)
        .map((value) => () => stranger.post(path, { [field]: value, ...body }))
    await alike(0, ...tokenForms('/v1/verify-second-factor', 'challenge', { code: '123456' }, challenge))
    await alike(0, ...tokenForms('/v1/passkey-sign-in-options', 'challenge', {}, challenge))
    await alike(0, ...tokenForms('/v1/sign-in-with-link', 'token', {}, token))
    await alike(0, ...tokenForms('/v1/check-reset', 'token'))
    const passwords = { password: PASSWORD, confirm_password: PASSWORD }
    await alike(0, ...tokenForms('/v1/reset-password', 'token', passwords))
    await alike(0, ...tokenForms('/v1/confirm-email', 'token'))
    await alike(0, ...tokens.map((value) => () => owner.post('/v1/accept-invitation', { token: value })))

    // Options for a passkey list none, for any address.
    for (const email of addresses) {
      const { options } = (await stranger.post('/v1/passkey-sign-in-options', { email })).body.data
      expect(options.allowCredentials ?? []).toEqual([])
    }
    const { options } = (await stranger.post('/v1/passkey-sign-in-options')).body.data
    await alike(
      0,
      () =>
        stranger.post('/v1/sign-in-with-passkey', { passkey: new SoftwarePasskey(BASE_URL).get(options) }),
      () =>
        stranger.post('/v1/sign-in-with-passkey', { passkey: passkey.get(options, { isVerified: false }) }),
      () =>
        stranger.post('/v1/sign-in-with-passkey', {
          passkey: { ...new SoftwarePasskey(BASE_URL).get(options), id: passkey.id, rawId: passkey.id },
        }),
    )

    // With a stolen cookie: the Security screen lists the factors, but guesses get identical responses.
    await alike(
      1,
      () => owner.post('/v1/reauthenticate', { password: 'Wrong-horse-1' }),
      () => third.post('/v1/reauthenticate', { password: 'Wrong-horse-1' }),
    )
    await alike(
      0,
      () => another.post('/v1/reauthenticate', { code: '12345' }),
      () => third.post('/v1/reauthenticate', { code: '12345' }),
    )
  })

  it('under another host name, passkeys are still those of BASE_URL', async () => {
    const user = await newAccount()
    const { passkey } = await addPasskey(await enter(user))
    const elsewhere = newBrowser('evil.example')
    const { options } = (await elsewhere.post('/v1/passkey-sign-in-options')).body.data
    expect(options.rpId).toBe('way.example')
    const phished = [
      passkey.get(options, { origin: 'https://evil.example' }),
      passkey.get(options, { origin: 'https://evil.example', rpId: 'evil.example' }),
    ]
    for (const response of phished)
      expect((await elsewhere.post('/v1/sign-in-with-passkey', { passkey: response })).status).toBe(401)
    const signedIn = newBrowser('evil.example')
    signedIn.jar.set('__Host-waymark', (await enter(user)).session() ?? '')
    const creation = (await signedIn.post('/v1/set-up-passkey')).body.data.options
    expect(creation.rp.id).toBe('way.example')
    const created = new SoftwarePasskey('https://evil.example').create(creation)
    expect((await signedIn.post('/v1/add-passkey', { name: 'Phone', passkey: created })).status).toBe(422)
  })

  it('new keys, tokens, members and factors are on the Security screen', async () => {
    const owner = await enter(await newAccount())
    const guest = await newAccount()
    expect((await owner.post('/v1/generate-key', { name: 'Shop' })).status).toBe(201)
    expect((await owner.post('/v1/generate-token', { name: 'Script' })).status).toBe(201)
    const invitation = { email: guest.email, role: 'viewer' }
    const { invite_url } = (await owner.post('/v1/invite-member', invitation)).body.data
    const token = new URL(invite_url).searchParams.get('token')
    expect((await (await enter(guest)).post('/v1/accept-invitation', { token })).status).toBe(200)
    await addApp(owner)
    const events = async () =>
      ((await owner.get('/v1/security-events')).body.data as { kind: string; detail: string }[])
        .map(({ kind, detail }) => `${kind}: ${detail}`)
        .toSorted()
    // They are written after the response.
    await expect
      .poll(events)
      .toEqual([
        'key_created: Shop',
        `member_joined: ${guest.email} joined My workspace`,
        'second_factor: An authenticator app was set up as second factor of your Waymark account.',
        'token_created: Script',
      ])
  })

  it('wrong codes of a session count, in a transaction that is rolled back too', async () => {
    const browser = await enter(await newAccount())
    await addApp(browser)
    for (const [path, right] of [
      ['/v1/reauthenticate', 422],
      ['/v1/confirm-totp', 409],
    ] as const) {
      const statuses: number[] = []
      for (let n = 0; n < 12; n++) {
        const once = { 'idempotency-key': `${path} ${n}` }
        statuses.push((await browser.post(path, { code: '000000' }, once)).status)
      }
      const counted = statuses.filter((status) => status === right).length
      expect([path, counted, statuses.at(-1)]).toEqual([path, right === 422 ? 10 : 0, 429])
    }
  })

  it('changes of factors are in the audit log', async () => {
    const user = await newAccount()
    const browser = await enter(user)
    await addApp(browser)
    const { uuid } = await addPasskey(browser)
    expect((await browser.post('/v1/replace-recovery-codes')).status).toBe(200)
    expect((await browser.post('/v1/remove-passkey', { uuid })).status).toBe(200)
    expect((await browser.post('/v1/remove-totp')).status).toBe(200)
    const entries: { operation: string; actor: string; user: { uuid: string } }[] = (
      await browser.get('/v1/audit-log')
    ).body.data
    expect(entries.map(({ operation, actor }) => [operation, actor])).toEqual(
      ['removeTotp', 'removePasskey', 'replaceRecoveryCodes', 'addPasskey', 'confirmTotp'].map((name) => [
        name,
        'user',
      ]),
    )
  })
})
