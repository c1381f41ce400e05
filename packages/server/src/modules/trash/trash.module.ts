import type { Core, Module } from '../module.ts'
import type { Restorable } from '../owned/restorable-resource.ts'
import type { TrashStore } from '../owned/trash.store.ts'
import { trashRoutes } from './trash.routes.ts'
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
