import { describe, expect, it } from 'vitest'
import { Background } from '../work/background.ts'
import { MemoryLimits } from '../net/limits/limits.ts'
import type { Mail } from '../net/mail.ts'
import { HOUR_MS } from '../work/times.ts'
import { AccountMail } from './account-mail.ts'
import type { SecurityEvents } from './security-events.ts'
import type { UserStore } from './users/users.store.ts'

const setUp = (enabled = true, passwordSignIn = true) => {
  const clock = { ms: 0 }
  const sent: Mail[] = []
  const background = new Background((error) => {
    throw error
  })
  const mail = new AccountMail({
    mailer: { enabled, send: async (one) => void sent.push(one), close: () => {} },
    limits: new MemoryLimits(() => clock.ms),
    users: { find: async (uuid: string) => ({ email: `${uuid}@example.com` }) } as unknown as UserStore,
    events: { record: async () => {} } as unknown as SecurityEvents,
    background,
    dashboardUrl: 'https://way.example/app',
    passwordSignIn,
  })
  const allSent = async (): Promise<Mail[]> => {
    await background.close()
    return sent
  }
  return { mail, clock, allSent }
}

const rejected = { status: 429, headers: { 'retry-after': expect.any(String) } }

describe('mails that strangers can cause', () => {
  it('are limited to three an hour per mailbox, in any spelling of its address', async () => {
    const { mail, clock } = setUp()
    for (const to of ['ada@example.com', 'ada+1@example.com', 'Ada+2+3@example.com'])
      await mail.takeRecipient('confirmation', to)
    await expect(mail.takeRecipient('confirmation', 'ada+4@example.com')).rejects.toMatchObject(rejected)
    // Using up the limit of confirmations does not keep the owner from a reset.
    expect(await mail.mayReceive('reset', 'ada@example.com')).toBe(true)
    await mail.takeRecipient('confirmation', 'bob@example.com')
    clock.ms = HOUR_MS
    await mail.takeRecipient('confirmation', 'ada@example.com')
  })

  it('are limited to thirty an hour per client address, or IPv6 network', async () => {
    const { mail } = setUp()
    for (let n = 0; n < 30; n++) await mail.takeSender({ address: `2001:db8::${n}` })
    await expect(mail.takeSender({ address: '2001:db8::ffff' })).rejects.toMatchObject(rejected)
    await mail.takeSender({ address: '192.0.2.1' })
    await mail.takeSender({ userUuid: 'ada' })
  })
})

describe('an invitation', () => {
  it('names the workspace and the inviting user, in that user’s language', async () => {
    const { mail, allSent } = setUp()
    const from = { workspace: 'River Festival', name: 'Ada' }
    const url = 'https://way.example/app/invitation?token=x'
    for (const language of ['de-AT,de;q=0.9', 'ja', 'xx', undefined])
      mail.sendInvitation(`${language ?? 'none'}@example.com`, from, url, language)
    const sent = await allSent()
    expect(sent.map(({ subject }) => subject)).toEqual([
      'Einladung zu River Festival auf Waymark',
      expect.stringContaining('River Festival'),
      'Join River Festival on Waymark',
      'Join River Festival on Waymark',
    ])
    for (const { text } of sent) {
      expect(text).toContain('Ada')
      expect(text).toContain('River Festival')
      expect(text).toContain(url)
      expect(text).not.toMatch(/\{\w+\}/)
    }
    expect(new Set(sent.map(({ text }) => text)).size).toBe(3)
  })

  it('has names of one line each', async () => {
    const { mail, allSent } = setUp()
    const from = { workspace: 'River\r\nFestival', name: 'Ada\n\nLovelace' }
    mail.sendInvitation('grace@example.com', from, 'https://way.example/', 'en')
    const [sent] = await allSent()
    expect(sent?.subject).toBe('Join River Festival on Waymark')
    expect(sent?.text).toContain('Ada Lovelace invited you to the workspace River Festival')
  })

  it('is mailed at most three times an hour to one recipient', async () => {
    const { mail, allSent } = setUp()
    for (let n = 0; n < 5; n++)
      mail.sendInvitation('grace@example.com', { workspace: 'A', name: 'B' }, 'https://way.example/', 'en')
    expect(await allSent()).toHaveLength(3)
  })
})

describe('notices', () => {
  it('of a new member name the workspace', async () => {
    const { mail, allSent } = setUp()
    const joined = {
      kind: 'member_joined',
      email: 'grace@example.com',
      workspace: 'River\r\nFestival',
    } as const
    mail.notify({ userUuid: 'ada' }, joined)
    const [sent] = await allSent()
    expect(sent?.text).toContain(
      'grace@example.com accepted your invitation to the workspace River Festival.',
    )
    expect(sent?.text).toContain('https://way.example/app/settings?tab=members')
  })

  it('say what happened and what to do, and put a name with line breaks on one line', async () => {
    const { mail, allSent } = setUp()
    mail.notify({ userUuid: 'ada' }, { kind: 'key_created', name: 'a\r\n\r\nb', apiKey: 'wm_x' })
    const [sent] = await allSent()
    expect(sent).toMatchObject({ to: 'ada@example.com', subject: 'A new API key for your Waymark account' })
    expect(sent?.text).toContain('wm_x (a b).')
    expect(sent?.text).toContain('https://way.example/app/settings?tab=keys')
    expect(sent?.text).toContain('https://way.example/app/forgot-password')
  })

  it('do not suggest a new password if password sign-in is off', async () => {
    const { mail, allSent } = setUp(true, false)
    mail.notify({ userUuid: 'ada' }, { kind: 'key_created', name: null, apiKey: 'wm_x' })
    mail.notify({ userUuid: 'ada' }, { kind: 'new_browser', browser: 'A browser', at: 'now' })
    const sent = await allSent()
    expect(sent).toHaveLength(2)
    for (const { text } of sent) expect(text).not.toContain('forgot-password')
    expect(sent.some(({ text }) => text.includes('ask the operator'))).toBe(true)
  })

  it('are limited, each kind separately', async () => {
    const { mail, allSent } = setUp()
    for (let n = 0; n < 25; n++)
      mail.notify({ userUuid: 'ada' }, { kind: 'key_created', name: null, apiKey: `wm_${n}` })
    mail.notify({ userUuid: 'ada' }, { kind: 'password_changed' })
    const sent = await allSent()
    expect(sent).toHaveLength(21)
    expect(sent.at(-1)?.subject).toBe('Your Waymark password was changed')
  })

  it('are not sent without a mail server', async () => {
    const { mail, allSent } = setUp(false)
    mail.notify({ userUuid: 'ada' }, { kind: 'password_changed' })
    expect(await allSent()).toEqual([])
  })
})
