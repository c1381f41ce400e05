import { done, listed, on, type Routes } from '../../api/routes.ts'
import { type ImportService, ignoredOf } from './imports.service.ts'

const messages = {
  done: 'Short links imported',
  ready: 'The file was read; run the import to create the links',
  running: 'The import runs in the background',
} as const

export const importRoutes = (imports: ImportService): Routes => [
  on('importLinks', {
    prepare: ({ caller, body }) => imports.prepare(caller.workspaceUuid, body),
    undo: (prepared) => imports.discard(prepared),
    run: async ({ caller }, prepared) => {
      const result = await imports.create(caller.workspaceUuid, prepared)
      const { state } = result.import
      const message = state === 'ready' || state === 'running' ? messages[state] : messages.done
      const ignored = ignoredOf(prepared.columns)
      const payload = { status: 'success', message, data: result.links, import: result.import } as const
      return { status: 201, payload: { ...payload, ...(ignored.length > 0 && { ignored }) } }
    },
  }),
  on('imports', ({ caller, query }) => listed('Imports', imports.list(caller.workspaceUuid, query))),
  on('runImport', ({ caller, body }) => done('Import started', imports.run(caller.workspaceUuid, body))),
  on('undoImport', ({ caller, body }) =>
    done('The links of this import are being removed', imports.undo(caller.workspaceUuid, body.uuid)),
  ),
]
