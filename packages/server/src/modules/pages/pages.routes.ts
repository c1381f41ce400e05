import { created, done, listed, on, type PartialContext, removed, type Routes } from '../../api/routes.ts'
import { invalidFields } from '../../net/errors.ts'
import type { DomainService } from '../domains/domains.service.ts'
import type { PageService } from './pages.service.ts'

type Edited = PartialContext<'generatePage' | 'editPage'>

export const pageRoutes = (pages: PageService, domains: DomainService): Routes => {
  const alsoInvalid = ({ caller, body }: Edited) =>
    invalidFields(() => 'domain' in body && domains.choose(caller.workspaceUuid, body.domain))
  return [
    on('pages', ({ caller, query }) => listed('Custom pages', pages.owned.list(caller.workspaceUuid, query))),
    on('generatePage', {
      alsoInvalid,
      prepare: ({ caller, body }) => pages.compose(caller.workspaceUuid, body),
      undo: (composed) => pages.discard(composed),
      run: ({ caller }, composed) =>
        created('Custom page created', pages.create(caller.workspaceUuid, composed)),
    }),
    on('editPage', {
      alsoInvalid,
      prepare: ({ caller, body, request }) =>
        pages.recompose(caller.workspaceUuid, body, request.knownVersions),
      undo: (composed) => pages.discard(composed),
      run: ({ caller }, composed) => done('Custom page updated', pages.edit(caller.workspaceUuid, composed)),
    }),
    on('removePage', ({ caller, body }) =>
      removed('Custom page', pages.owned.remove(caller.workspaceUuid, body)),
    ),
  ]
}
