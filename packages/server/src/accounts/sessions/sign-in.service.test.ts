import { describe, expect, it } from 'vitest'
import type { AppError } from '../../net/errors.ts'
import { DAY_MS, HOUR_MS } from '../../work/times.ts'
import { signedIn } from '../../modules/testing.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { hashPassword, takePasswordTry } from '../users/passwords.ts'
import { asSignedIn, CLIENT, newEmail, PASSWORD, testSignIn, tokenIn } from './sessions.testing.ts'

forEachDatabase((_engine, _open, databases) => {
  const setUp = testSignIn(databases)

  describe('signing in', () => {
    it('starts a session only with the right password, with the same error for unknown accounts', async () => {
      const { signIn, newAccount } = setUp()
      const { email } = await newAccount()
      const { profile, cookies } = asSignedIn(await signIn.signIn({ email, password: PASSWORD }, CLIENT))
      expect(profile).toMatchObject({ email })
      expect(cookies).toEqual([
        expect.stringMatching(/^__Host-waymark=[\w-]{43};/),
        expect.stringMatching(/^__Host-waymark-browser=[\w-]{22}\.[0-9a-f]{64};.*HttpOnly/),
      ])
      for (const tried of [
        { email, password: 'Wrong-horse-1' },
        { email: newEmail(), password: PASSWORD },
      ])
        await expect(signIn.signIn(tried, CLIENT)).rejects.toMatchObject({ code: 'sign_in_failed' })
    })

    it('starts no session with a password that is changed meanwhile', async () => {
      const { signIn, accounts, modules, newAccount } = setUp()
      const { uuid, email } = await newAccount()
      const hash = await hashPassword('Another-horse-2')
      const late = signIn.signIn({ email, password: PASSWORD }, CLIENT)
      const outcome = expect(late).rejects.toMatchObject({ code: 'sign_in_failed' })
      await accounts.setPassword(uuid, hash, { session: undefined, keys: true }, 'change')
      await outcome
      expect(await modules.sessions.service.list(signedIn(uuid))).toEqual([])
    })

    it('mails the owner only about browsers that were not used before', async () => {
      const { signIn, newAccount, allSent } = setUp()
      const { email } = await newAccount()
      const { cookies } = asSignedIn(await signIn.signIn({ email, password: PASSWORD }, CLIENT))
      const browserToken = /^[^=]+=([^;]+)/.exec(cookies[1] ?? '')?.[1] ?? ''
      asSignedIn(await signIn.signIn({ email, password: PASSWORD }, { ...CLIENT, browserToken }))
      await signIn.signUp({ email: newEmail(), password: PASSWORD }, CLIENT)
      const told = (await allSent()).filter(({ subject }) => subject.startsWith('A new browser'))
      expect(told.map(({ to, text }) => [to, text.includes('A browser')])).toEqual([[email, true]])
    })

    it('recognises a browser that several accounts use', async () => {
      const { signIn, newAccount, allSent } = setUp()
      const accounts = [await newAccount(), await newAccount()]
      let browserToken: string | undefined
      for (const { email } of [...accounts, ...accounts, ...accounts]) {
        const client = { ...CLIENT, browserToken }
        const { cookies } = asSignedIn(await signIn.signIn({ email, password: PASSWORD }, client))
        browserToken = /^[^=]+=([^;]+)/.exec(cookies[1] ?? '')?.[1] ?? ''
      }
      expect(browserToken?.split('~')).toHaveLength(2)
      const told = (await allSent()).filter(({ subject }) => subject.startsWith('A new browser'))
      expect(told.map(({ to }) => to)).toEqual(accounts.map(({ email }) => email))
      // But only for a limited number of accounts.
      for (let n = 0; n < 6; n++) {
        const client = { ...CLIENT, browserToken }
        const { cookies } = await signIn.signUp({ email: newEmail(), password: PASSWORD }, client)
        browserToken = /^[^=]+=([^;]+)/.exec(cookies[1] ?? '')?.[1] ?? ''
      }
      expect(browserToken?.split('~')).toHaveLength(5)
    })

    it('records sign-ins, hourly counts of failed ones, and notices to the owner', async () => {
      const { signIn, accounts, newAccount, allSent, events, clock, modules } = setUp()
      const { uuid, email } = await newAccount()
      const client = { ...CLIENT, userAgent: 'Firefox' }
      clock.ms = Math.ceil(clock.ms / HOUR_MS) * HOUR_MS
      for (const password of ['Wrong-horse-1', 'Wrong-horse-2'])
        await signIn.signIn({ email, password }, client).catch(() => undefined)
      clock.ms += 1_000
      asSignedIn(await signIn.signIn({ email, password: PASSWORD }, client))
      const caller = { kind: 'session', uuid: '', userUuid: uuid, workspaceUuid: uuid } as const
      expect(await modules.sessions.service.list(caller)).toMatchObject([{ country: 'DE' }])
      clock.ms += 1_000
      const hash = await hashPassword('Another-horse-2')
      await accounts.setPassword(uuid, hash, { session: undefined, keys: true }, 'change')
      await allSent()
      const listed = await events.list(uuid)
      expect(listed.map(({ kind, detail, country, count }) => [kind, detail, country, count])).toEqual([
        ['password_changed', null, null, 1],
        ['sign_in', 'password', 'DE', 1],
        ['sign_in_refused', null, null, 2],
      ])
      expect(listed[1]).toMatchObject({ user_agent: 'Firefox', created_at: expect.any(String) })
      clock.ms += 91 * DAY_MS
      await events.sweep()
      expect(await events.list(uuid)).toEqual([])
    })

    it('accepts a browser that has signed in before while strangers guess at the account', async () => {
      const { signIn, accounts, limits, newAccount } = setUp()
      const { uuid, email } = await newAccount()
      const browserOf = async (password: string, browserToken?: string) => {
        const { cookies } = asSignedIn(await signIn.signIn({ email, password }, { ...CLIENT, browserToken }))
        return /^[^=]+=([^;]+)/.exec(cookies[1] ?? '')?.[1] ?? ''
      }
      const browser = await browserOf(PASSWORD)
      const stranger = (n: number) => ({ address: `2001:db8:0:${n.toString(16)}::1`, userAgent: undefined })
      const outcomes: string[] = []
      // Most of them without hashing, which takes a hundred times longer.
      for (let n = 0; n < 96; n++) await takePasswordTry(limits, { account: email, ...stranger(n) })
      for (let n = 96; n < 104; n++)
        await signIn
          .signIn({ email, password: 'Wrong-horse-1' }, stranger(n))
          .catch(({ code }: AppError) => outcomes.push(code))
      expect(outcomes.filter((code) => code === 'sign_in_failed')).toHaveLength(4)
      expect(outcomes.filter((code) => code === 'rate_limited')).toHaveLength(4)
      await expect(signIn.signIn({ email, password: PASSWORD }, CLIENT)).rejects.toMatchObject({
        status: 429,
      })
      expect((await browserOf(PASSWORD, browser)).split('.')[0]).toBe(browser.split('.')[0])
      // The cookie of another account does not help either.
      const other = await newAccount()
      const { cookies } = asSignedIn(await signIn.signIn({ email: other.email, password: PASSWORD }, CLIENT))
      const foreign = /^[^=]+=([^;]+)/.exec(cookies[1] ?? '')?.[1] ?? ''
      await expect(browserOf(PASSWORD, foreign)).rejects.toMatchObject({ status: 429 })
      // A new password invalidates cookies of known browsers.
      const hash = await hashPassword('Another-horse-2')
      await accounts.setPassword(uuid, hash, { session: undefined, keys: true }, 'change')
      await expect(browserOf('Another-horse-2', browser)).rejects.toMatchObject({ status: 429 })
    })

    it('reports that an account is suspended, if the password is right', async () => {
      const { signIn, newAccount, suspended } = setUp()
      const { uuid, email } = await newAccount()
      suspended.add(uuid)
      await expect(signIn.signIn({ email, password: PASSWORD }, CLIENT)).rejects.toMatchObject({
        code: 'account_suspended',
      })
      await expect(signIn.signIn({ email, password: 'Wrong-horse-1' }, CLIENT)).rejects.toMatchObject({
        code: 'sign_in_failed',
      })
    })

    it('accepts each email address once', async () => {
      const { signIn } = setUp()
      const input = { email: newEmail(), password: PASSWORD }
      expect(await signIn.signUp(input, CLIENT)).toMatchObject({ profile: { email: input.email } })
      await expect(signIn.signUp(input, CLIENT)).rejects.toMatchObject({
        code: 'email_taken',
        errors: { email: ['This email is taken'] },
      })
    })
  })

  describe('an email address', () => {
    it('is confirmed by the newest link, once, within a day', async () => {
      const { clock, emails, newAccount, allSent } = setUp()
      const user = await newAccount(false)
      await emails.begin(user)
      await emails.resend(await emails.admitResend(user.uuid))
      expect(await emails.status(user.uuid)).toMatchObject({ confirmed: false, pending_email: null })
      const [old, newest] = (await allSent()).map(tokenIn)
      clock.ms += DAY_MS - 1
      await expect(emails.confirm(old ?? '')).rejects.toMatchObject({ code: 'token_invalid' })
      await emails.confirm(newest ?? '')
      expect(await emails.status(user.uuid)).toMatchObject({ confirmed: true })
      await expect(emails.confirm(newest ?? '')).rejects.toMatchObject({ code: 'token_invalid' })
      await expect(emails.admitResend(user.uuid)).rejects.toMatchObject({ code: 'email_confirmed' })
    })

    it('is not confirmed a day later', async () => {
      const { clock, emails, newAccount, allSent } = setUp()
      await emails.begin(await newAccount(false))
      const [token] = (await allSent()).map(tokenIn)
      clock.ms += DAY_MS
      await expect(emails.confirm(token ?? '')).rejects.toMatchObject({ code: 'token_invalid' })
    })

    it('stays until the new one is confirmed, and the old one is notified', async () => {
      const { emails, users, newAccount, allSent } = setUp()
      const [user, next] = [await newAccount(), newEmail()]
      expect(await emails.change(user.uuid, next)).toEqual({
        email: user.email,
        confirmed: true,
        pending_email: next,
      })
      const sent = await allSent()
      expect(sent.map(({ to }) => to).sort()).toEqual([user.email, next].sort())
      await emails.confirm(tokenIn(sent.find(({ to }) => to === next)))
      expect((await users.find(user.uuid))?.email).toBe(next)
    })

    it('a pending change can be cancelled from the old address, also after the mail was sent again', async () => {
      const { emails, newAccount, allSent } = setUp()
      const [user, next] = [await newAccount(), newEmail()]
      await emails.change(user.uuid, next)
      await emails.resend(await emails.admitResend(user.uuid))
      const sent = await allSent()
      expect(sent.map(({ to }) => to).sort()).toEqual([user.email, next, next].sort())
      const toOld = sent.find(({ to }) => to === user.email)
      expect(toOld?.text).toContain('/cancel-email-change?token=')
      for (const mail of sent.filter(({ to }) => to === next))
        await expect(emails.cancelChange(tokenIn(mail))).rejects.toMatchObject({ code: 'token_invalid' })
      await emails.cancelChange(tokenIn(toOld))
      expect(await emails.status(user.uuid)).toMatchObject({ email: user.email, pending_email: null })
      await expect(emails.confirm(tokenIn(sent.at(-1)))).rejects.toMatchObject({ code: 'token_invalid' })
    })

    it('can be changed at most three times an hour', async () => {
      const { emails, newAccount } = setUp()
      const { uuid } = await newAccount()
      const change = () =>
        emails.admitChange(uuid, newEmail(), { address: '192.0.2.77', userAgent: undefined })
      for (let n = 0; n < 3; n++) await change()
      await expect(change()).rejects.toMatchObject({ status: 429 })
    })

    it('can be corrected immediately while unconfirmed, but not to that of another account', async () => {
      const { emails, users, newAccount } = setUp()
      const [user, other, next] = [await newAccount(false), await newAccount(), newEmail()]
      await expect(emails.admitChange(user.uuid, other.email, CLIENT)).rejects.toMatchObject({
        code: 'email_taken',
      })
      expect(await emails.change(user.uuid, next)).toMatchObject({ email: next, confirmed: false })
      expect((await users.find(user.uuid))?.email).toBe(next)
    })

    it('belongs to the account that confirms it first', async () => {
      const { emails, newAccount, allSent } = setUp()
      const [first, second, next] = [await newAccount(), await newAccount(), newEmail()]
      for (const { uuid } of [first, second]) await emails.change(uuid, next)
      const tokens = (await allSent()).filter(({ to }) => to === next).map(tokenIn)
      await emails.confirm(tokens[1] ?? '')
      await expect(emails.confirm(tokens[0] ?? '')).rejects.toMatchObject({ code: 'email_taken' })
    })
  })
})
