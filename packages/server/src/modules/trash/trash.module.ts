import type { Scope, TrashType } from '@waymark/contract'
import { done, listed, type Needs, on, type Routes } from '../../api/routes.ts'
import type { Core, Module, RecordOwn } from '../module.ts'
import type { Restorable } from '../owned/restorable-resource.ts'
import type { TrashStore } from '../owned/trash.store.ts'
import { TrashService } from './trash.service.ts'

/** Removed resources, which can be restored for a while. */
export function trashModule(
  { db, now }: Core,
  store: TrashStore,
  resources: readonly Restorable[],
  record: RecordOwn,
): Module & { readonly service: TrashService; readonly store: TrashStore } {
  const service = new TrashService({ db, store, resources, record, now })
  return {
    service,
    store,
    routes: trashRoutes(service),
    jobs: [{ name: 'trash', cron: '50 * * * *', run: (signal) => service.sweep(signal) }],
  }
}

const SCOPES: Readonly<Record<TrashType, Scope>> = {
  link: 'links:write',
  qrcode: 'codes:write',
  barcode: 'codes:write',
  utm: 'links:write',
  page: 'pages:write',
  webhook: 'webhooks:write',
}

/** The rights needed to change these kinds of resources. */
const needsOf = async (
  trash: TrashService,
  workspaceUuid: string,
  uuids: readonly string[],
): Promise<Needs> => {
  const types = await trash.typesOf(workspaceUuid, uuids)
  return {
    role: types.includes('webhook') ? 'admin' : undefined,
    scopes: types.map((type) => SCOPES[type]),
  }
}

const trashRoutes = (trash: TrashService): Routes => [
  on('trash', ({ caller, query }) => listed('Trash', trash.list(caller.workspaceUuid, query))),
  on('restore', {
    needs: ({ caller, body }) => needsOf(trash, caller.workspaceUuid, body.uuids),
    prepare: async () => undefined,
    run: ({ caller, body }) => done('Restored', trash.restore(caller.workspaceUuid, body.uuids)),
  }),
  on('erase', {
    needs: ({ caller, body }) => needsOf(trash, caller.workspaceUuid, body.uuids),
    prepare: async () => undefined,
    run: ({ caller, body }) => done('Erased', trash.erase(caller.workspaceUuid, body.uuids)),
  }),
]
