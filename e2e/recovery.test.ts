import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from './support/mailbox.ts'
import { untilRoomInMinute } from './support/minutes.ts'
import { get, post } from './support/requests.ts'
import { PASSWORD, Visitor } from './support/visitors.ts'
import { startWaymark, type Waymark } from './support/waymark.ts'

const NEXT = 'Another-horse-2'

let waymark: Waymark
let mailbox: Mailbox
let people = 0

const newEmail = (): string => `recovery${++people}@example.com`
const mailTo = async (email: string, path: string): Promise<string> => {
  const find = (): string =>
    mailbox.mails
      .filter((mail) => mail.includes(`To: ${email}`))
      .flatMap((mail) => new RegExp(`${path}\\?token=([\\w-]+)`).exec(mail)?.[1] ?? [])
      .at(-1) ?? ''
  await expect.poll(find).not.toBe('')
  return find()
}
const signUp = async (): Promise<{ visitor: Visitor; email: string }> => {
  const [visitor, email] = [new Visitor(waymark), newEmail()]
  expect((await visitor.signUp(email)).status).toBe(201)
  return { visitor, email }
}
const confirmed = async () => {
  const person = await signUp()
  const token = await mailTo(person.email, 'confirm-email')
  expect((await new Visitor(waymark).post('/v1/confirm-email', { token })).status).toBe(200)
  return person
}
const resetOf = async (email: string, more: object = {}) => {
  await new Visitor(waymark).post('/v1/forgot-password', { email })
  const token = await mailTo(email, 'reset-password')
  return new Visitor(waymark).post('/v1/reset-password', {
    token,
    password: NEXT,
    confirm_password: NEXT,
    ...more,
  })
}

beforeAll(async () => {
  mailbox = await openMailbox()
  waymark = await startWaymark({ SMTP_URL: mailbox.url, WEBHOOK_ALLOW_PRIVATE: 'on' })
})
afterAll(async () => {
  await waymark.stop()
  await mailbox.close()
})

describe('an address that is not confirmed', () => {
  it('403 for keys, tokens, invitations, domains and webhooks, until the link of the mail is followed', async () => {
    const { visitor, email } = await signUp()
    const creates: [string, object][] = [
      ['/v1/generate-key', {}],
      ['/v1/generate-token', {}],
      ['/v1/invite-member', { email: newEmail(), role: 'viewer' }],
      ['/v1/add-domain', { name: 'recovery.example.com' }],
      ['/v1/add-webhook', { url: 'https://example.com/hook' }],
    ]
    for (const [path, body] of creates) {
      const answer = await visitor.post(path, body)
      expect([path, answer.status]).toEqual([path, 403])
    }
    // Who has the link may join, whatever address the invitation was mailed to.
    const inviter = await confirmed()
    const invited = await inviter.visitor.post('/v1/invite-member', { email, role: 'viewer' })
    const invitation = new URL(invited.body.data.invite_url).searchParams.get('token')
    expect((await visitor.post('/v1/accept-invitation', { token: invitation })).status).toBe(200)
    expect((await visitor.get('/v1/email-status')).body.data).toEqual({
      email,
      confirmed: false,
      pending_email: null,
    })
    const token = await mailTo(email, 'confirm-email')
    expect((await new Visitor(waymark).post('/v1/confirm-email', { token: 'forged' })).status).toBe(422)
    expect((await new Visitor(waymark).post('/v1/confirm-email', { token })).status).toBe(200)
    expect((await new Visitor(waymark).post('/v1/confirm-email', { token })).status).toBe(422)
    for (const [path, body] of creates) {
      const answer = await visitor.post(path, body)
      expect([path, answer.status]).toEqual([path, 201])
    }
    expect((await visitor.post('/v1/resend-confirmation', {})).status).toBe(409)
  })

  it('may be corrected at once; only the newest mail confirms', async () => {
    const { visitor, email } = await signUp()
    const first = await mailTo(email, 'confirm-email')
    const corrected = newEmail()
    expect(
      (await visitor.post('/v1/change-email', { email: corrected, password: PASSWORD })).body.data.email,
    ).toBe(corrected)
    expect((await visitor.post('/v1/confirm-email', { token: first })).status).toBe(422)
    const token = await mailTo(corrected, 'confirm-email')
    expect((await visitor.post('/v1/confirm-email', { token })).status).toBe(200)
    expect((await visitor.get('/v1/email-status')).body.data.confirmed).toBe(true)
  })
})

describe('a confirmed address', () => {
  it('changes once the new one is confirmed, and the old one is notified', async () => {
    const { visitor, email } = await confirmed()
    const next = newEmail()
    const waiting = (await visitor.post('/v1/change-email', { email: next, password: PASSWORD })).body.data
    expect(waiting).toEqual({ email, confirmed: true, pending_email: next })
    await expect
      .poll(() =>
        mailbox.mails.some((mail) => mail.includes(`To: ${email}`) && mail.includes('about to change')),
      )
      .toBe(true)
    const token = await mailTo(next, 'confirm-email')
    expect((await visitor.post('/v1/confirm-email', { token })).status).toBe(200)
    expect((await visitor.get('/v1/email-status')).body.data).toEqual({
      email: next,
      confirmed: true,
      pending_email: null,
    })
  })

  it('409 for one that another account has', async () => {
    const [{ visitor }, other] = [await confirmed(), await signUp()]
    const taken = { email: other.email, password: PASSWORD }
    expect((await visitor.post('/v1/change-email', taken)).status).toBe(409)
  })
})

describe('a reset', () => {
  const withKey = async () => {
    const person = await confirmed()
    const { data } = (await person.visitor.post('/v1/generate-key', {})).body
    const hook = await person.visitor.post('/v1/add-webhook', { url: 'https://example.com/hook' })
    expect(hook.status).toBe(201)
    const account = { email: person.email, password: '', apiKey: data.api_key, secret: data.secret }
    return { ...person, account }
  }

  it('revokes every key and switches off every webhook', async () => {
    const { email, account } = await withKey()
    expect((await resetOf(email)).status).toBe(200)
    expect((await get(waymark, account, '/v1/links')).status).toBe(401)
    const again = new Visitor(waymark)
    await again.signIn(email, NEXT)
    expect((await again.get('/v1/webhooks')).body.data).toMatchObject([{ enabled: false }])
    await expect
      .poll(() => mailbox.mails.some((mail) => mail.includes(`To: ${email}`) && mail.includes('was changed')))
      .toBe(true)
  })

  it('keeps them where the address was confirmed before and its owner says so', async () => {
    const { email, account } = await withKey()
    expect((await resetOf(email, { keep_keys: true })).status).toBe(200)
    expect((await post(waymark, account, '/v1/generate-link', { link: 'https://example.com' })).status).toBe(
      201,
    )
  })

  it('takes the account from a stranger who signed up with the address', async () => {
    const { visitor: stranger, email } = await signUp()
    await waymark.cli('key', 'create', '--email', email)
    expect((await resetOf(email, { keep_keys: true })).status).toBe(200)
    expect((await stranger.get('/v1/profile')).status).toBe(401)
    const keys = JSON.parse(
      (await waymark.cli('key', 'list', '--email', email, '--json')).stdout,
    ) as unknown[]
    expect(keys).toEqual([])
    const owner = new Visitor(waymark)
    await owner.signIn(email, NEXT)
    expect((await owner.get('/v1/email-status')).body.data.confirmed).toBe(true)
  })
})

describe('personal data', () => {
  it('401 for the key alone; the signature is needed', async () => {
    const account = await startWaymarkAccount()
    for (const path of ['/v1/profile', '/v1/invoices', '/v1/webhooks']) {
      const response = await fetch(waymark.url + path, { headers: { 'x-api-key': account.apiKey } })
      expect([path, response.status, await response.json()]).toEqual([
        path,
        401,
        { error: 'Signature missing' },
      ])
      expect([path, (await get(waymark, account, path)).status]).toEqual([path, 200])
    }
  })

  it('429 for tries at old_password, as for sign-in', async () => {
    const { visitor } = await confirmed()
    const wrong = { old_password: 'Wrong-horse-1', password: NEXT, confirm_password: NEXT }
    const statuses: number[] = []
    await untilRoomInMinute()
    for (let at = 0; at < 31; at++) statuses.push((await visitor.post('/v1/update-password', wrong)).status)
    expect(statuses.filter((status) => status !== 422)).toEqual([429])
  })

  const startWaymarkAccount = async () => {
    const { visitor, email } = await confirmed()
    const { data } = (await visitor.post('/v1/generate-key', {})).body
    return { email, password: '', apiKey: data.api_key as string, secret: data.secret as string }
  }
})
