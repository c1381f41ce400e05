import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../runtime/times.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { CLIENT, newEmail, PASSWORD, testSignIn, tokenIn } from './sessions.testing.ts'

forEachDatabase((_engine, _open, databases) => {
  const setUp = testSignIn(databases)

  describe('signing in', () => {
    it('begins a session for the right password alone, and says the same of unknown accounts', async () => {
      const { signIn, newAccount } = setUp()
      const { email } = await newAccount()
      const { profile, cookie } = await signIn.signIn({ email, password: PASSWORD }, CLIENT)
      expect(profile).toMatchObject({ email })
      expect(cookie).toMatch(/^__Host-waymark=[\w-]{43};/)
      for (const tried of [
        { email, password: 'Wrong-horse-1' },
        { email: newEmail(), password: PASSWORD },
      ])
        await expect(signIn.signIn(tried, CLIENT)).rejects.toMatchObject({ code: 'sign_in_failed' })
    })

    it('tells a suspended account so, if the password is right', async () => {
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

    it('takes each email address once', async () => {
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
      await emails.resend(user.uuid)
      expect(await emails.status(user.uuid)).toMatchObject({ confirmed: false, pending_email: null })
      const [old, newest] = (await allSent()).map(tokenIn)
      clock.ms += DAY_MS - 1
      await expect(emails.confirm(old ?? '')).rejects.toMatchObject({ code: 'token_invalid' })
      await emails.confirm(newest ?? '')
      expect(await emails.status(user.uuid)).toMatchObject({ confirmed: true })
      await expect(emails.confirm(newest ?? '')).rejects.toMatchObject({ code: 'token_invalid' })
      await expect(emails.resend(user.uuid)).rejects.toMatchObject({ code: 'email_confirmed' })
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

    it('is corrected at once while it is unconfirmed, but not to that of another account', async () => {
      const { emails, users, newAccount } = setUp()
      const [user, other, next] = [await newAccount(false), await newAccount(), newEmail()]
      await expect(emails.change(user.uuid, other.email)).rejects.toMatchObject({ code: 'email_taken' })
      expect(await emails.change(user.uuid, next)).toMatchObject({ email: next, confirmed: false })
      expect((await users.find(user.uuid))?.email).toBe(next)
    })

    it('goes to the account that confirms it first', async () => {
      const { emails, newAccount, allSent } = setUp()
      const [first, second, next] = [await newAccount(), await newAccount(), newEmail()]
      for (const { uuid } of [first, second]) await emails.change(uuid, next)
      const tokens = (await allSent()).filter(({ to }) => to === next).map(tokenIn)
      await emails.confirm(tokens[1] ?? '')
      await expect(emails.confirm(tokens[0] ?? '')).rejects.toMatchObject({ code: 'email_taken' })
    })
  })
})
