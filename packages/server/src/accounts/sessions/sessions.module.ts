import { sites } from '@waymark/contract'
import type { AccountsModule } from '../users/accounts.module.ts'
import type { Core, Module } from '../../modules/module.ts'
import { Background } from '../../runtime/background.ts'
import { EmailService } from './email.service.ts'
import { RecoveryService } from './recovery.service.ts'
import { sessionRoutes } from './sessions.routes.ts'
import { SessionService } from './sessions.service.ts'
import { createSessionStore } from './sessions.store.ts'
import { SignInService } from './sign-in.service.ts'

const MAIL_CLOSE_MS = 2_000

export interface SessionsModule extends Module {
  readonly service: SessionService
  readonly recovery: RecoveryService
}

/** Sign-up, sign-in, recovery, email addresses and the sessions of the dashboard. */
export function sessionsModule(
  core: Core,
  accounts: AccountsModule,
  isSuspended: (userUuid: string) => boolean,
  revokeAccess: (userUuid: string) => Promise<void>,
): SessionsModule {
  const { config, db, limits, mailer, log, closing, reportError, now, newId } = core
  const { users } = accounts
  const store = createSessionStore(db)
  const service = new SessionService({
    db,
    store,
    secure: config.baseUrl.startsWith('https:'),
    now,
    newId,
  })
  const mails = new Background(reportError)
  // Waits for mails in progress, but not for a mail server that hangs.
  closing.defer(() => mails.close(MAIL_CLOSE_MS))
  const dashboardUrl = config.baseUrl + sites.dashboard
  const shared = { db, users, store, limits, mailer, mails, dashboardUrl, now }
  const emails = new EmailService(shared)
  const recovery = new RecoveryService({ ...shared, accounts: accounts.service, log, revokeAccess })
  const signIn = new SignInService({
    users,
    accounts: accounts.service,
    sessions: service,
    emails,
    limits,
    signup: config.signup,
    isSuspended,
  })
  const instance = { name: 'Waymark', base_url: config.baseUrl, signup: config.signup }
  return {
    service,
    recovery,
    routes: sessionRoutes({ signIn, recovery, emails, sessions: service, instance }),
    jobs: [{ name: 'sessions', cron: '15 * * * *', run: () => service.sweep() }],
  }
}
