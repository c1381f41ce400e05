import { describe, expect, it } from 'vitest'
import { SoftwarePasskey } from '../../../../../scripts/services/software-passkey.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { asSignedIn, CLIENT, newEmail, PASSWORD, testSignIn } from '../sessions/sessions.testing.ts'
import { passkeysUnavailable } from './passkeys.service.ts'

const ORIGIN = 'https://way.example'
/** What browsers report of a page that another site embeds. */
const EMBEDDED = [
  { crossOrigin: true },
  { crossOrigin: true, topOrigin: ORIGIN },
  { crossOrigin: 'true' },
  { topOrigin: 'https://evil.example' },
  { topOrigin: 'http://way.example' },
]
const asJson = (options: object): Record<string, unknown> => ({ ...options })

it('needs a domain name and HTTPS, except on localhost', () => {
  for (const good of ['https://way.example', 'http://localhost:3000', 'http://way.localhost'])
    expect(passkeysUnavailable(good)).toBeNull()
  expect(passkeysUnavailable('http://way.example')).toContain('HTTPS')
  expect(passkeysUnavailable('https://192.0.2.1')).toContain('domain name')
  expect(passkeysUnavailable('https://[2001:db8::1]:8443')).toContain('domain name')
})

forEachDatabase((_engine, _open, databases) => {
  const open = testSignIn(databases)

  const setUp = async () => {
    const parts = open()
    const { factors, passkeys, signIn, newAccount } = parts
    const user = await newAccount()
    const add = async (name = 'Phone', passkey = new SoftwarePasskey(ORIGIN), given?: object) => {
      const response = given ?? passkey.create(asJson(await passkeys.creationOptions(user)))
      const added = await factors.addPasskey(await passkeys.verifyNew(user.uuid, name, response))
      return { passkey, uuid: added.passkey.uuid, recovery_codes: added.recovery_codes }
    }
    const options = async (challenge?: string) => asJson(await signIn.passkeyOptions(challenge))
    const challenge = async (email = user.email): Promise<string> => {
      const outcome = await signIn.signIn({ email, password: PASSWORD }, CLIENT)
      if (!('challenge' in outcome)) throw new Error('No second factor is needed')
      return outcome.challenge
    }
    return { ...parts, user, add, options, challenge }
  }

  describe('a passkey', () => {
    it('signs in alone, each response once across processes', async () => {
      const { signIn, user, add, options } = await setUp()
      const { passkey, recovery_codes } = await add()
      expect(recovery_codes).toHaveLength(10)
      const response = passkey.get(await options())
      const outcomes = await Promise.allSettled(
        Array.from({ length: 4 }, () => signIn.signInWithPasskey(response, CLIENT)),
      )
      const [first] = outcomes.filter((outcome) => outcome.status === 'fulfilled')
      expect(first?.value.profile.email).toBe(user.email)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await expect(signIn.signInWithPasskey(response, CLIENT)).rejects.toMatchObject({
        code: 'passkey_failed',
      })
      await signIn.signInWithPasskey(passkey.get(await options()), CLIENT)
    })

    it('is from then on required as second factor of the password', async () => {
      const { signIn, factors, events, user, add, options, challenge } = await setUp()
      const { passkey } = await add()
      expect(await factors.methodsOf(user.uuid)).toEqual(['passkey', 'recovery'])
      const token = await challenge()
      const asked = await options(token)
      expect(asked['allowCredentials']).toMatchObject([{ id: passkey.id }])
      // The password was the first factor, so possession of the device is enough.
      const response = passkey.get(asked, { isVerified: false })
      await expect(signIn.signInWithPasskey(response, CLIENT)).rejects.toMatchObject({
        code: 'passkey_failed',
      })
      const other = await challenge()
      await expect(
        signIn.verifySecondFactor({ challenge: other, passkey: response }, CLIENT),
      ).rejects.toMatchObject({ code: 'passkey_failed' })
      await signIn.verifySecondFactor({ challenge: token, passkey: response }, CLIENT)
      const signIns = (await events.list(user.uuid)).filter(({ kind }) => kind === 'sign_in')
      expect(signIns.map(({ detail }) => detail)).toEqual(['password+passkey'])
      await expect(
        signIn.verifySecondFactor({ challenge: token, passkey: response }, CLIENT),
      ).rejects.toMatchObject({ code: 'challenge_invalid' })
    })

    it('is rejected with another origin, host, account, challenge, or without user verification', async () => {
      const { clock, signIn, passkeys, user, add, options, challenge } = await setUp()
      const { passkey } = await add()
      const stranger = await setUp()
      const { passkey: theirs } = await stranger.add()
      const asked = await options()
      const attempts = [
        passkey.get(asked, { origin: 'https://evil.example' }),
        passkey.get(asked, { origin: 'http://way.example' }),
        passkey.get(asked, { rpId: 'evil.example' }),
        passkey.get(asked, { isVerified: false }),
        passkey.get(asked, { userHandle: Buffer.from(stranger.user.uuid).toString('base64url') }),
        passkey.get(asked, { challenge: Buffer.from('1.2.3').toString('base64url') }),
        passkey.get(asJson(await passkeys.requestOptions({ kind: 'proof', subject: 'x' }, user.uuid))),
        new SoftwarePasskey(ORIGIN).get(asked),
        { ...passkey.get(asked), id: theirs.id, rawId: theirs.id },
        { ...passkey.get(asked), response: {} },
        passkey.get(asked, { counter: 0 }),
        ...EMBEDDED.map((client) => passkey.get(asked, { client })),
        'text',
        null,
      ]
      for (const attempt of attempts)
        await expect(signIn.signInWithPasskey(attempt, CLIENT)).rejects.toMatchObject({
          code: 'passkey_failed',
          status: 401,
        })
      const token = await challenge()
      await expect(
        signIn.verifySecondFactor({ challenge: token, passkey: theirs.get(await options(token)) }, CLIENT),
      ).rejects.toMatchObject({ code: 'passkey_failed' })
      const embedded = passkey.get(await options(token), { client: { crossOrigin: true } })
      await expect(
        signIn.verifySecondFactor({ challenge: token, passkey: embedded }, CLIENT),
      ).rejects.toMatchObject({ code: 'passkey_failed' })
      clock.ms += 5 * 60_000
      await expect(
        signIn.signInWithPasskey(passkey.get(asked, { counter: 99 }), CLIENT),
      ).rejects.toMatchObject({ code: 'passkey_failed' })
      const again = passkey.get(await options(), { counter: 100 })
      expect((await signIn.signInWithPasskey(again, CLIENT)).profile.email).toBe(user.email)
    })

    it('is stored only for its user, origin and challenge', async () => {
      const { passkeys, factors, user, add, allSent } = await setUp()
      const stranger = await setUp()
      const options = asJson(await passkeys.creationOptions(user))
      const passkey = new SoftwarePasskey(ORIGIN)
      for (const [owner, given] of [
        [user, passkey.create(options, { origin: 'https://evil.example' })],
        [user, passkey.create(options, { rpId: 'evil.example' })],
        [stranger.user, passkey.create(options)],
        [user, new SoftwarePasskey(ORIGIN, 1024).create(options)],
        [user, { id: 'x' }],
        ...EMBEDDED.map((client) => [user, passkey.create(options, { client })] as const),
      ] as const)
        await expect(passkeys.verifyNew(owner.uuid, 'Phone', given)).rejects.toMatchObject({ status: 422 })
      const response = passkey.create(options)
      const { recovery_codes } = await add('Phone', passkey, response)
      expect(recovery_codes).toHaveLength(10)
      await expect(add('Phone', passkey, response)).rejects.toMatchObject({ status: 422 })
      await expect(add('Phone', passkey)).rejects.toMatchObject({ code: 'passkey_present' })
      const second = await add('Laptop')
      expect(second.recovery_codes).toEqual([])
      expect((await factors.status(user.uuid)).passkeys.map(({ name }) => name)).toEqual(['Phone', 'Laptop'])
      expect((await allSent()).filter(({ text }) => text.includes('was added'))).toHaveLength(2)
    })

    it('recovery codes stay while there is another factor, and are removed with the last', async () => {
      const { factors, signIn, user, add, challenge } = await setUp()
      const first = await add('Phone')
      const second = await add('Laptop')
      const [code = ''] = first.recovery_codes
      await signIn.verifySecondFactor({ challenge: await challenge(), code }, CLIENT)
      await expect(factors.removePasskey(user.uuid, crypto.randomUUID())).rejects.toMatchObject({
        status: 404,
      })
      expect(await factors.removePasskey(user.uuid, first.uuid)).toMatchObject({
        recovery_codes_left: 9,
      })
      expect(await factors.removePasskey(user.uuid, second.uuid)).toMatchObject({
        passkeys: [],
        recovery_codes_left: 0,
      })
      await expect(factors.replaceRecoveryCodes(user.uuid)).rejects.toMatchObject({ code: 'factor_absent' })
      asSignedIn(await signIn.signIn({ email: user.email, password: PASSWORD }, CLIENT))
    })

    it('cannot be removed while it is the only way to sign in', async () => {
      const { accounts, factors, passkeys } = open()
      const user = await accounts.create({ email: newEmail(), password: null }, true)
      const add = async (idBytes?: number) => {
        const options = asJson(await passkeys.creationOptions(user))
        const response = new SoftwarePasskey(ORIGIN, idBytes).create(options)
        const { passkey } = await factors.addPasskey(await passkeys.verifyNew(user.uuid, 'Phone', response))
        return passkey.uuid
      }
      const [first, second] = [await add(), await add(1023)]
      await factors.removePasskey(user.uuid, first)
      await expect(factors.removePasskey(user.uuid, second)).rejects.toMatchObject({ code: 'last_way_in' })
      expect((await factors.status(user.uuid)).passkeys).toHaveLength(1)
    })

    it('of another address does not work, but the password alone is not enough either', async () => {
      const { db, factors, user, add } = await setUp()
      await add()
      await db.write(() =>
        db.sql
          .updateTable('passkeys')
          .set({ rp_id: 'old.example' })
          .where('user_uuid', '=', user.uuid)
          .execute(),
      )
      expect(await factors.methodsOf(user.uuid)).toEqual(['recovery'])
      expect(await factors.reset(user.uuid)).toBe(true)
      expect(await factors.methodsOf(user.uuid)).toEqual([])
    })
  })
})
