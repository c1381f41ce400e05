import { created, done, listed, on, removed, type Routes } from '../../api/routes.ts'
import type { PageService } from './pages.service.ts'

export const pageRoutes = (pages: PageService): Routes => [
  on('pages', ({ caller, query }) => listed('Custom pages', pages.owned.list(caller.userUuid, query))),
  on('generatePage', {
    prepare: ({ caller, body }) => pages.compose(caller.userUuid, body),
    undo: (composed) => pages.discard(composed),
    run: ({ caller }, composed) => created('Custom page created', pages.create(caller.userUuid, composed)),
  }),
  on('editPage', {
    prepare: ({ caller, body, request }) => pages.recompose(caller.userUuid, body, request.knownVersions),
    undo: (composed) => pages.discard(composed),
    run: ({ caller }, composed) => done('Custom page updated', pages.edit(caller.userUuid, composed)),
  }),
  on('removePage', ({ caller, body }) => removed('Custom page', pages.owned.remove(caller.userUuid, body))),
]
