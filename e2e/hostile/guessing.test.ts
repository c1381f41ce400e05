import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { untilRoomInHour } from '../support/minutes.ts'
import { servers } from '../support/stacks.ts'
import { newEmail, PASSWORD, Visitor } from '../support/visitors.ts'
import { startWaymark, type Waymark } from '../support/waymark.ts'

/*
 * Strangers with many addresses guess at a password, and use the sign-up form to mail people they do not know. On Redis,
 * which counts for all nodes.
 */

describe('with Redis', () => {
  let waymark: Waymark
  let mailbox: Mailbox
  beforeAll(async () => {
    mailbox = await openMailbox()
    waymark = await startWaymark({ ...(await servers()), SMTP_URL: mailbox.url, TRUST_PROXY: '1' })
  })
  afterAll(async () => {
    await waymark?.stop()
    await mailbox?.close()
  })
  /** Posts as if from this address; the server believes the proxy that the test is. */
  const postFrom = (address: string, path: string, body: object, visitor = new Visitor(waymark)) =>
    visitor.post(path, body, { 'x-forwarded-for': address })
  const mailsTo = (email: string): string[] => mailbox.mails.filter((mail) => mail.includes(`To: ${email}`))
  const inTurns = async (count: number, send: (n: number) => Promise<{ status: number }>) => {
    const statuses: number[] = []
    for (let n = 0; n < count; n += 10)
      statuses.push(
        ...(await Promise.all(Array.from({ length: Math.min(10, count - n) }, (_, k) => send(n + k)))).map(
          ({ status }) => status,
        ),
      )
    return (status: number): number => statuses.filter((one) => one === status).length
  }
  const ownerOf = async (email: string, address: string): Promise<Visitor> => {
    const owner = new Visitor(waymark)
    const body = { email, password: PASSWORD }
    expect((await postFrom(address, '/v1/sign-up', body, owner)).status).toBe(201)
    return owner
  }

  it('200 tries from 200 networks of one /48 are not all answered, and the owner gets in', async () => {
    const email = newEmail()
    const owner = await ownerOf(email, '198.51.100.1')
    await untilRoomInHour()
    const guess = { email, password: 'Wrong-horse-1' }
    const countOf = await inTurns(200, (n) =>
      postFrom(`2001:db8:1:${n.toString(16)}::1`, '/v1/sign-in', guess),
    )
    // On a busy machine some are turned away for want of a place in the queue; they have counted as tries.
    expect(countOf(401) + countOf(503)).toBe(100)
    expect(countOf(429)).toBe(100)
    const right = { email, password: PASSWORD }
    expect((await postFrom('2001:db8:1:ffff::1', '/v1/sign-in', right)).status).toBe(429)
    // The browser that the owner signed up with, from another network; its session has ended.
    await owner.post('/v1/sign-out')
    expect((await postFrom('203.0.113.9', '/v1/sign-in', right, owner)).status).toBe(200)
    expect((await owner.get('/v1/profile')).body.data.email).toBe(email)

    // A browser that the account was never used with gets in by a reset.
    const stranded = new Visitor(waymark)
    expect((await postFrom('203.0.113.10', '/v1/sign-in', right, stranded)).status).toBe(429)
    await postFrom('203.0.113.10', '/v1/forgot-password', { email }, stranded)
    const resets = (): string[] =>
      mailsTo(email).flatMap((mail) => /reset-password\?token=([\w-]+)/.exec(mail)?.[1] ?? [])
    await expect.poll(resets).toHaveLength(1)
    const next = { password: 'Another-horse-2', confirm_password: 'Another-horse-2' }
    const reset = await postFrom(
      '203.0.113.10',
      '/v1/reset-password',
      { token: resets()[0], ...next },
      stranded,
    )
    expect(reset.status).toBe(200)
    const again = { email, password: next.password }
    expect((await postFrom('203.0.113.10', '/v1/sign-in', again, stranded)).status).toBe(200)
  })

  it('one address sends strangers 30 mails an hour, and one mailbox gets 3 of a kind', async () => {
    await untilRoomInHour()
    const strangers = Array.from({ length: 40 }, newEmail)
    const countOf = await inTurns(strangers.length, (n) =>
      postFrom('2001:db8:2::7', '/v1/sign-up', { email: strangers[n], password: PASSWORD }),
    )
    expect([countOf(201), countOf(429)]).toEqual([30, 10])
    await expect.poll(() => strangers.flatMap(mailsTo).length).toBe(30)

    const email = newEmail()
    await ownerOf(email, '198.51.100.2')
    const asked = await inTurns(10, (n) => postFrom(`192.0.2.${n}`, '/v1/forgot-password', { email }))
    expect(asked(200)).toBe(10)
    const name = email.split('@')[0]
    const aliases = await inTurns(5, (n) =>
      postFrom(`192.0.2.${20 + n}`, '/v1/sign-up', { email: `${name}+${n}@example.com`, password: PASSWORD }),
    )
    // The confirmation of the account itself was the first of three.
    expect([aliases(201), aliases(429)]).toEqual([2, 3])
    await expect.poll(() => mailbox.mails.filter((mail) => mail.includes(`To: ${name}`)).length).toBe(3 + 3)
  })

  it('the owner is told by mail of a new key and a changed password', async () => {
    const email = newEmail()
    const owner = await ownerOf(email, '198.51.100.3')
    await waymark.cli('user', 'confirm', '--email', email)
    const key = await owner.post('/v1/generate-key', { name: 'laptop' })
    expect(key.status).toBe(201)
    const change = {
      old_password: PASSWORD,
      password: 'Another-horse-2',
      confirm_password: 'Another-horse-2',
    }
    expect((await owner.post('/v1/update-password', change)).status).toBe(200)
    await waymark.cli('key', 'create', '--email', email, '--name', 'operator')
    const subjects = (): string[] =>
      mailsTo(email)
        .map((mail) => /Subject: (.+)/.exec(mail)?.[1]?.trim() ?? '')
        .toSorted()
    await expect
      .poll(subjects)
      .toEqual([
        'A new API key for your Waymark account',
        'A new API key for your Waymark account',
        'Confirm your email address for Waymark',
        'Your Waymark password was changed',
      ])
    const told = mailsTo(email).join('')
    for (const text of [key.body.data.api_key, '(laptop)', '(operator)']) expect(told).toContain(text)
    expect(told).not.toContain(key.body.data.secret)
    // The browser is still a known one, and the session that changed the password goes on.
    expect((await owner.get('/v1/profile')).status).toBe(200)
  })
})
