import type { FieldErrors } from '@waymark/contract/schemas'
import type { PartialContext } from '../../api/routes.ts'
import { invalidFields } from '../../runtime/errors.ts'
import type { DomainService } from '../domains/domains.service.ts'
import type { LinkService } from './links.service.ts'

/** What is wrong with a link that its schema cannot see: destinations that are not allowed, an unknown domain. */
export const linkFaults =
  (links: LinkService, domains: DomainService) =>
  async ({ caller, body }: PartialContext<'generateLink' | 'editLinks'>): Promise<FieldErrors> => ({
    ...Object.fromEntries(links.faultsOf(body).map(({ field, fault }) => [field, [fault]])),
    ...(await invalidFields(() => domains.choose(caller.userUuid, body.domain))),
  })
