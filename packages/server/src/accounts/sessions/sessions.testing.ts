import { pino } from 'pino'
import { type TestServices, testServices } from '../../modules/testing.ts'
import { Background } from '../../runtime/background.ts'
import type { Mail } from '../../runtime/mail.ts'
import type { TestDatabases } from '../../storage/db/testing.ts'
import { EmailService } from './email.service.ts'
import { RecoveryService } from './recovery.service.ts'
import { createSessionStore } from './sessions.store.ts'
import { SignInService } from './sign-in.service.ts'

export const PASSWORD = 'Correct-horse-1'
export const CLIENT = { address: '192.0.2.1', userAgent: 'A browser' }

export const newEmail = (): string => `${crypto.randomUUID()}@example.com`

/** The token of the link in a mail. */
export const tokenIn = (mail: Mail | undefined): string => /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''

/** Sign-in, recovery and email addresses with a clock, and a mailer that keeps what it was given. */
export function testSignIn(databases: TestDatabases): () => ReturnType<typeof open> {
  const services = testServices(databases)
  return () => open(services())
}

function open({ core: { db, limits }, modules }: TestServices) {
  const clock = { ms: Date.now() }
  const now = (): number => clock.ms
  const sent: Mail[] = []
  const revoked: string[] = []
  const suspended = new Set<string>()
  const mailer = { enabled: true, send: async (mail: Mail) => void sent.push(mail), close: () => {} }
  const mails = new Background((error) => {
    throw error
  })
  const store = createSessionStore(db)
  const { users, service: accounts } = modules.accounts
  const shared = { db, users, store, limits, mailer, mails, dashboardUrl: 'https://way.example/app', now }
  const emails = new EmailService(shared)
  const recovery = new RecoveryService({
    ...shared,
    accounts,
    log: pino({ level: 'silent' }),
    revokeAccess: async (userUuid) => void revoked.push(userUuid),
  })
  const signIn = new SignInService({
    users,
    accounts,
    sessions: modules.sessions.service,
    emails,
    limits,
    signup: 'open',
    isSuspended: (userUuid) => suspended.has(userUuid),
  })
  const newAccount = (confirmed = true) =>
    accounts.create({ email: newEmail(), password: PASSWORD }, confirmed)
  /** Mails are sent after the response; this waits for them. */
  const allSent = async (): Promise<Mail[]> => {
    await mails.close()
    return sent
  }
  return { clock, users, accounts, emails, recovery, signIn, newAccount, allSent, revoked, suspended }
}
