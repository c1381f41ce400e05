import { mkdtemp } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  CLIENT,
  type Fault,
  openProvider,
  type OpenIdProvider,
  visitProvider,
} from '../scripts/services/openid-provider.ts'
import { post } from './support/requests.ts'
import { stacks } from './support/stacks.ts'
import { type Heard, newEmail, PASSWORD, Visitor } from './support/visitors.ts'
import { runCli, startWaymark, type Waymark } from './support/waymark.ts'

const sessionOf = (visitor: Visitor): string =>
  visitor.cookie?.split('; ').find((cookie) => cookie.startsWith('waymark=')) ?? ''

const outcome = ({ status, body }: Heard): unknown[] => [status, body.error ?? body.message]

const EXPIRED = [401, 'This sign-in has expired or was used; start again']
const INVALID = [401, 'The response of the sign-in provider is not valid; start again']
const DOWN = [503, 'The sign-in provider does not respond; try again shortly, or sign in another way']
const DENIED = [401, 'The sign-in provider did not sign you in; try again, or sign in another way']
const UNKNOWN = [
  403,
  'This identity is not linked to an account. Sign in and link it under Settings, Security',
]

describe.each(Object.entries(stacks))('OpenID Connect with two processes, %s', (stack, settings) => {
  /** Storage and processes make no difference. */
  const once = it.runIf(stack === 'embedded')
  let waymark: Waymark
  let provider: OpenIdProvider
  let team: string
  let logins = 0
  beforeAll(async () => {
    provider = await openProvider()
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'waymark-e2e-'))
    const env = { ...(await settings()), DATA_DIR }
    const owner = ['--email', 'owner@example.com', '--password', PASSWORD]
    const { stdout } = await runCli(env, 'user', 'create', '--json', ...owner)
    team = (JSON.parse(stdout) as { uuid: string }).uuid
    waymark = await startWaymark({
      ...env,
      ...CLIENT,
      WORKERS: '2',
      OIDC_ISSUER: provider.issuer,
      OIDC_NAME: 'Example ID',
      OIDC_SIGNUP: 'on',
      OIDC_DOMAINS: 'staff.example',
      OIDC_JOIN: `editor@${team}`,
    })
    provider.allow(waymark.url)
  })
  afterEach(() => provider.setFault(undefined))
  afterAll(async () => {
    provider?.close()
    await waymark?.stop()
  })

  const newLogin = (email: string, email_verified?: boolean): string => {
    const login = `user${++logins}`
    provider.accounts.set(login, {
      email,
      given_name: 'Ada',
      ...(email_verified !== undefined && { email_verified }),
    })
    return login
  }
  const newStaff = (): string => newEmail().replace('example.com', 'staff.example')
  /** Goes to the provider and comes back with the query of its response. */
  const visit = async (visitor: Visitor, login: string, path = '/v1/begin-oidc'): Promise<string> => {
    const { status, body } = await visitor.post(path)
    expect([path, status]).toEqual([path, 200])
    return visitProvider(body.data.url, login)
  }
  const signIn = async (visitor: Visitor, login: string): Promise<Heard> =>
    visitor.post('/v1/sign-in-with-oidc', { query: await visit(visitor, login) })
  /** An account with a password and a linked identity. */
  const linked = async () => {
    const [visitor, email] = [new Visitor(waymark), newEmail()]
    const login = newLogin(email, true)
    await visitor.signUp(email)
    const query = await visit(visitor, login, '/v1/set-up-identity')
    const added = await visitor.post('/v1/add-identity', { query })
    expect(outcome(added)).toEqual([201, 'Identity linked'])
    return { visitor, email, login, identity: added.body.data }
  }

  it('creates users of its domains, once, who are members from then on', async () => {
    const email = newStaff()
    const login = newLogin(email, true)
    const visitor = new Visitor(waymark)
    expect((await visitor.get('/v1/instance')).body.data).toMatchObject({
      oidc: 'Example ID',
      password_sign_in: true,
    })
    const first = await signIn(visitor, login)
    expect([first.status, first.body.data]).toMatchObject([200, { email, first_name: 'Ada' }])
    expect((await visitor.get('/v1/email-status')).body.data.confirmed).toBe(true)
    expect((await visitor.get('/v1/identities')).body.data[0].last_used_at).not.toBe(null)
    const { data } = (await visitor.get('/v1/workspaces')).body
    expect(data.map(({ uuid, role }: { uuid: string; role: string }) => [uuid === team, role])).toEqual([
      [false, 'owner'],
      [true, 'editor'],
    ])
    expect((await visitor.get('/v1/second-factors')).body.data.password).toBe(false)
    expect((await visitor.get('/v1/reauthentication-methods')).body.data.methods).toEqual(['oidc'])
    await visitor.post('/v1/leave-workspace', { uuid: team })
    const again = new Visitor(waymark)
    expect((await signIn(again, login)).status).toBe(200)
    expect((await again.get('/v1/workspaces')).body.data).toHaveLength(1)
    // There is no password that would be right.
    expect((await new Visitor(waymark).signIn(email)).status).toBe(401)
    const { uuid } = (await again.get('/v1/identities')).body.data[0]
    expect(outcome(await again.post('/v1/remove-identity', { uuid }))).toEqual([
      409,
      'You could no longer sign in; set a password or add a passkey first',
    ])
    const owner = new Visitor(waymark)
    await owner.signIn('owner@example.com')
    const log = (await owner.get('/v1/audit-log?operation=joinWorkspace')).body.data
    expect(log[0]).toMatchObject({ actor: 'user', details: { role: 'editor' } })
  })

  it('links by issuer and subject, never by address', async () => {
    const { email, login } = await linked()
    const owner = new Visitor(waymark)
    expect((await signIn(owner, login)).body.data.email).toBe(email)
    const taken = newStaff()
    const holder = new Visitor(waymark)
    await holder.signUp(taken)
    const strangers = [
      newLogin(email, true),
      newLogin(newEmail(), true),
      newLogin(taken, true),
      newLogin(taken, false),
      newLogin(taken),
      newLogin(newStaff(), false),
      newLogin(newStaff()),
      newLogin(`ada@staff.example.evil.example`, true),
      newLogin('not an address', true),
    ]
    for (const stranger of strangers) {
      const visitor = new Visitor(waymark)
      expect(outcome(await signIn(visitor, stranger))).toEqual(UNKNOWN)
      expect((await visitor.get('/v1/profile')).status).toBe(401)
    }
    expect((await holder.get('/v1/identities')).body.data).toEqual([])
  })

  it('lists, unlinks and never links an identity twice', async () => {
    const { visitor, email, login, identity } = await linked()
    expect((await visitor.get('/v1/identities')).body.data).toEqual([identity])
    expect(identity).toMatchObject({ issuer: provider.issuer, email, last_used_at: null })
    const other = new Visitor(waymark)
    await other.signUp(newEmail())
    const query = await visit(other, login, '/v1/set-up-identity')
    expect(outcome(await other.post('/v1/add-identity', { query }))).toEqual([
      409,
      'This identity is linked to an account already',
    ])
    expect((await other.post('/v1/remove-identity', { uuid: identity.uuid })).status).toBe(404)
    expect((await visitor.post('/v1/remove-identity', { uuid: identity.uuid })).status).toBe(200)
    expect(outcome(await signIn(new Visitor(waymark), login))).toEqual(UNKNOWN)
    const log = (await visitor.get('/v1/audit-log')).body.data
    expect(log.map(({ operation }: { operation: string }) => operation)).toEqual(
      expect.arrayContaining(['addIdentity', 'removeIdentity']),
    )
  })

  once('asks for a local factor after the provider, also after a reset', async () => {
    const { visitor, email, login } = await linked()
    const { secret } = (await visitor.post('/v1/set-up-totp')).body.data
    const { data } = (await visitor.post('/v1/confirm-totp', { code: generateSync({ secret }) })).body
    const step = await signIn(new Visitor(waymark), login)
    expect([step.status, step.body.data.second_factor]).toEqual([202, ['totp', 'recovery']])
    expect(String(step.headers['set-cookie'])).not.toContain('waymark=')
    const { stdout } = await waymark.cli('user', 'reset-link', '--email', email)
    const token = new URL(stdout.trim()).searchParams.get('token')
    const password = 'Battery-staple-8'
    const reset = { token, password, confirm_password: password }
    expect((await new Visitor(waymark).post('/v1/reset-password', reset)).status).toBe(200)
    const second = await new Visitor(waymark).signIn(email, password)
    expect(second.status).toBe(202)
    // Someone else may have linked an identity of theirs.
    expect(outcome(await signIn(new Visitor(waymark), login))).toEqual(UNKNOWN)
    const entering = new Visitor(waymark)
    const { challenge } = second.body.data
    const code = data.recovery_codes[0]
    expect((await entering.post('/v1/verify-second-factor', { challenge, code })).status).toBe(200)
    const query = await visit(entering, login, '/v1/set-up-identity')
    expect((await entering.post('/v1/add-identity', { query })).status).toBe(201)
    expect((await signIn(new Visitor(waymark), login)).status).toBe(202)
  })

  it('confirms that it is you, by a new sign-in at the provider', async () => {
    const { visitor, login } = await linked()
    const before = sessionOf(visitor)
    const { url } = (await visitor.post('/v1/begin-oidc-proof')).body.data
    expect(new URL(url).searchParams.get('max_age')).toBe('0')
    const oidc = await visitProvider(url, login)
    expect(outcome(await visitor.post('/v1/reauthenticate', { oidc }))).toEqual([200, 'Confirmed'])
    expect(sessionOf(visitor)).not.toBe(before)
    const stranger = newLogin(newEmail(), true)
    const other = await visit(visitor, stranger, '/v1/begin-oidc-proof')
    const wrong = await visitor.post('/v1/reauthenticate', { oidc: other })
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['oidc']])
  })

  it('takes a response for its purpose, in its browser, in its session, once', async () => {
    const { visitor, email, login } = await linked()
    const proof = await visit(visitor, login, '/v1/begin-oidc-proof')
    expect(outcome(await visitor.post('/v1/add-identity', { query: proof }))).toEqual(EXPIRED)
    expect(outcome(await visitor.post('/v1/sign-in-with-oidc', { query: proof }))).toEqual(EXPIRED)
    const query = await visit(visitor, login)
    expect(outcome(await visitor.post('/v1/reauthenticate', { oidc: query }))).toEqual(EXPIRED)
    // A link to the response of an attacker does nothing in another browser.
    expect(outcome(await new Visitor(waymark).post('/v1/sign-in-with-oidc', { query }))).toEqual(EXPIRED)
    const forged = query.replace(/state=[^&]+/, 'state=forged')
    expect(outcome(await visitor.post('/v1/sign-in-with-oidc', { query: forged }))).toEqual(EXPIRED)
    const cookies = visitor.cookie
    expect((await visitor.post('/v1/sign-in-with-oidc', { query })).status).toBe(200)
    expect(visitor.cookie).toMatch(/waymark-oidc=(?:;|$)/)
    for (let tries = 0; tries < 3; tries++) {
      const thief = new Visitor(waymark)
      thief.cookie = cookies
      expect((await thief.post('/v1/sign-in-with-oidc', { query })).status).toBe(401)
    }
    const link = await visit(visitor, newLogin(email, true), '/v1/set-up-identity')
    const other = new Visitor(waymark)
    other.cookie = visitor.cookie
    await other.signUp(newEmail())
    expect(outcome(await other.post('/v1/add-identity', { query: link }))).toEqual(EXPIRED)
    const denied = await visit(visitor, login)
    const state = new URLSearchParams(denied).get('state')
    const answer = { query: `error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}` }
    expect(outcome(await visitor.post('/v1/sign-in-with-oidc', answer))).toEqual(DENIED)
    expect((await visitor.post('/v1/sign-in-with-oidc', { query: 'x'.repeat(9_000) })).status).toBe(422)
    expect(
      (await new Visitor(waymark).post('/v1/begin-oidc', {}, { origin: 'https://evil.example' })).status,
    ).toBe(403)
  })

  once('changes the session cookie with each sign-in', async () => {
    const { visitor, login } = await linked()
    const before = sessionOf(visitor)
    expect((await signIn(visitor, login)).status).toBe(200)
    expect(sessionOf(visitor)).not.toBe(before)
    const fixed = new Visitor(waymark)
    fixed.cookie = 'waymark=chosen-by-an-attacker'
    expect((await signIn(fixed, login)).status).toBe(200)
    expect(sessionOf(fixed)).not.toContain('chosen')
  })

  once(
    'survives a provider that is slow, down, too large or lying, and its users stay signed in',
    async () => {
      const { visitor, login } = await linked()
      const tokenFault =
        (respond: (response: ServerResponse, nonce: string) => void) => async (path: string) => {
          const { body } = await visitor.post(path)
          const nonce = new URL(body.data.url).searchParams.get('nonce') ?? ''
          const query = await visitProvider(body.data.url, login)
          provider.setFault(({ url }, response) => {
            if (url !== '/token') return false
            respond(response, nonce)
            return true
          })
          const answer =
            path === '/v1/begin-oidc'
              ? await visitor.post('/v1/sign-in-with-oidc', { query })
              : await visitor.post('/v1/reauthenticate', { oidc: query })
          provider.setFault(undefined)
          return outcome(answer)
        }
      const json = (response: ServerResponse, body: object): void =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      const lying = (claims: object, isKeyKnown = true) =>
        tokenFault((response, nonce) => {
          const now = Math.floor(Date.now() / 1000)
          const standard = {
            iss: provider.issuer,
            aud: CLIENT.OIDC_CLIENT_ID,
            sub: login,
            iat: now,
            exp: now + 60,
          }
          const id_token = provider.idToken(
            { ...standard, nonce, email: 'a@b.example', ...claims },
            isKeyKnown,
          )
          json(response, { access_token: 'a', token_type: 'Bearer', id_token })
        })
      const slow = tokenFault(() => undefined)('/v1/begin-oidc')
      expect(await slow).toEqual(DOWN)
      const broken = tokenFault((response) => response.writeHead(500).end('broken'))
      expect(await broken('/v1/begin-oidc')).toEqual(DOWN)
      const large = tokenFault((response) => json(response, { id_token: 'x'.repeat(10_000_000) }))
      expect(await large('/v1/begin-oidc')).toEqual(DOWN)
      // Right, so that the others fail for the reason that they are here for.
      expect((await lying({})('/v1/begin-oidc'))[0]).toBe(200)
      for (const fault of [
        lying({}, false),
        lying({ nonce: 'of another visit' }),
        lying({ aud: 'another client' }),
        lying({ iss: 'https://evil.example' }),
        lying({ exp: 1_000 }),
        lying({ iat: Math.floor(Date.now() / 1000) + 300 }),
        lying({ auth_time: Math.floor(Date.now() / 1000) + 300 }),
      ])
        expect(await fault('/v1/begin-oidc')).toEqual(INVALID)
      const STALE = [
        401,
        'The sign-in provider did not say that you have signed in again; confirm another way, or sign out and in',
      ]
      const now = Math.floor(Date.now() / 1000)
      expect((await lying({ auth_time: now })('/v1/begin-oidc-proof'))[0]).toBe(200)
      expect(await lying({})('/v1/begin-oidc-proof')).toEqual(STALE)
      expect(await lying({ auth_time: now - 600 })('/v1/begin-oidc-proof')).toEqual(STALE)
      expect(await lying({ auth_time: now + 300 })('/v1/begin-oidc-proof')).toEqual(INVALID)
      provider.setFault((_request, response) => response.destroy() === response)
      expect((await visitor.get('/v1/profile')).status).toBe(200)
      expect((await visitor.post('/v1/generate-key', {})).status).toBe(201)
    },
  )
})

describe('an instance without passwords', () => {
  let waymark: Waymark
  let provider: OpenIdProvider
  const email = 'owner@example.com'
  beforeAll(async () => {
    // A provider that takes the secret in the header alone.
    provider = await openProvider('client_secret_basic')
    waymark = await startWaymark({ ...CLIENT, OIDC_ISSUER: provider.issuer, PASSWORD_SIGN_IN: 'off' })
    provider.allow(waymark.url)
    await waymark.cli('user', 'create', '--email', email, '--password', PASSWORD)
  })
  afterAll(async () => {
    provider?.close()
    await waymark?.stop()
  })

  it('rejects passwords alike for every address', async () => {
    const off = [403, 'Signing in with a password is switched off on this instance']
    for (const address of [email, newEmail()]) {
      const visitor = new Visitor(waymark)
      expect(outcome(await visitor.signIn(address))).toEqual(off)
      expect(outcome(await visitor.signUp(address))).toEqual(off)
      expect(outcome(await visitor.post('/v1/forgot-password', { email: address }))).toEqual(off)
    }
  })

  it('lets operators link identities and hand out links that sign in once', async () => {
    const command = async (...words: string[]) =>
      JSON.parse((await waymark.cli('user', ...words, '--email', email, '--json')).stdout)
    expect(await command('link-oidc', '--subject', 'ada')).toEqual({
      email,
      subject: 'ada',
      issuer: provider.issuer,
    })
    expect((await waymark.cli('user', 'link-oidc', '--subject', 'ada', '--email', email)).stderr).toContain(
      'This identity is linked to an account already',
    )
    expect((await waymark.cli('user', 'link-oidc', '--subject', 'a b', '--email', email)).code).toBe(2)
    provider.accounts.set('ada', { email: 'another@example.com' })
    const visitor = new Visitor(waymark)
    const { url: address } = (await visitor.post('/v1/begin-oidc')).body.data
    const query = await visitProvider(address, 'ada')
    expect((await visitor.post('/v1/sign-in-with-oidc', { query })).body.data.email).toBe(email)

    const { url } = await command('sign-in-link')
    const token = new URL(url).searchParams.get('token')
    const used = new Visitor(waymark)
    expect((await used.post('/v1/sign-in-with-link', { token })).body.data.email).toBe(email)
    expect((await used.get('/v1/profile')).status).toBe(200)
    for (const wrong of [token, 'guessed'])
      expect(outcome(await new Visitor(waymark).post('/v1/sign-in-with-link', { token: wrong }))).toEqual([
        422,
        'This link is no longer valid; request a new one',
      ])
    // The links of a sign-in and of its second step are not each other.
    const { url: second } = await command('sign-in-link')
    const challenge = new URL(second).searchParams.get('token')
    expect((await used.post('/v1/verify-second-factor', { challenge, code: '123456' })).status).toBe(401)
    await command('reset-second-factor')
    const log = (await visitor.get('/v1/audit-log')).body.data as { operation: string; actor: string }[]
    const ofOperator = log.filter(({ actor }) => actor === 'command_line').map(({ operation }) => operation)
    expect(ofOperator).toEqual(expect.arrayContaining(['user link-oidc', 'user sign-in-link']))
  })

  it('says in the log why each sign-in is rejected, without addresses and what was sent', async () => {
    const visitor = new Visitor(waymark)
    const unknown = 'grace@example.com'
    provider.accounts.set('grace', { email: unknown, email_verified: true })
    const visit = async () => visitProvider((await visitor.post('/v1/begin-oidc')).body.data.url, 'grace')
    const signIn = async (query: string) => (await visitor.post('/v1/sign-in-with-oidc', { query })).status
    const stateOf = (query: string) => new URLSearchParams(query).get('state') ?? ''
    const iss = encodeURIComponent(provider.issuer)
    const error = { error: 'invalid_client', error_description: `the secret is wrong for ${unknown}` }
    let query = await visit()
    const isFault: Fault = ({ url }, response) => {
      if (url !== '/token') return false
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(error))
      return true
    }
    provider.setFault(isFault)
    for (let tries = 0; tries < 2; tries++) expect(await signIn(query)).toBe(401)
    provider.setFault(undefined)
    expect(await signIn(await visit())).toBe(403)
    expect(await signIn('state=forged')).toBe(401)
    expect(await signIn(`error=access_denied&state=${stateOf((query = await visit()))}&iss=${iss}`)).toBe(401)
    visitor.cookie = undefined
    expect(await signIn(query)).toBe(401)
    const subject = ['--subject', 'grace']
    await waymark.cli('user', 'link-oidc', '--email', email, ...subject)
    await waymark.cli('admin', 'user', 'suspend', '--email', email, '--reason', 'Spam')
    await expect.poll(async () => signIn((query = await visit()))).toBe(403)
    const lines = () =>
      waymark
        .output()
        .split('\n')
        .filter((line) => line.includes('single sign-on was rejected'))
    const reasons = () => lines().map((line) => (JSON.parse(line) as { reason: string }).reason)
    const expected = ['token_error', 'token_error', 'sign_up_off', 'state_wrong', 'access_denied']
    await expect.poll(reasons).toEqual([...expected, 'request_missing', 'account_suspended'])
    expect(lines()[0]).toContain('invalid_client: the secret is wrong')
    expect(lines().join('')).not.toMatch(/@|127\.0\.0\.1|::1/)
    expect(lines().join('')).not.toContain(new URLSearchParams(query).get('code'))
    await waymark.cli('admin', 'user', 'resume', '--email', email)
    await expect.poll(async () => signIn(await visit())).toBe(200)
  })

  it('changes the password and removes the account by key as ever', async () => {
    const { stdout } = await waymark.cli('key', 'create', '--email', email, '--json')
    const { api_key: apiKey, secret } = JSON.parse(stdout) as { api_key: string; secret: string }
    const call = async (path: string, body: Record<string, unknown>) =>
      (await post(waymark, { apiKey, secret }, path, body)).status
    const next = 'Battery-staple-8'
    const change = { old_password: PASSWORD, password: next, confirm_password: next }
    expect(await call('/v1/update-password', change)).toBe(200)
    expect(await call('/v1/update-password', change)).toBe(422)
    expect(await call('/v1/remove-account', { reason: 'done' })).toBe(200)
    expect(await call('/v1/remove-account', { reason: 'done' })).toBe(401)
  })

  it('is examined by doctor: issuer, redirect address, clock', async () => {
    const find = async (settings: Record<string, string> = {}) => {
      const { stdout } = await runCli({ ...waymark.env, ...settings }, 'doctor', '--json')
      const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; detail: string }[] }
      return checks.find(({ name }) => name === 'OpenID Connect')
    }
    expect(await find()).toMatchObject({ state: 'ok', detail: expect.stringContaining('/app/oidc') })
    expect(await find({ OIDC_CLIENT_ID: 'unknown' })).toMatchObject({ state: 'warning' })
    expect(await find({ OIDC_ISSUER: `${provider.issuer}/` })).toMatchObject({
      state: 'failed',
      detail: `the provider calls itself ${provider.issuer}`,
    })
    provider.setFault((_request, response) => {
      response
        .writeHead(200, { date: new Date(0).toUTCString() })
        .end(JSON.stringify({ issuer: provider.issuer }))
      return true
    })
    expect((await find())?.detail).toMatch(/^the clock is \d+ seconds apart/)
    provider.setFault((_request, response) => response.writeHead(500).end() === response)
    expect(await find()).toMatchObject({ state: 'failed' })
  })
})
