import { sites } from '@waymark/contract'
import type { AccountsModule } from '../users/accounts.module.ts'
import type { Core, Module } from '../../modules/module.ts'
import type { AccountMail } from '../account-mail.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { FactorService } from '../factors/factors.service.ts'
import type { PasskeyService } from '../factors/passkeys.service.ts'
import type { IdentityService } from '../oidc/identities.service.ts'
import { EmailService } from './email.service.ts'
import type { KnownBrowsers } from '../known-browsers.ts'
import type { SecurityEvents } from '../security-events.ts'
import { RecoveryService } from './recovery.service.ts'
import { sessionRoutes } from './sessions.routes.ts'
import { SessionService } from './sessions.service.ts'
import { createSessionStore } from './sessions.store.ts'
import { SignInService } from './sign-in.service.ts'

export interface SessionsModule extends Module {
  readonly service: SessionService
  readonly recovery: RecoveryService
}

interface SessionLinks {
  readonly accounts: AccountsModule
  readonly factors: FactorService
  readonly passkeys: PasskeyService
  readonly identities: IdentityService
  readonly mail: AccountMail
  readonly browsers: KnownBrowsers
  readonly events: SecurityEvents
  readonly record: AuditService['recordOwn']
  readonly isSuspended: (workspaceUuid: string) => boolean
}

/** Sign-up, sign-in, recovery, email addresses and the sessions of the dashboard. */
export function sessionsModule(core: Core, links: SessionLinks): SessionsModule {
  const { config, db, limits, log, now, newId } = core
  const { factors, passkeys, identities, mail, browsers, events, record, isSuspended } = links
  const { users, workspaces, memberships, workspaceService, service: accounts } = links.accounts
  const store = createSessionStore(db.serving)
  const sessions = new SessionService({
    db,
    store,
    firstWorkspaceOf: async (userUuid) => (await memberships.of(userUuid))[0]?.workspaceUuid,
    secure: config.baseUrl.startsWith('https:'),
    now,
    newId,
  })
  const dashboardUrl = config.baseUrl + sites.dashboard
  const emails = new EmailService({ db, users, store, mail, now })
  const { signup, passwordSignIn } = config
  const recovery = new RecoveryService({
    db,
    users,
    accounts,
    store,
    factors,
    mail,
    browsers,
    dashboardUrl,
    passwordSignIn,
    recordReset: async (userUuid) => {
      for (const { uuid } of await workspaces.listOf(userUuid))
        await record(uuid, 'resetPassword', [userUuid], { actor: 'user', user_uuid: userUuid })
    },
    log,
    now,
  })
  const signIn = new SignInService({
    db,
    users,
    accounts,
    sessions,
    factors,
    passkeys,
    identities,
    emails,
    browsers,
    mail,
    events,
    now,
    limits,
    signup,
    passwordSignIn,
    isInvitation: (token) => workspaceService.isInvitation(token),
    joinInvited: async (userUuid, token) => {
      const joined = await workspaceService.join(userUuid, token)
      if (joined === undefined) return false
      const by = { actor: 'user', user_uuid: userUuid } as const
      await record(joined.uuid, 'acceptInvitation', [joined.uuid], by)
      return true
    },
    // The first workspace may be that of others, whose suspension does not concern the user.
    isSuspended: async (userUuid) => {
      const [first] = await memberships.of(userUuid)
      return isSuspended(first?.workspaceUuid ?? userUuid) && (first === undefined || first.role === 'owner')
    },
  })
  const instance = {
    name: 'Waymark',
    base_url: config.baseUrl,
    signup,
    mail: mail.enabled,
    passkeys: passkeys.unavailable === null,
    oidc: identities.providerName,
    password_sign_in: passwordSignIn,
  }
  return {
    service: sessions,
    recovery,
    routes: sessionRoutes({
      accounts,
      factors,
      passkeys,
      identities,
      now,
      signIn,
      recovery,
      emails,
      sessions,
      events,
      instance,
    }),
    jobs: [
      { name: 'sessions', cron: '15 * * * *', run: () => sessions.sweep() },
      { name: 'security-events', cron: '40 4 * * *', run: () => events.sweep() },
    ],
  }
}
