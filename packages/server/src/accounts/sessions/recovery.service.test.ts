import { expect, it } from 'vitest'
import { HOUR_MS } from '../../work/times.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { CLIENT, newEmail, PASSWORD, testSignIn, tokenIn } from './sessions.testing.ts'

const NEW_PASSWORD = 'Another-horse-2'
const changed = { password: NEW_PASSWORD, confirm_password: NEW_PASSWORD }

forEachDatabase((_engine, _open, databases) => {
  const setUp = testSignIn(databases)
  const tokenOf = (url: string): string => new URL(url).searchParams.get('token') ?? ''

  it('mails a link to the owner of an account, and to no other address', async () => {
    const { recovery, newAccount, allSent } = setUp()
    const { email } = await newAccount()
    await recovery.forgotPassword(newEmail(), CLIENT)
    await recovery.forgotPassword(email, CLIENT)
    await recovery.forgotPassword(email, { ...CLIENT, acceptLanguage: 'it-IT,it;q=0.9,en;q=0.8' })
    const sent = await allSent()
    // In the language of each browser that requested it, in any order.
    expect(sent.map(({ to }) => to)).toEqual([email, email])
    expect(sent.map(({ subject }) => subject).toSorted()).toEqual([
      'Imposta una nuova password per Waymark',
      'Set a new password for Waymark',
    ])
    expect(await recovery.checkReset(tokenIn(sent[0]))).toEqual({ can_keep_keys: true })
  })

  it('sets the new password once, within an hour', async () => {
    const { clock, recovery, signIn, newAccount, ended } = setUp()
    const user = await newAccount()
    const link = await recovery.createResetLink(user)
    expect(link.expiresAtMs).toBe(clock.ms + HOUR_MS)
    const token = tokenOf(link.url)
    const late = tokenOf((await recovery.createResetLink(user)).url)
    await recovery.resetPassword({ token, ...changed })
    expect(ended).toEqual([[user.uuid, { session: undefined, keys: false }]])
    const { email } = user
    await expect(signIn.signIn({ email, password: PASSWORD }, CLIENT)).rejects.toMatchObject({
      code: 'sign_in_failed',
    })
    expect(await signIn.signIn({ email, password: NEW_PASSWORD }, CLIENT)).toMatchObject({
      profile: { email },
    })
    // The reset invalidates every other link as well.
    for (const used of [token, late, 'never given'])
      await expect(recovery.resetPassword({ token: used, ...changed })).rejects.toMatchObject({
        code: 'token_invalid',
      })
  })

  it('rejects a link after its hour', async () => {
    const { clock, recovery, newAccount } = setUp()
    const token = tokenOf((await recovery.createResetLink(await newAccount())).url)
    clock.ms += HOUR_MS
    await expect(recovery.checkReset(token)).rejects.toMatchObject({ code: 'token_invalid' })
    await expect(recovery.resetPassword({ token, ...changed })).rejects.toMatchObject({
      code: 'token_invalid',
    })
  })

  it('mails one recipient at most three links an hour, with the same response afterwards', async () => {
    const { recovery, newAccount, allSent } = setUp()
    const { email } = await newAccount()
    for (let n = 0; n < 8; n++)
      await recovery.forgotPassword(email, { address: `192.0.2.${100 + n}`, userAgent: undefined })
    expect(await allSent()).toHaveLength(3)
  })

  it('sends at most thirty mails an hour for one client address', async () => {
    const { recovery } = setUp()
    const client = { address: '192.0.2.99', userAgent: undefined }
    for (let n = 0; n < 30; n++) await recovery.forgotPassword(newEmail(), client)
    await expect(recovery.forgotPassword(newEmail(), client)).rejects.toMatchObject({ status: 429 })
  })

  it('keeps keys on request, but only if the address was confirmed before', async () => {
    const { recovery, users, newAccount, ended, allSent } = setUp()
    const [confirmed, stranger] = [await newAccount(), await newAccount(false)]
    for (const user of [confirmed, stranger]) {
      const token = tokenOf((await recovery.createResetLink(user)).url)
      expect(await recovery.checkReset(token)).toEqual({ can_keep_keys: user === confirmed })
      await recovery.resetPassword({ token, ...changed, keep_keys: true })
    }
    expect(ended.map(([uuid, { keys }]) => [uuid, keys])).toEqual([
      [confirmed.uuid, true],
      [stranger.uuid, false],
    ])
    expect((await users.find(stranger.uuid))?.confirmed_at).not.toBe(null)
    expect((await allSent()).map(({ to, subject }) => [to, subject])).toEqual(
      [confirmed, stranger].map(({ email }) => [email, 'Your Waymark password was changed']),
    )
  })
})
