import { created, done, listedWhole, on, type Routes } from '../../api/routes.ts'
import type { DomainCheckService } from './domain-check.service.ts'
import type { DomainClaimService } from './domain-claims.service.ts'
import type { DomainSettingsService } from './domain-settings.service.ts'
import type { DomainService } from './domains.service.ts'

export const domainRoutes = (
  domains: DomainService,
  claims: DomainClaimService,
  settings: DomainSettingsService,
  checks: DomainCheckService,
  requireConfirmed: (userUuid: string) => Promise<void>,
): Routes => [
  on('domains', ({ caller }) => listedWhole('Domains', domains.list(caller.workspaceUuid))),
  on('addDomain', async ({ caller, body }) => {
    await requireConfirmed(caller.userUuid)
    const added = claims.add(caller.workspaceUuid, body.name, body.ignore_case ?? false)
    return created('Domain added; set its TXT record, then verify it', added)
  }),
  on('verifyDomain', {
    prepare: ({ caller, body }) => claims.prove(caller.workspaceUuid, body.name),
    run: ({ caller, body }, claim) =>
      done('Domain verified', claims.verify(caller.workspaceUuid, body.name, claim)),
    after: () => settings.known(),
  }),
  // Nothing is written, and the name servers may take seconds: no transaction waits for them.
  on('checkDomain', {
    prepare: ({ caller, body }) => checks.check(caller.workspaceUuid, body.name),
    run: (_context, found) => done('Domain checked', found),
  }),
  on('editDomain', {
    prepare: ({ body }) => settings.stageLogo(body.logo),
    undo: (logo) => settings.discardLogo(logo),
    run: ({ caller, body, request }, logo) =>
      done('Domain changed', settings.edit(caller.workspaceUuid, body, logo, request.knownVersions)),
    after: () => settings.known(),
  }),
  on('removeDomain', ({ caller, body }) =>
    done('Domain removed', domains.remove(caller.workspaceUuid, body.name)),
  ),
]
