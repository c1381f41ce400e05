import { created, done, listed, on, removed, type Routes } from '../../api/routes.ts'
import type { BarcodeService } from './barcodes.service.ts'

export const barcodeRoutes = (barcodes: BarcodeService): Routes => [
  on('barcodes', ({ caller, query }) => listed('Barcodes', barcodes.owned.list(caller.workspaceUuid, query))),
  on('generateBarcode', {
    alsoInvalid: ({ body }) => barcodes.alsoInvalid(body),
    prepare: ({ body }) => barcodes.draw(body),
    run: ({ caller, body }, drawn) =>
      created('Barcode created', barcodes.create(caller.workspaceUuid, body.description, drawn)),
  }),
  on('editBarcode', {
    prepare: ({ caller, body, request }) =>
      barcodes.redraw(caller.workspaceUuid, body, request.knownVersions),
    run: ({ caller, body }, drawn) =>
      done('Barcode updated', barcodes.edit(caller.workspaceUuid, body.description, drawn)),
  }),
  on('removeBarcode', ({ caller, body }) =>
    removed('Barcode', barcodes.owned.remove(caller.workspaceUuid, body)),
  ),
]
