import { created, done, on, type Routes } from '../../api/routes.ts'
import type { DomainService } from './domains.service.ts'

export const domainRoutes = (domains: DomainService): Routes => [
  on('domains', ({ caller }) => done('Domains', domains.list(caller.userUuid))),
  on('addDomain', ({ caller, body }) =>
    created('Domain added; set its TXT record, then verify it', domains.add(caller.userUuid, body.name)),
  ),
  on('verifyDomain', {
    prepare: ({ caller, body }) => domains.prove(caller.userUuid, body.name),
    run: (_context, proven) => done('Domain verified', domains.verify(proven)),
  }),
  on('removeDomain', ({ caller, body }) =>
    done('Domain removed', domains.remove(caller.userUuid, body.name)),
  ),
]
