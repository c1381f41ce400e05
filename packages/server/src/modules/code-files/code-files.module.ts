import type { Quotas } from '../../accounts/users/quotas.ts'
import { created, on } from '../../api/routes.ts'
import type { barcodesModule } from '../barcodes/barcodes.module.ts'
import type { LinkService } from '../links/links.service.ts'
import type { Core, Module } from '../module.ts'
import type { qrcodesModule } from '../qrcodes/qrcodes.module.ts'
import { CodeFiles } from './code-files.ts'
import { ManyCodes } from './many-codes.ts'

interface Parts {
  readonly quotas: Quotas
  readonly links: LinkService
  readonly qrcodes: ReturnType<typeof qrcodesModule>
  readonly barcodes: ReturnType<typeof barcodesModule>
}

/** QR codes and barcodes together: print files, and many codes at once. */
export function codeFilesModule(core: Core, { quotas, links, qrcodes, barcodes }: Parts): Module {
  const { db, codeImages: pictures, blobs, now } = core
  const files = new CodeFiles({
    qrcodes: qrcodes.store,
    barcodes: barcodes.store,
    db,
    links,
    pictures,
    blobs,
    now,
  })
  const many = new ManyCodes({ db, quotas, qrcodes: qrcodes.service, barcodes: barcodes.service })
  return {
    routes: [
      on('printCode', {
        // Drawing waits for a thread, and no database read should wait with it.
        prepare: ({ caller, query }) => files.print(caller.workspaceUuid, query),
        run: async ({ query: { uuid, format } }, { bytes, contentType }) => ({
          status: 200,
          payload: bytes,
          headers: {
            'content-type': contentType,
            'content-disposition': `attachment; filename="${uuid}.${format}"`,
          },
        }),
      }),
      on('generateCodes', {
        lane: 'bulkCodes',
        alsoInvalid: ({ body }) => many.alsoInvalid(body),
        prepare: ({ caller, body }) => many.draw(caller.workspaceUuid, body),
        undo: (drawn) => many.discard(drawn),
        run: ({ caller, body }, drawn) =>
          created('Codes created', many.create(caller.workspaceUuid, body, drawn)),
      }),
      on('exportCodes', async ({ caller, query }) => ({
        status: 200 as const,
        payload: await files.export(caller.workspaceUuid, query),
        headers: {
          'content-type': 'application/zip',
          'content-disposition': 'attachment; filename="waymark-codes.zip"',
        },
      })),
    ],
  }
}
