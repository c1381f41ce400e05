import { includesScope, isAtLeast, type Role, type Scope, type TrashType } from '@waymark/contract'
import { done, listed, type Needs, on, type Routes } from '../../api/routes.ts'
import type { Caller } from '../../net/caller.ts'
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

const AREAS = {
  link: 'links',
  qrcode: 'codes',
  barcode: 'codes',
  utm: 'links',
  page: 'pages',
  webhook: 'webhooks',
} as const satisfies Record<TrashType, string>

const TYPES = Object.keys(AREAS) as TrashType[]

const roleFor = (type: TrashType): Role => (type === 'webhook' ? 'admin' : 'viewer')

/** The types that a caller may read, as their own lists would permit; undefined: all. */
const readableBy = ({ role = 'viewer', scopes }: Caller): readonly TrashType[] | undefined => {
  const types = TYPES.filter(
    (type) => isAtLeast(role, roleFor(type)) && includesScope(scopes, `${AREAS[type]}:read`),
  )
  return types.length === TYPES.length ? undefined : types
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
    scopes: types.map((type): Scope => `${AREAS[type]}:write`),
  }
}

const trashRoutes = (trash: TrashService): Routes => [
  on('trash', ({ caller, query }) =>
    listed('Trash', trash.list(caller.workspaceUuid, query, readableBy(caller))),
  ),
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
