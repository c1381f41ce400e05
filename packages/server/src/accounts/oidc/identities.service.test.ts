import { expect, it } from 'vitest'
import {
  CLIENT as REGISTERED,
  openProvider,
  visitProvider,
} from '../../../../../scripts/services/openid-provider.ts'
import { AppError } from '../../net/errors.ts'
import { testServices } from '../../modules/testing.ts'
import type { IdentityRow } from '../../storage/db/tables.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { CLIENT, newEmail, PASSWORD } from '../sessions/sessions.testing.ts'
import { type IdentityDependencies, IdentityService, type OidcPurpose } from './identities.service.ts'
import { createRequireWayIn } from '../access.ts'
import type { UserRow } from '../users/users.store.ts'
import { createIdentityStore } from './identities.store.ts'
import { OidcProvider, type ProviderIdentity, redirectUrlOf } from './provider.ts'
import type { RejectionReason } from './rejections.ts'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)

  /** Identities with a clock, and a fake provider. */
  const setUp = (
    passwordSignIn = true,
    settings: Partial<NonNullable<IdentityDependencies['oidc']>> = {},
  ) => {
    const { core, modules } = services()
    const { db, secrets, limits, newId } = core
    const clock = { ms: Date.now() }
    let visits = 0
    const identity = (changes: Partial<ProviderIdentity> = {}): ProviderIdentity => ({
      subject: newEmail(),
      email: newEmail(),
      emailVerified: true,
      firstName: 'Ada',
      lastName: undefined,
      authenticatedAtMs: undefined,
      ...changes,
    })
    let returned = identity()
    const lines: { reason: string; text: string }[] = []
    const warn = (fields: object, text: string) => lines.push({ ...(fields as { reason: string }), text })
    const store = createIdentityStore(db)
    const service: IdentityService = new IdentityService({
      db,
      store,
      factors: modules.factors.store,
      requireWayIn: createRequireWayIn({
        users: modules.accounts.users,
        passkeys: modules.factors.passkeys,
        identities: { isLinked: (userUuid) => service.isLinked(userUuid) },
        passwordSignIn,
      }),
      users: modules.accounts.users,
      accounts: modules.accounts.service,
      secrets,
      limits,
      mail: { notify: () => {} } as never,
      oidc: {
        issuer: 'https://id.example/',
        clientId: 'waymark',
        clientSecret: undefined,
        name: 'Example ID',
        signupDomains: ['example.com'],
        join: undefined,
        provider: {
          begin: async (kind) => {
            const state = `${kind}.${newEmail()}${++visits}`
            return { state, nonce: 'n', verifier: 'v', url: `https://id.example/?state=${state}` }
          },
          complete: async () => returned,
        },
        ...settings,
      },
      join: async () => {},
      log: { warn } as never,
      secure: true,
      now: () => clock.ms,
      newId,
    })
    const begin = async (purpose: OidcPurpose) => {
      const { url, cookie } = await service.begin(purpose)
      return { query: new URL(url).search.slice(1), cookie: /=([^;]*)/.exec(cookie)?.[1] }
    }
    /** Returns from the provider as this identity. */
    const signIn = async (next: ProviderIdentity, enter = async (user: UserRow) => user) => {
      returned = next
      return service.signIn(await begin({ kind: 'sign-in' }), CLIENT, enter)
    }
    const newAccount = () => modules.accounts.service.create({ email: newEmail(), password: PASSWORD }, true)
    return {
      db,
      service,
      store,
      clock,
      identity,
      begin,
      signIn,
      lines,
      newAccount,
      says: (next: ProviderIdentity) => (returned = next),
    }
  }
  const expired = { code: 'oidc_expired' }

  it('accepts a response within 10 minutes, once, for its purpose and session', async () => {
    const { service, clock, begin, says, identity } = setUp()
    const a = { uuid: 'a', userUuid: crypto.randomUUID() }
    const enter = async (user: UserRow) => user
    const link = await begin({ kind: 'link', session: 'a' })
    for (const completed of [
      service.signIn(link, CLIENT, enter),
      service.prove(a, link),
      service.verifyNew({ uuid: 'b' }, link),
      service.verifyNew(a, { ...link, cookie: 'forged' }),
    ])
      await expect(completed).rejects.toMatchObject(expired)
    clock.ms += 600_000 - 1
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => service.verifyNew(a, link)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(service.verifyNew(a, link)).rejects.toMatchObject(expired)
    says(identity())
    const late = await begin({ kind: 'sign-in' })
    clock.ms += 600_000
    await expect(service.signIn(late, CLIENT, enter)).rejects.toMatchObject(expired)
  })

  it('accepts a proof that is newer than its start', async () => {
    const { service, clock, begin, identity, says, newAccount } = setUp()
    const { uuid: userUuid } = await newAccount()
    const mine = identity()
    await service.link(userUuid, mine)
    for (const [authenticatedAtMs, isAccepted] of [
      [clock.ms, true],
      [clock.ms - 30_000, true],
      [clock.ms - 30_001, false],
      [undefined, false],
    ] as const) {
      says({ ...mine, authenticatedAtMs })
      const proved = service.prove({ uuid: 'a', userUuid }, await begin({ kind: 'proof', session: 'a' }))
      await (isAccepted
        ? expect(proved).resolves.toBeUndefined()
        : expect(proved).rejects.toMatchObject({ code: 'oidc_stale', status: 401 }))
    }
  })

  it('creates users only for verified addresses of its domains', async () => {
    const { signIn, identity, newAccount } = setUp()
    const known = identity()
    const user = await signIn(known)
    expect(user).toMatchObject({ email: known.email, first_name: 'Ada' })
    expect((await signIn(known)).uuid).toBe(user.uuid)
    const { email } = await newAccount()
    for (const wrong of [
      { emailVerified: false },
      { email: 'ada@example.org' },
      { email: 'ada@sub.example.com' },
      { email: undefined },
      { email },
    ])
      await expect(signIn(identity(wrong))).rejects.toMatchObject({
        code: 'identity_unknown',
      })
  })

  it('unlinks all identities but the last way to sign in', async () => {
    const { db, service, signIn, store, identity, newAccount } = setUp()
    const { uuid } = await newAccount()
    const linked = await service.link(uuid, identity())
    expect(linked.issuer).toBe('https://id.example')
    await service.unlink(uuid, linked.uuid)
    expect(await store.list(uuid)).toEqual([])
    const created = await signIn(identity())
    const [only] = await store.list(created.uuid)
    const unlink = () => service.unlink(created.uuid, only?.uuid ?? '')
    await expect(unlink()).rejects.toMatchObject({ code: 'last_way_in' })
    // An identity of an earlier provider cannot sign in.
    const earlier = { ...only, uuid: crypto.randomUUID(), subject: newEmail(), issuer: 'https://old.example' }
    await db.write(() => store.insert(earlier as IdentityRow))
    await expect(unlink()).rejects.toMatchObject({ code: 'last_way_in' })
    await service.unlink(created.uuid, earlier.uuid)
    const second = await service.link(created.uuid, identity())
    await unlink()
    await expect(service.unlink(created.uuid, second.uuid)).rejects.toMatchObject({ code: 'last_way_in' })
    await service.removeAll(created.uuid)
    expect(await store.list(created.uuid)).toEqual([])
    const withoutPasswords = setUp(false)
    const other = await withoutPasswords.newAccount()
    const last = await withoutPasswords.service.link(other.uuid, identity())
    await expect(withoutPasswords.service.unlink(other.uuid, last.uuid)).rejects.toMatchObject({
      code: 'last_way_in',
    })
  })

  it('writes one log line for each rejection, with its reason, without addresses', async () => {
    const provider = await openProvider()
    const baseUrl = 'http://localhost:3000'
    provider.allow(baseUrl)
    const email = newEmail()
    provider.accounts.set('ada', { email })
    const real = {
      issuer: provider.issuer,
      clientId: REGISTERED.OIDC_CLIENT_ID,
      clientSecret: REGISTERED.OIDC_CLIENT_SECRET,
      name: 'Example ID',
      signupDomains: undefined,
      join: undefined,
    }
    let skewMs = 0
    const clock = () => Date.now() + skewMs
    const test = setUp()
    const { service, identity, begin, signIn, says } = test
    const atProvider = setUp(true, {
      ...real,
      provider: new OidcProvider(real, redirectUrlOf(baseUrl), clock),
    })
    const withoutSignUp = setUp(true, { signupDomains: undefined })
    const enter = async (user: UserRow) => user
    const other = (uuid: string) => ({ uuid, userUuid: crypto.randomUUID() })
    /** Returns from a real provider, whose token endpoint sends `body`. */
    const returns = async (status: number, body: (claims: object) => object) => {
      const { url, cookie } = await atProvider.service.begin({ kind: 'sign-in' })
      const nonce = new URL(url).searchParams.get('nonce')
      const query = await visitProvider(url, 'ada')
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: provider.issuer,
        aud: REGISTERED.OIDC_CLIENT_ID,
        sub: 'ada',
        nonce,
        iat: now,
        exp: now + 900,
      }
      provider.setFault((request, response) => {
        if (request.url !== '/token') return false
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body(claims)))
        return true
      })
      const value = /=([^;]*)/.exec(cookie)?.[1]
      await atProvider.service
        .signIn({ query, cookie: value }, CLIENT, enter)
        .finally(() => provider.setFault(undefined))
    }
    const claiming = (more: object) =>
      returns(200, (claims) => ({
        access_token: 'a',
        token_type: 'Bearer',
        id_token: provider.idToken({ ...claims, email, ...more }),
      }))
    /** Returns from a real provider with an error. */
    const failing = async (error: string) => {
      const { url, cookie } = await atProvider.service.begin({ kind: 'sign-in' })
      const state = new URL(url).searchParams.get('state') ?? ''
      const about = `${email} (${encodeURIComponent(email)}) at 192.0.2.1 and 2001:db8::1 is unwanted`
      const query = new URLSearchParams({ error, state, iss: provider.issuer, error_description: about })
      const value = /=([^;]*)/.exec(cookie)?.[1]
      await atProvider.service.signIn({ query: query.toString(), cookie: value }, CLIENT, enter)
    }
    const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
    const attempts: Record<RejectionReason, () => Promise<unknown>> = {
      request_missing: async () => service.signIn({ query: 'state=x', cookie: undefined }, CLIENT, enter),
      request_expired: async () => {
        const late = await begin({ kind: 'sign-in' })
        test.clock.ms += 600_000
        return service.signIn(late, CLIENT, enter)
      },
      request_used: async () => {
        const link = await begin({ kind: 'link', session: 'a' })
        await service.verifyNew({ uuid: 'a' }, link)
        return service.verifyNew({ uuid: 'a' }, link)
      },
      purpose_wrong: async () => service.prove(other('a'), await begin({ kind: 'proof', session: 'b' })),
      state_wrong: async () =>
        service.signIn({ ...(await begin({ kind: 'sign-in' })), query: 'state=x' }, CLIENT, enter),
      access_denied: () => failing('access_denied'),
      provider_error: () => failing('server_error'),
      provider_unavailable: () => returns(500, () => ({})),
      token_error: () =>
        returns(400, () => ({ error: 'invalid_client', error_description: `unknown: ${email}` })),
      response_invalid: () => claiming({ nonce: 'of another visit' }),
      issued_in_future: () => claiming({ iat: soon(90) }),
      signed_in_in_future: () => claiming({ auth_time: soon(90) }),
      not_signed_in_again: async () => {
        says(identity())
        return service.prove(other('a'), await begin({ kind: 'proof', session: 'a' }))
      },
      identity_of_another: async () => {
        says(identity({ authenticatedAtMs: test.clock.ms }))
        return service.prove(other('a'), await begin({ kind: 'proof', session: 'a' }))
      },
      sign_up_off: () => withoutSignUp.signIn(identity()),
      email_invalid: () => signIn(identity({ email: 'not an address' })),
      domain_not_allowed: () => signIn(identity({ email: 'ada@evil.example' })),
      email_unverified: () => signIn(identity({ emailVerified: false })),
      email_taken: async () => signIn(identity({ email: (await test.newAccount()).email })),
    }
    /** Rejections of other parts have the code of the response as their reason. */
    const others = {
      account_suspended: () => signIn(identity(), () => Promise.reject(new AppError('account_suspended'))),
      identity_present: async () => {
        const mine = identity()
        await service.link((await test.newAccount()).uuid, mine)
        return service.add((await test.newAccount()).uuid, mine)
      },
    }
    const lines = () => [test, atProvider, withoutSignUp].flatMap((each) => each.lines.splice(0))
    try {
      for (const [reason, attempt] of Object.entries({ ...attempts, ...others })) {
        await expect(attempt(), reason).rejects.toBeInstanceOf(AppError)
        const written = lines()
        expect(written, reason).toMatchObject([{ reason, text: expect.stringContaining('rejected: ') }])
        expect(JSON.stringify(written)).not.toMatch(/@|%40|192\.0|2001:/)
      }
      // The clocks may differ by a minute.
      await expect(claiming({ iat: soon(55), auth_time: soon(55) })).rejects.toMatchObject({
        reason: 'sign_up_off',
      })
      skewMs = -120_000
      await expect(claiming({})).rejects.toMatchObject({ reason: 'issued_in_future' })
    } finally {
      provider.close()
    }
  })
})
