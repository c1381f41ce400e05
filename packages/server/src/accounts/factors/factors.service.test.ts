import { generateSync } from 'otplib'
import { describe, expect, it } from 'vitest'
import type { AppError } from '../../net/errors.ts'
import type { Mail } from '../../net/mail.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { DAY_MS, HOUR_MS } from '../../work/times.ts'
import { hashPassword } from '../users/passwords.ts'
import { createFactorStore } from './factors.store.ts'
import { asSignedIn, CLIENT, PASSWORD, testSignIn, tokenIn } from '../sessions/sessions.testing.ts'

const STEP_MS = 30_000
/** Mails except those about browsers that signed in. */
const changesIn = (mails: readonly Mail[]): Mail[] =>
  mails.filter(({ subject }) => subject.includes('second factor'))
const codeAt = (secret: string, ms: number): string => generateSync({ secret, epoch: Math.floor(ms / 1000) })
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

forEachDatabase((_engine, _open, databases) => {
  const open = testSignIn(databases)

  /** An account with an authenticator app, one step after it was confirmed. */
  const setUp = async () => {
    const parts = open()
    const { clock, factors, signIn, newAccount } = parts
    // Tries are counted by hour: no test crosses into the next one.
    clock.ms = Math.ceil(clock.ms / HOUR_MS) * HOUR_MS
    const { uuid, email } = await newAccount()
    const { secret } = await factors.setUpTotp(uuid)
    const { recovery_codes } = await factors.confirmTotp(uuid, codeAt(secret, clock.ms))
    clock.ms += STEP_MS
    const challenge = async (client = CLIENT): Promise<string> => {
      const outcome = await signIn.signIn({ email, password: PASSWORD }, client)
      return 'challenge' in outcome ? outcome.challenge : ''
    }
    const code = (ms = clock.ms): string => codeAt(secret, ms)
    return { ...parts, uuid, email, secret, recovery_codes, challenge, code }
  }

  describe('an authenticator app', () => {
    it('is enabled by its first code', async () => {
      const { clock, factors, signIn, newAccount, allSent } = open()
      const { uuid, email } = await newAccount()
      await expect(factors.confirmTotp(uuid, '123456')).rejects.toMatchObject({ code: 'totp_absent' })
      const replaced = await factors.setUpTotp(uuid)
      const { secret, otpauth_url } = await factors.setUpTotp(uuid)
      expect(otpauth_url).toBe(
        `otpauth://totp/Waymark:${encodeURIComponent(email)}?secret=${secret}&issuer=Waymark`,
      )
      for (const code of [
        wrong(codeAt(secret, clock.ms)),
        codeAt(replaced.secret, clock.ms),
        'x',
        '12345678',
      ])
        await expect(factors.confirmTotp(uuid, code)).rejects.toMatchObject({ status: 422 })
      expect(await factors.status(uuid)).toMatchObject({
        totp: false,
        totp_since: null,
        recovery_codes_left: 0,
      })
      asSignedIn(await signIn.signIn({ email, password: PASSWORD }, CLIENT))
      const { recovery_codes } = await factors.confirmTotp(uuid, codeAt(secret, clock.ms))
      expect(new Set(recovery_codes).size).toBe(10)
      for (const each of recovery_codes) expect(each).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
      expect(await factors.status(uuid)).toMatchObject({ totp: true, recovery_codes_left: 10 })
      await expect(factors.setUpTotp(uuid)).rejects.toMatchObject({ code: 'totp_present' })
      expect(changesIn(await allSent()).map(({ to }) => to)).toEqual([email])
    })

    it('completes a sign-in with a code of this step or an adjacent one, each code once', async () => {
      const { clock, signIn, email, challenge, code } = await setUp()
      const verify = async (typed: string) =>
        signIn.verifySecondFactor({ challenge: await challenge(), code: typed }, CLIENT)
      clock.ms += 10 * STEP_MS
      for (const typed of [code(clock.ms - 2 * STEP_MS), code(clock.ms + 2 * STEP_MS), 'abcdef', ''])
        await expect(verify(typed)).rejects.toMatchObject({ code: 'second_factor_failed', status: 401 })
      const before = code(clock.ms - STEP_MS)
      expect((await verify(before)).profile).toMatchObject({ email })
      await expect(verify(before)).rejects.toMatchObject({ code: 'second_factor_failed' })
      await verify(`${code().slice(0, 3)} ${code().slice(3)}`)
      await verify(code(clock.ms + STEP_MS))
      // A code older than one that was used.
      await expect(verify(code())).rejects.toMatchObject({ code: 'second_factor_failed' })
    })

    it('accepts one of two concurrent requests with the same code', async () => {
      const { signIn, challenge, code } = await setUp()
      const challenges = [await challenge(), await challenge(), await challenge(), await challenge()]
      const outcomes = await Promise.allSettled(
        challenges.map((each) => signIn.verifySecondFactor({ challenge: each, code: code() }, CLIENT)),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    it('is removed with the recovery codes, and the owner is notified', async () => {
      const { factors, signIn, uuid, email, allSent } = await setUp()
      await factors.removeTotp(uuid)
      expect(await factors.status(uuid)).toMatchObject({
        totp: false,
        totp_since: null,
        recovery_codes_left: 0,
      })
      asSignedIn(await signIn.signIn({ email, password: PASSWORD }, CLIENT))
      await expect(factors.removeTotp(uuid)).rejects.toMatchObject({ code: 'totp_absent' })
      await expect(factors.replaceRecoveryCodes(uuid)).rejects.toMatchObject({ code: 'factor_absent' })
      expect(changesIn(await allSent()).at(-1)?.text).toContain('was removed')
    })
  })

  describe('a challenge', () => {
    it('is used up only by the sign-in that it completes', async () => {
      const { clock, signIn, challenge, code } = await setUp()
      const token = await challenge()
      const verify = (typed: string) => signIn.verifySecondFactor({ challenge: token, code: typed }, CLIENT)
      await expect(verify(wrong(code()))).rejects.toMatchObject({ code: 'second_factor_failed' })
      await verify(code())
      clock.ms += STEP_MS
      await expect(verify(code())).rejects.toMatchObject({ code: 'challenge_invalid', status: 401 })
    })

    it('expires after five minutes', async () => {
      const { clock, factors, signIn, challenge, code } = await setUp()
      const token = await challenge()
      clock.ms += 5 * 60_000
      await expect(
        signIn.verifySecondFactor({ challenge: token, code: code() }, CLIENT),
      ).rejects.toMatchObject({ code: 'challenge_invalid' })
      await factors.sweep()
    })

    it('does not begin with a password that is changed meanwhile', async () => {
      const { accounts, signIn, uuid, email } = await setUp()
      const hash = await hashPassword('Another-horse-2')
      const late = signIn.signIn({ email, password: PASSWORD }, CLIENT)
      const outcome = expect(late).rejects.toMatchObject({ code: 'sign_in_failed' })
      await accounts.setPassword(uuid, hash, { session: undefined, keys: true }, 'change')
      await outcome
    })

    it('ends with a new password, which keeps the factor', async () => {
      const { accounts, factors, recovery, signIn, users, uuid, email, challenge, code, allSent } =
        await setUp()
      const token = await challenge()
      const hash = await hashPassword('Another-horse-2')
      await accounts.setPassword(uuid, hash, { session: undefined, keys: true }, 'change')
      await expect(
        signIn.verifySecondFactor({ challenge: token, code: code() }, CLIENT),
      ).rejects.toMatchObject({ code: 'challenge_invalid' })
      const user = await users.find(uuid)
      if (user === undefined) throw new Error('The user is gone')
      const { url } = await recovery.createResetLink(user)
      await recovery.resetPassword({
        token: tokenIn({ to: '', subject: '', text: url }),
        password: PASSWORD,
        confirm_password: PASSWORD,
      })
      expect(await factors.status(uuid)).toMatchObject({ totp: true, recovery_codes_left: 10 })
      expect(await signIn.signIn({ email, password: PASSWORD }, CLIENT)).toHaveProperty('challenge')
      await allSent()
    })
  })

  it('is recorded with the first step of the sign-in', async () => {
    const { clock, signIn, factors, events, uuid, recovery_codes, challenge, code } = await setUp()
    const enter = async (token: string, typed: string): Promise<void> => {
      clock.ms += STEP_MS
      await signIn.verifySecondFactor({ challenge: token, code: typed }, CLIENT)
    }
    await enter(await challenge(), code(clock.ms + STEP_MS))
    const link = await signIn.signInWithLink((await factors.createLink(uuid)).token, CLIENT)
    await enter('challenge' in link ? link.challenge : '', recovery_codes[0] ?? '')
    const signIns = (await events.list(uuid)).filter(({ kind }) => kind === 'sign_in')
    expect(signIns.map(({ detail }) => detail)).toEqual(['link+recovery', 'password+totp'])
  })

  describe('recovery codes', () => {
    it('each complete one sign-in, in any spelling', async () => {
      const { factors, signIn, uuid, recovery_codes, challenge, allSent } = await setUp()
      const [first = '', second = ''] = recovery_codes
      const verify = async (typed: string) =>
        signIn.verifySecondFactor({ challenge: await challenge(), code: typed }, CLIENT)
      await verify(first)
      await expect(verify(first)).rejects.toMatchObject({ code: 'second_factor_failed' })
      await verify(second.toUpperCase().replaceAll('-', ' '))
      expect(await factors.status(uuid)).toMatchObject({ recovery_codes_left: 8 })
      expect((await allSent()).filter(({ text }) => text.includes('8 are left'))).toHaveLength(1)
    })

    it('are all replaced together', async () => {
      const { factors, uuid, recovery_codes } = await setUp()
      const replaced = await factors.replaceRecoveryCodes(uuid)
      expect(await factors.useCode(uuid, recovery_codes[0] ?? '')).toBe(false)
      expect(await factors.useCode(uuid, replaced.recovery_codes[0] ?? '')).toBe(true)
    })

    it('of one account do not work for another', async () => {
      const [{ recovery_codes }, other] = [await setUp(), await setUp()]
      expect(await other.factors.useCode(other.uuid, recovery_codes[0] ?? '')).toBe(false)
    })
  })

  it('limits guesses from many addresses without locking out a browser that signed in before', async () => {
    const { clock, signIn, recovery_codes, challenge, code } = await setUp()
    const known = await signIn.verifySecondFactor(
      { challenge: await challenge(), code: recovery_codes[0] ?? '' },
      CLIENT,
    )
    const browserToken = /^[^=]+=([^;]+)/.exec(known.cookies[1] ?? '')?.[1] ?? ''
    const token = await challenge()
    const outcomes: string[] = []
    for (let n = 0; n < 14; n++)
      await signIn
        .verifySecondFactor(
          { challenge: token, code: wrong(code()) },
          { address: `2001:db8:1:${n.toString(16)}::1`, userAgent: undefined },
        )
        .catch(({ code: outcome }: AppError) => outcomes.push(outcome))
    expect(outcomes.filter((outcome) => outcome === 'second_factor_failed')).toHaveLength(10)
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(4)
    clock.ms += STEP_MS
    // The right code is rejected as well, from any other browser.
    await expect(signIn.verifySecondFactor({ challenge: token, code: code() }, CLIENT)).rejects.toMatchObject(
      { status: 429 },
    )
    const elsewhere = { challenge: await challenge(), code: recovery_codes[1] ?? '' }
    await signIn.verifySecondFactor(elsewhere, { address: '2001:db8:2::1', userAgent: undefined })
    const own = { ...CLIENT, browserToken }
    await signIn.verifySecondFactor({ challenge: await challenge(own), code: code() }, own)
  })

  it('all addresses share ten wrong codes an hour and thirty a day, in all processes together', async () => {
    const { clock, factors, uuid, newAccount } = await setUp()
    // Without Redis each process has its own counts of requests.
    const another = open()
    let networks = 0
    const tryCode = () => {
      const address = `2001:db8:0:${(++networks).toString(16)}::1`
      const by = { userUuid: uuid, trier: 'stranger', address } as const
      another.clock.ms = clock.ms
      return (networks % 2 === 0 ? factors : another.factors).takeTry(by, '000000')
    }
    const rejected = { status: 429, headers: { 'retry-after': expect.any(String) as string } }
    clock.ms = Math.ceil(clock.ms / DAY_MS) * DAY_MS
    const accepted: number[] = []
    for (let hour = 0; hour < 24; hour++) {
      const tries = await Promise.allSettled(Array.from({ length: 15 }, tryCode))
      accepted.push(tries.filter(({ status }) => status === 'fulfilled').length)
      clock.ms += HOUR_MS
    }
    expect(accepted.slice(0, 4)).toEqual([10, 10, 10, 0])
    expect(accepted.reduce((sum, count) => sum + count)).toBe(30)
    clock.ms -= HOUR_MS
    await expect(tryCode()).rejects.toMatchObject(rejected)
    // Recovery codes from anywhere, and known browsers and sessions of the owner, whose right codes do not count.
    const address = '192.0.2.1'
    await factors.takeTry({ userUuid: uuid, trier: 'stranger', address }, 'aaaa-aaaa-aaaa-aaaa')
    for (const trier of ['known_browser', 'session'] as const)
      for (let n = 0; n < 15; n++) await (await factors.takeTry({ userUuid: uuid, trier }, '000000'))()
    const other = await newAccount()
    await factors.takeTry({ userUuid: other.uuid, trier: 'stranger', address }, '000000')
    clock.ms += HOUR_MS
    await tryCode()
  })

  it('has one count of guesses for all known browsers, including those known by a password reset', async () => {
    const { signIn, recovery, users, uuid, email, code, recovery_codes } = await setUp()
    const outcomes: string[] = []
    let own = CLIENT
    let password = PASSWORD
    for (let n = 0; n < 3; n++) {
      const user = await users.find(uuid)
      if (user === undefined) throw new Error('The user is gone')
      const token = tokenIn({ to: '', subject: '', text: (await recovery.createResetLink(user)).url })
      password = `Another-horse-${n}`
      const { cookie } = await recovery.resetPassword({ token, password, confirm_password: password })
      own = { ...CLIENT, browserToken: /^[^=]+=([^;]+)/.exec(cookie)?.[1] ?? '' } as typeof CLIENT
      const outcome = await signIn.signIn({ email, password }, own)
      for (let guesses = 0; guesses < 5; guesses++)
        await signIn
          .verifySecondFactor(
            { challenge: 'challenge' in outcome ? outcome.challenge : '', code: wrong(code()) },
            own,
          )
          .catch(({ code: rejection }: AppError) => outcomes.push(rejection))
    }
    expect(outcomes.filter((outcome) => outcome === 'second_factor_failed')).toHaveLength(10)
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(5)
    // Recovery codes, which cannot be guessed, let the owner in.
    const outcome = await signIn.signIn({ email, password }, own)
    const challenge = 'challenge' in outcome ? outcome.challenge : ''
    await signIn.verifySecondFactor({ challenge, code: recovery_codes[0] ?? '' }, own)
  })

  it('is removed by an operator, and the owner is notified', async () => {
    const { factors, signIn, uuid, email, allSent } = await setUp()
    expect([await factors.reset(uuid), await factors.reset(uuid)]).toEqual([true, false])
    asSignedIn(await signIn.signIn({ email, password: PASSWORD }, CLIENT))
    expect(changesIn(await allSent()).at(-1)?.text).toContain('operator')
  })

  it('keeps the secret sealed', async () => {
    const { db, uuid, secret, recovery_codes } = await setUp()
    const rows = JSON.stringify([
      await createFactorStore(db).findTotp(uuid),
      await db.sql.selectFrom('recovery_codes').selectAll().where('user_uuid', '=', uuid).execute(),
    ])
    expect(rows).toContain(uuid)
    for (const text of [secret, ...recovery_codes, ...recovery_codes.map((each) => each.replaceAll('-', ''))])
      expect(rows).not.toContain(text)
  })
})
