import { done, listed, on, type Routes } from '../../api/routes.ts'
import type { BulkEditService } from './bulk-edits.service.ts'

const MESSAGES = {
  running: 'The links are being changed',
  done: 'Links changed',
} as const

export const bulkEditRoutes = (edits: BulkEditService): Routes => [
  on('bulkEditLinks', {
    prepare: ({ caller, body }) =>
      edits.prepare(caller.workspaceUuid, body, caller.kind === 'key' ? caller.uuid : null),
    run: async ({ body }, row) => {
      const edit = await edits.create(row, body)
      return done(edit.state === 'running' ? MESSAGES.running : MESSAGES.done, edit)
    },
  }),
  on('bulkEdits', ({ caller, query }) => listed('Bulk edits', edits.list(caller.workspaceUuid, query))),
  on('undoBulkEdit', ({ caller, body }) =>
    done('The changes are being undone', edits.undo(caller.workspaceUuid, body.uuid)),
  ),
]
