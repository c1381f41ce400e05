import { created, done, listedWhole, on, type Reply } from '../../api/routes.ts'
import type { Core, Module } from '../../modules/module.ts'
import type { RequireWayIn } from '../access.ts'
import type { AccountMail } from '../account-mail.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { FactorStore } from '../factors/factors.store.ts'
import type { AccountsModule } from '../users/accounts.module.ts'
import { IdentityService } from './identities.service.ts'
import { createIdentityStore } from './identities.store.ts'
import { OidcProvider, redirectUrlOf } from './provider.ts'

interface IdentityLinks {
  readonly accounts: AccountsModule
  readonly factors: FactorStore
  readonly requireWayIn: RequireWayIn
  readonly mail: AccountMail
  readonly record: AuditService['recordOwn']
}

/** OpenID Connect: sign-ins at the provider, and the identities that users have linked. */
export function identitiesModule(
  core: Core,
  { accounts, factors, requireWayIn, mail, record }: IdentityLinks,
): Module & { readonly service: IdentityService } {
  const { config, db, secrets, limits, changes, log, now, newId } = core
  const { baseUrl, oidc } = config
  const join = async (userUuid: string): Promise<void> => {
    if (oidc?.join === undefined) return
    const { role, workspaceUuid } = oidc.join
    const { workspaces } = accounts
    await workspaces.lock([workspaceUuid])
    if ((await workspaces.find(workspaceUuid)) === undefined)
      return log.warn('OIDC_JOIN names a workspace that does not exist; a new user did not join it')
    await workspaces.insertMember({
      workspace_uuid: workspaceUuid,
      user_uuid: userUuid,
      role,
      created_at: now(),
    })
    const details = JSON.stringify({ role })
    await record(workspaceUuid, 'joinWorkspace', [userUuid], { actor: 'user', user_uuid: userUuid, details })
    db.afterCommit(changes.caller)
  }
  const service = new IdentityService({
    db,
    store: createIdentityStore(db),
    factors,
    requireWayIn,
    users: accounts.users,
    accounts: accounts.service,
    secrets,
    limits,
    mail,
    oidc: oidc && { ...oidc, provider: new OidcProvider(oidc, redirectUrlOf(baseUrl), now) },
    join,
    log,
    secure: baseUrl.startsWith('https:'),
    now,
    newId,
  })
  return {
    service,
    routes: [
      on('beginOidc', async () => begun(await service.begin({ kind: 'sign-in' }))),
      on('beginOidcProof', async ({ caller }) =>
        begun(await service.begin({ kind: 'proof', session: caller.uuid })),
      ),
      on('setUpIdentity', async ({ caller }) =>
        begun(await service.begin({ kind: 'link', session: caller.uuid })),
      ),
      on('addIdentity', {
        prepare: ({ caller, body, request }) =>
          service.verifyNew(caller, { query: body.query, cookie: request.oidcToken }),
        run: async ({ caller }, identity) => ({
          ...(await created('Identity linked', service.add(caller.userUuid, identity))),
          headers: { 'set-cookie': service.endCookie },
        }),
      }),
      on('removeIdentity', ({ caller, body }) =>
        done('Identity unlinked', service.unlink(caller.userUuid, body.uuid)),
      ),
      on('identities', ({ caller }) => listedWhole('Linked identities', service.list(caller.userUuid))),
    ],
  }
}

/** The provider's URL for the browser, which keeps the cookie until it returns. */
const begun = ({
  url,
  cookie,
}: {
  readonly url: string
  readonly cookie: string
}): Reply<{ url: string }, 200> => ({
  status: 200,
  payload: { status: 'success', message: 'Open this address', data: { url } },
  headers: { 'set-cookie': cookie },
})
