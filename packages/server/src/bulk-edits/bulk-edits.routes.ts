import { done, listed, on, type Routes } from '../api/routes.ts'
import type { BulkEditService } from './bulk-edits.service.ts'

const MESSAGES = {
  running: 'The links are being changed',
  done: 'Links changed',
} as const

export const bulkEditRoutes = (edits: BulkEditService): Routes => [
  on('bulkEditLinks', async ({ caller, body }) => {
    const keyUuid = caller.kind === 'key' ? caller.uuid : null
    const edit = await edits.create(caller.userUuid, body, keyUuid)
    return done(edit.state === 'running' ? MESSAGES.running : MESSAGES.done, edit)
  }),
  on('bulkEdits', ({ caller, query }) => listed('Bulk edits', edits.list(caller.userUuid, query))),
  on('undoBulkEdit', ({ caller, body }) =>
    done('The changes are being taken back', edits.undo(caller.userUuid, body.uuid)),
  ),
]
