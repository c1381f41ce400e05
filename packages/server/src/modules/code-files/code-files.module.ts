import { on } from '../../api/routes.ts'
import type { Core, Module } from '../module.ts'
import { CodeFiles, type CodeFilesDependencies } from './code-files.ts'

/** What QR codes and barcodes have in common. */
export function codeFilesModule(
  { codeImages, blobs }: Core,
  stores: Pick<CodeFilesDependencies, 'qrcodes' | 'barcodes'>,
): Module {
  const codes = new CodeFiles({ ...stores, pictures: codeImages, blobs })
  return {
    routes: [
      on('printCode', {
        // Drawing waits for a thread, which no read of the database should.
        prepare: ({ caller, query }) => codes.print(caller.workspaceUuid, query),
        run: async ({ query: { uuid, format } }, { bytes, contentType }) => ({
          status: 200,
          payload: bytes,
          headers: {
            'content-type': contentType,
            'content-disposition': `attachment; filename="${uuid}.${format}"`,
          },
        }),
      }),
    ],
  }
}
