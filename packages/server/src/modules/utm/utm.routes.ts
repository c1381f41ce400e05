import { created, done, listed, on, removed, type Routes } from '../../api/routes.ts'
import type { UtmService } from './utm.service.ts'

export const utmRoutes = (utm: UtmService): Routes => [
  on('utmLinks', ({ caller, query }) => listed('UTM links', utm.owned.list(caller.userUuid, query))),
  on('generateUtm', {
    prepare: ({ caller, body }) => utm.tag(caller.userUuid, body),
    run: ({ caller }, tagged) => created('UTM link created', utm.create(caller.userUuid, tagged)),
  }),
  on('editUtm', {
    prepare: ({ caller, body, request }) => utm.retag(caller.userUuid, body, request.knownVersions),
    run: ({ caller }, tagged) => done('UTM link updated', utm.edit(caller.userUuid, tagged)),
  }),
  on('removeUtm', ({ caller, body }) => removed('UTM link', utm.owned.remove(caller.userUuid, body))),
]
