import { expect, it } from 'vitest'
import { testServices } from '../../modules/testing.ts'
import type { IdentityRow } from '../../storage/db/tables.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { CLIENT, newEmail, PASSWORD } from '../sessions/sessions.testing.ts'
import { IdentityService, type OidcPurpose } from './identities.service.ts'
import { createRequireWayIn } from '../access.ts'
import { createIdentityStore } from './identities.store.ts'
import type { ProviderIdentity } from './provider.ts'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)

  /** Identities with a clock, and a fake provider. */
  const setUp = (passwordSignIn = true) => {
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
      },
      join: async () => {},
      secure: true,
      now: () => clock.ms,
      newId,
    })
    const begin = async (purpose: OidcPurpose) => {
      const { url, cookie } = await service.begin(purpose)
      return { query: new URL(url).search.slice(1), cookie: /=([^;]*)/.exec(cookie)?.[1] }
    }
    const newAccount = () => modules.accounts.service.create({ email: newEmail(), password: PASSWORD }, true)
    return {
      db,
      service,
      store,
      clock,
      identity,
      begin,
      newAccount,
      says: (next: ProviderIdentity) => (returned = next),
    }
  }
  const expired = { code: 'oidc_expired' }

  it('accepts a response within 10 minutes, once, for its purpose and session', async () => {
    const { service, clock, begin } = setUp()
    const link = await begin({ kind: 'link', session: 'a' })
    for (const purpose of [
      { kind: 'sign-in' },
      { kind: 'proof', session: 'a' },
      { kind: 'link', session: 'b' },
    ] as const)
      await expect(service.complete(purpose, link)).rejects.toMatchObject(expired)
    await expect(
      service.complete({ kind: 'link', session: 'a' }, { ...link, cookie: 'forged' }),
    ).rejects.toMatchObject(expired)
    clock.ms += 600_000 - 1
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => service.complete({ kind: 'link', session: 'a' }, link)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(service.complete({ kind: 'link', session: 'a' }, link)).rejects.toMatchObject(expired)
    const late = await begin({ kind: 'sign-in' })
    clock.ms += 600_000
    await expect(service.complete({ kind: 'sign-in' }, late)).rejects.toMatchObject(expired)
  })

  it('accepts a proof that is newer than its start', async () => {
    const { service, clock, begin, identity, says } = setUp()
    const proof = { kind: 'proof', session: 'a' } as const
    for (const [authenticatedAtMs, isAccepted] of [
      [clock.ms, true],
      [clock.ms - 30_000, true],
      [clock.ms - 30_001, false],
      [undefined, false],
    ] as const) {
      says(identity({ authenticatedAtMs }))
      const completed = service.complete(proof, await begin(proof))
      await (isAccepted
        ? expect(completed).resolves.toBeDefined()
        : expect(completed).rejects.toMatchObject({ code: 'oidc_failed' }))
    }
  })

  it('creates users only for verified addresses of its domains', async () => {
    const { service, identity, newAccount } = setUp()
    const known = identity()
    const user = await service.userOf(known, CLIENT)
    expect(user).toMatchObject({ email: known.email, first_name: 'Ada' })
    expect((await service.userOf(known, CLIENT)).uuid).toBe(user.uuid)
    const { email } = await newAccount()
    for (const wrong of [
      { emailVerified: false },
      { email: 'ada@example.org' },
      { email: 'ada@sub.example.com' },
      { email: undefined },
      { email },
    ])
      await expect(service.userOf(identity(wrong), CLIENT)).rejects.toMatchObject({
        code: 'identity_unknown',
      })
  })

  it('unlinks all identities but the last way to sign in', async () => {
    const { db, service, store, identity, newAccount } = setUp()
    const { uuid } = await newAccount()
    const linked = await service.link(uuid, identity())
    expect(linked.issuer).toBe('https://id.example')
    await service.unlink(uuid, linked.uuid)
    expect(await store.list(uuid)).toEqual([])
    const created = await service.userOf(identity(), CLIENT)
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
})
