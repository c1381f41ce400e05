import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from './support/mailbox.ts'
import { newEmail, PASSWORD, Visitor } from './support/visitors.ts'
import { startWaymark, type Waymark } from './support/waymark.ts'

/*
 * Someone who knows the password of an account, or sits at its open session, prepares to take it over. Whatever they
 * prepared ends when the owner changes or resets the password.
 */

const NEXT = 'Another-horse-2'

describe('someone who prepares to take an account over', () => {
  let waymark: Waymark
  let mailbox: Mailbox
  let addresses = 20
  const newVisitor = (): Visitor => new Visitor(waymark, `127.0.0.${++addresses}`)
  beforeAll(async () => {
    mailbox = await openMailbox()
    waymark = await startWaymark({ SMTP_URL: mailbox.url })
  })
  afterAll(async () => {
    await waymark?.stop()
    await mailbox?.close()
  })

  const mailsTo = (email: string): string[] => mailbox.mails.filter((mail) => mail.includes(`To: ${email}`))
  const tokensTo = (email: string, path: string): string[] =>
    mailsTo(email).flatMap((mail) => new RegExp(`/${path}\\?token=([\\w-]+)`).exec(mail)?.[1] ?? [])
  const tokenTo = async (email: string, path: string): Promise<string> => {
    await expect.poll(() => tokensTo(email, path).length).toBeGreaterThan(0)
    return tokensTo(email, path).at(-1) ?? ''
  }
  const owner = async () => {
    const [visitor, email] = [newVisitor(), newEmail()]
    expect((await visitor.signUp(email)).status).toBe(201)
    const token = await tokenTo(email, 'confirm-email')
    expect((await newVisitor().post('/v1/confirm-email', { token })).status).toBe(200)
    return { visitor, email }
  }
  /** A change of address that only its confirmation is missing of. */
  const preparedBy = async (intruder: Visitor): Promise<{ address: string; token: string }> => {
    const address = newEmail()
    const asked = await intruder.post('/v1/change-email', { email: address, password: PASSWORD })
    expect([asked.status, asked.body.data?.pending_email]).toEqual([200, address])
    return { address, token: await tokenTo(address, 'confirm-email') }
  }
  const intruderAt = async (email: string): Promise<Visitor> => {
    const intruder = newVisitor()
    expect((await intruder.signIn(email)).status).toBe(200)
    return intruder
  }
  const resetLinkOf = async (email: string): Promise<string> => {
    const before = tokensTo(email, 'reset-password').length
    await newVisitor().post('/v1/forgot-password', { email })
    await expect.poll(() => tokensTo(email, 'reset-password').length).toBeGreaterThan(before)
    return tokensTo(email, 'reset-password').at(-1) ?? ''
  }
  const reset = (token: string, password = NEXT) =>
    newVisitor().post('/v1/reset-password', { token, password, confirm_password: password, keep_keys: true })
  const changePassword = (visitor: Visitor) =>
    visitor.post('/v1/update-password', { old_password: PASSWORD, password: NEXT, confirm_password: NEXT })
  const expectOwnedBy = async (email: string): Promise<void> => {
    const visitor = newVisitor()
    expect((await visitor.signIn(email, NEXT)).status).toBe(200)
    expect((await visitor.get('/v1/email-status')).body.data).toEqual({
      email,
      confirmed: true,
      pending_email: null,
    })
  }

  it('a change of address that waits ends with a password reset', async () => {
    const { email } = await owner()
    const { token } = await preparedBy(await intruderAt(email))
    expect((await reset(await resetLinkOf(email))).status).toBe(200)
    expect((await newVisitor().post('/v1/confirm-email', { token })).status).toBe(422)
    await expectOwnedBy(email)
  })

  it('a change of address that waits ends with a password change', async () => {
    const { visitor, email } = await owner()
    const { token } = await preparedBy(await intruderAt(email))
    expect((await changePassword(visitor)).status).toBe(200)
    expect((await newVisitor().post('/v1/confirm-email', { token })).status).toBe(422)
    await expectOwnedBy(email)
  })

  it('mailed reset links end with a password change and with a change of address', async () => {
    const { visitor, email } = await owner()
    const token = await resetLinkOf(email)
    expect((await changePassword(visitor)).status).toBe(200)
    expect((await reset(token, 'Third-horse-3')).status).toBe(422)
    await expectOwnedBy(email)

    const mover = await owner()
    const mailed = await resetLinkOf(mover.email)
    const { address, token: confirmation } = await preparedBy(mover.visitor)
    expect((await newVisitor().post('/v1/confirm-email', { token: confirmation })).status).toBe(200)
    expect((await reset(mailed)).status).toBe(422)
    expect((await newVisitor().signIn(address)).status).toBe(200)
  })

  it('a wrong password cannot change the address', async () => {
    const { visitor, email } = await owner()
    const next = newEmail()
    // A session without a recent proof and without the password: second-factor.test.ts.
    const answer = await visitor.post('/v1/change-email', { email: next, password: 'Wrong-horse-1' })
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { password: ['This is not the current password'] },
    ])
    const both = await visitor.post('/v1/change-email', { email: 'nobody', password: 'Wrong-horse-1' })
    expect([both.status, Object.keys(both.body.errors).sort()]).toEqual([422, ['email', 'password']])
    expect((await visitor.get('/v1/email-status')).body.data).toMatchObject({ email, pending_email: null })
  })

  it('the old address gets a link that cancels the change, and a mail when it is done', async () => {
    const { visitor, email } = await owner()
    const { address, token } = await preparedBy(visitor)
    const cancel = await tokenTo(email, 'cancel-email-change')
    expect(mailsTo(address).join()).not.toContain(cancel)
    const forged = await newVisitor().post('/v1/cancel-email-change', { token })
    expect(forged.status).toBe(422)
    expect((await newVisitor().post('/v1/cancel-email-change', { token: cancel })).status).toBe(200)
    expect((await newVisitor().post('/v1/confirm-email', { token })).status).toBe(422)
    expect((await newVisitor().post('/v1/cancel-email-change', { token: cancel })).status).toBe(422)
    expect((await visitor.get('/v1/email-status')).body.data).toMatchObject({ email, pending_email: null })

    const again = await preparedBy(visitor)
    expect(mailsTo(email).filter((mail) => mail.includes('is now'))).toEqual([])
    expect((await newVisitor().post('/v1/confirm-email', { token: again.token })).status).toBe(200)
    await expect
      .poll(() => mailsTo(email).filter((mail) => mail.includes(`is now ${again.address}`)))
      .toHaveLength(1)
    const late = await tokenTo(email, 'cancel-email-change')
    expect((await newVisitor().post('/v1/cancel-email-change', { token: late })).status).toBe(422)
    expect((await visitor.get('/v1/email-status')).body.data.email).toBe(again.address)
  })
})
