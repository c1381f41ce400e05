import { done, listed, on, type Routes } from '../../api/routes.ts'
import type { Core, Module } from '../module.ts'
import type { Restorable } from '../owned/restorable-resource.ts'
import type { TrashStore } from '../owned/trash.store.ts'
import { TrashService } from './trash.service.ts'

/** Removed resources, which can be restored for a while. */
export function trashModule(
  { db, now }: Core,
  store: TrashStore,
  resources: readonly Restorable[],
): Module & { readonly service: TrashService; readonly store: TrashStore } {
  const service = new TrashService({ db, store, resources, now })
  return {
    service,
    store,
    routes: trashRoutes(service),
    jobs: [{ name: 'trash', cron: '50 * * * *', run: (signal) => service.sweep(signal) }],
  }
}

const trashRoutes = (trash: TrashService): Routes => [
  on('trash', ({ caller, query }) => listed('Trash', trash.list(caller.workspaceUuid, query))),
  on('restore', ({ caller, body }) => done('Restored', trash.restore(caller.workspaceUuid, body.uuids))),
  on('erase', ({ caller, body }) => done('Erased', trash.erase(caller.workspaceUuid, body.uuids))),
]
