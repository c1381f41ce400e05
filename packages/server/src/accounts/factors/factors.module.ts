import { done, on } from '../../api/routes.ts'
import type { Core, Module } from '../../modules/module.ts'
import type { AccountMail } from '../account-mail.ts'
import type { UserStore } from '../users/users.store.ts'
import { FactorService } from './factors.service.ts'
import { createFactorStore } from './factors.store.ts'

/** Second factors of users. */
export function factorsModule(
  core: Core,
  { mail, users }: { readonly mail: AccountMail; readonly users: UserStore },
): Module & { readonly service: FactorService } {
  const { config, db, secrets, limits, now } = core
  const store = createFactorStore(db)
  const issuer = `Waymark (${new URL(config.baseUrl).host})`
  const service = new FactorService({ db, store, users, secrets, limits, mail, issuer, now })
  return {
    service,
    routes: [
      on('secondFactors', ({ caller }) => done('Second factors', service.status(caller.userUuid))),
      on('setUpTotp', ({ caller }) =>
        done('Scan the QR code with your app, then enter its code', service.setUpTotp(caller.userUuid)),
      ),
      on('confirmTotp', ({ caller, body }) =>
        done('Authenticator app set up; store the codes', service.confirmTotp(caller.userUuid, body.code)),
      ),
      on('removeTotp', ({ caller }) =>
        done('Authenticator app removed', service.removeTotp(caller.userUuid)),
      ),
      on('replaceRecoveryCodes', ({ caller }) =>
        done(
          'Recovery codes created; earlier ones are no longer valid',
          service.replaceRecoveryCodes(caller.userUuid),
        ),
      ),
    ],
    jobs: [{ name: 'sign-in challenges', cron: '20 * * * *', run: () => service.sweep() }],
  }
}
