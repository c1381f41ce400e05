import { created, done, listed, on, type Routes } from '../../api/routes.ts'
import type { UtmService } from './utm.service.ts'

export const utmRoutes = (utm: UtmService): Routes => [
  on('utmLinks', ({ caller, query }) => listed('UTM links', utm.list(caller.userUuid, query))),
  on('generateUtm', {
    prepare: ({ caller, body }) => utm.tag(caller.userUuid, body),
    run: ({ caller }, tagged) => created('UTM link created', utm.create(caller.userUuid, tagged)),
  }),
  on('editUtm', {
    prepare: ({ caller, body, request }) => utm.retag(caller.userUuid, body, request.knownVersions),
    run: ({ caller }, tagged) => done('UTM link updated', utm.edit(caller.userUuid, tagged)),
  }),
  on('removeUtm', ({ caller, body }) => done('UTM link removed', utm.remove(caller.userUuid, body.uuid))),
]
