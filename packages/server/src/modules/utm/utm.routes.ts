import { created, done, listed, on, removed, type Routes } from '../../api/routes.ts'
import type { UtmService } from './utm.service.ts'

export const utmRoutes = (utm: UtmService): Routes => [
  on('utmLinks', ({ caller, query }) => listed('UTM links', utm.owned.list(caller.workspaceUuid, query))),
  on('generateUtm', {
    prepare: ({ caller, body }) => utm.tag(caller.workspaceUuid, body),
    run: ({ caller }, tagged) => created('UTM link created', utm.create(caller.workspaceUuid, tagged)),
  }),
  on('editUtm', {
    prepare: ({ caller, body, request }) => utm.retag(caller.workspaceUuid, body, request.knownVersions),
    run: ({ caller }, tagged) => done('UTM link updated', utm.edit(caller.workspaceUuid, tagged)),
  }),
  on('removeUtm', ({ caller, body }) => removed('UTM link', utm.owned.remove(caller.workspaceUuid, body))),
]
