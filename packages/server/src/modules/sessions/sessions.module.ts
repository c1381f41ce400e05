import { sites } from '@waymark/contract'
import type { AccountsModule } from '../accounts/accounts.module.ts'
import type { Core, Module } from '../module.ts'
import { sessionRoutes } from './sessions.routes.ts'
import { SessionService } from './sessions.service.ts'
import { createSessionStore } from './sessions.store.ts'
import { SignInService } from './sign-in.service.ts'

/** Sign-up, sign-in, password resets and the sessions of the dashboard. */
export function sessionsModule(
  core: Core,
  accounts: AccountsModule,
): Module & { readonly service: SessionService } {
  const { config, db, limits, mailer, closing, reportError, now, newId } = core
  const store = createSessionStore(db)
  const secure = config.baseUrl.startsWith('https:')
  const service = new SessionService({ db, store, secure, now, newId })
  const signIn = new SignInService({
    db,
    users: accounts.users,
    accounts: accounts.service,
    sessions: service,
    store,
    limits,
    mailer,
    signup: config.signup,
    dashboardUrl: config.baseUrl + sites.dashboard,
    reportError,
    now,
  })
  closing.defer(() => signIn.close())
  const instance = { name: 'Waymark', base_url: config.baseUrl, signup: config.signup }
  return {
    service,
    routes: sessionRoutes(signIn, service, instance),
    jobs: [{ name: 'sessions', cron: '15 * * * *', run: () => service.sweep() }],
  }
}
