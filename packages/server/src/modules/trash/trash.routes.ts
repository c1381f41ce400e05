import { done, listed, on, type Routes } from '../../api/routes.ts'
import type { TrashService } from './trash.service.ts'

export const trashRoutes = (trash: TrashService): Routes => [
  on('trash', ({ caller, query }) => listed('Trash', trash.list(caller.workspaceUuid, query))),
  on('restore', ({ caller, body }) => done('Restored', trash.restore(caller.workspaceUuid, body.uuids))),
  on('erase', ({ caller, body }) => done('Erased', trash.erase(caller.workspaceUuid, body.uuids))),
]
