import { created, done, on } from '../../api/routes.ts'
import { AppError } from '../../net/errors.ts'
import type { Core, Module } from '../../modules/module.ts'
import type { RequireWayIn } from '../access.ts'
import type { AccountMail } from '../account-mail.ts'
import type { UserStore } from '../users/users.store.ts'
import { FactorService } from './factors.service.ts'
import { createFactorStore, type FactorStore } from './factors.store.ts'
import { PasskeyService } from './passkeys.service.ts'

/** Second factors of users. */
export function factorsModule(
  core: Core,
  {
    mail,
    users,
    requireWayIn,
  }: { readonly mail: AccountMail; readonly users: UserStore; readonly requireWayIn: RequireWayIn },
): Module & {
  readonly service: FactorService
  readonly store: FactorStore
  readonly passkeys: PasskeyService
} {
  const { config, db, secrets, limits, changes, now, newId } = core
  const store = createFactorStore(db)
  const issuer = `Waymark (${new URL(config.baseUrl).host})`
  const { baseUrl } = config
  const passkeys = new PasskeyService({ db, store, secrets, baseUrl, now, newId })
  const service = new FactorService({
    db,
    store,
    users,
    secrets,
    limits,
    mail,
    passkeys,
    requireWayIn,
    callerChanged: changes.caller,
    issuer,
    now,
  })
  return {
    service,
    store,
    passkeys,
    routes: [
      on('secondFactors', ({ caller }) => done('Second factors', service.status(caller.userUuid))),
      on('setUpTotp', ({ caller }) =>
        done('Scan the QR code with your app, then enter its code', service.setUpTotp(caller.userUuid)),
      ),
      on('confirmTotp', {
        prepare: ({ caller: { userUuid }, body }) =>
          service.takeTry({ userUuid, trier: 'session' }, body.code),
        run: async ({ caller, body }, giveBack) => {
          const codes = await service.confirmTotp(caller.userUuid, body.code)
          await giveBack()
          return done('Authenticator app set up; store the codes', codes)
        },
      }),
      on('removeTotp', ({ caller }) =>
        done('Authenticator app removed', service.removeTotp(caller.userUuid)),
      ),
      on('setUpPasskey', async ({ caller }) => {
        const user = await users.find(caller.userUuid)
        if (user === undefined) throw new AppError('session_missing')
        return done('Create the passkey', { options: asJson(await passkeys.creationOptions(user)) })
      }),
      on('addPasskey', {
        prepare: ({ caller, body }) => passkeys.verifyNew(caller.userUuid, body.name, body.passkey),
        run: (_context, passkey) => created('Passkey added', service.addPasskey(passkey)),
      }),
      on('removePasskey', ({ caller, body }) =>
        done('Passkey removed', service.removePasskey(caller.userUuid, body.uuid)),
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

/** The library's types have optional fields, which the types of the contract do not. */
const asJson = (options: object): Record<string, unknown> => ({ ...options })
