import { pino } from 'pino'
import { afterAll } from 'vitest'
import { type TestServices, testServices } from '../../modules/testing.ts'
import { Background } from '../../work/background.ts'
import { MemoryLimits } from '../../net/limits/limits.ts'
import type { Mail } from '../../net/mail.ts'
import type { TestDatabases } from '../../storage/db/testing.ts'
import { AccountMail } from '../account-mail.ts'
import { createEndAccess, createRequireWayIn, type RetainedAccess } from '../access.ts'
import { AccountService } from '../users/accounts.service.ts'
import { createInvoiceStore } from '../users/invoices.store.ts'
import { InvoiceService } from '../users/invoices.service.ts'
import { FactorService } from '../factors/factors.service.ts'
import { createFactorStore } from '../factors/factors.store.ts'
import { PasskeyService } from '../factors/passkeys.service.ts'
import { EmailService } from './email.service.ts'
import { SecurityEvents } from '../security-events.ts'
import { KnownBrowsers } from '../known-browsers.ts'
import { RecoveryService } from './recovery.service.ts'
import { createSessionStore } from './sessions.store.ts'
import { type SignedIn, SignInService } from './sign-in.service.ts'

export const PASSWORD = 'Correct-horse-1'
export const CLIENT = { address: '192.0.2.1', userAgent: 'A browser' }

export const newEmail = (): string => `${crypto.randomUUID()}@example.com`

/** The token in the link of a mail. */
export const tokenIn = (mail: Mail | undefined): string => /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''

/** The outcome of a sign-in without a second factor. */
export const asSignedIn = (outcome: Awaited<ReturnType<SignInService['signIn']>>): SignedIn => {
  if (!('profile' in outcome)) throw new Error('A second factor is needed')
  return outcome
}

/** Sign-in, recovery and email addresses with a clock, and a mailer that records mails. */
export function testSignIn(databases: TestDatabases): () => ReturnType<typeof open> {
  const services = testServices(databases)
  const opened: Background[] = []
  // Background work of the last test needs the database, which is closed after this.
  afterAll(() => Promise.all(opened.map((background) => background.close())))
  return () => {
    const background = new Background((error) => {
      throw error
    })
    opened.push(background)
    return open(services(), background)
  }
}

function open({ core, modules }: TestServices, background: Background) {
  const { config, db, blobs, secrets, newId } = core
  const clock = { ms: Date.now() }
  const now = (): number => clock.ms
  const limits = new MemoryLimits(now)
  const sent: Mail[] = []
  const ended: [userUuid: string, kept: RetainedAccess][] = []
  const suspended = new Set<string>()
  const mailer = { enabled: true, send: async (mail: Mail) => void sent.push(mail), close: () => {} }
  const store = createSessionStore(db)
  const { users, workspaces } = modules.accounts
  const dashboardUrl = 'https://way.example/app'
  const events = new SecurityEvents({ db, countryOf: () => 'DE', now, newId })
  const mail = new AccountMail({
    mailer,
    limits,
    users,
    events,
    background,
    dashboardUrl,
    passwordSignIn: true,
  })
  const browsers = new KnownBrowsers(secrets, true)
  const endAccess = createEndAccess({
    sessions: modules.sessions.service,
    factors: modules.factors.service,
    identities: modules.identities.service,
    keys: modules.keys.service,
    tokens: modules.keys.tokens,
    workspaces,
    webhooks: modules.webhooks.service,
  })
  const { plans, seller, baseUrl } = config
  const invoices = new InvoiceService({
    db,
    store: createInvoiceStore(db),
    workspaces,
    plans,
    seller,
    secrets,
    baseUrl,
    invoicePath: '/invoice',
    now,
    newId,
  })
  const accounts = new AccountService({
    db,
    users,
    workspaces,
    invoices,
    plans,
    blobs,
    limits,
    mediaUrl: (hash) => hash,
    mail,
    endAccess: async (userUuid, kept) => {
      ended.push([userUuid, kept])
      await endAccess(userUuid, kept)
    },
    now,
    newId,
  })
  const factorStore = createFactorStore(db)
  const passkeys = new PasskeyService({
    db,
    store: factorStore,
    secrets,
    baseUrl: 'https://way.example',
    now,
    newId,
  })
  const factors = new FactorService({
    db,
    passkeys,
    requireWayIn: createRequireWayIn({
      users,
      passkeys,
      identities: modules.identities.service,
      passwordSignIn: true,
    }),
    callerChanged: () => {},
    store: factorStore,
    users,
    secrets,
    limits,
    mail,
    issuer: 'Waymark',
    now,
  })
  const emails = new EmailService({ db, users, store, mail, now })
  const log = pino({ level: 'silent' })
  const recovery = new RecoveryService({
    db,
    users,
    accounts,
    store,
    factors,
    mail,
    browsers,
    dashboardUrl,
    passwordSignIn: true,
    recordReset: async () => {},
    log,
    now,
  })
  const signIn = new SignInService({
    db,
    users,
    accounts,
    sessions: modules.sessions.service,
    factors,
    passkeys,
    emails,
    browsers,
    mail,
    events,
    now,
    limits,
    signup: 'open',
    passwordSignIn: true,
    identities: modules.identities.service,
    isInvitation: async () => false,
    joinInvited: async () => false,
    isSuspended: async (userUuid) => suspended.has(userUuid),
  })
  const newAccount = (confirmed = true) =>
    accounts.create({ email: newEmail(), password: PASSWORD }, confirmed)
  /** Waits for mails, which are sent after the response. */
  const allSent = async (): Promise<Mail[]> => {
    await background.close()
    return sent
  }
  return {
    db,
    clock,
    limits,
    users,
    accounts,
    factors,
    passkeys,
    emails,
    recovery,
    signIn,
    events,
    newAccount,
    allSent,
    ended,
    suspended,
    modules,
  }
}
