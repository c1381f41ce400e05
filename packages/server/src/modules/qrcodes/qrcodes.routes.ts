import { created, done, listed, on, removed, type Routes } from '../../api/routes.ts'
import type { QrcodeService } from './qrcodes.service.ts'

export const qrcodeRoutes = (qrcodes: QrcodeService): Routes => [
  on('qrcodes', ({ caller, query }) => listed('QR codes', qrcodes.list(caller, query))),
  on('generateQr', {
    alsoInvalid: ({ body }) => qrcodes.alsoInvalid(body),
    prepare: ({ body }) => qrcodes.draw(body),
    undo: (drawn) => qrcodes.discard(drawn),
    run: ({ caller, body }, drawn) =>
      created('QR code created', qrcodes.create(caller.workspaceUuid, body.description, drawn)),
  }),
  on('editQr', {
    prepare: ({ caller, body, request }) => qrcodes.redraw(caller.workspaceUuid, body, request.knownVersions),
    undo: (drawn) => qrcodes.discard(drawn),
    run: ({ caller, body }, drawn) =>
      done('QR code updated', qrcodes.edit(caller.workspaceUuid, body.description, drawn)),
  }),
  on('removeQr', ({ caller, body }) => removed('QR code', qrcodes.owned.remove(caller.workspaceUuid, body))),
]
