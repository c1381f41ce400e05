import type { Database } from '../../storage/db/database.ts'
import { bumpTotal, readTotal } from '../../storage/db/totals.ts'
import { AppError } from '../../net/errors.ts'
import type { Plans, QuotaName } from './plans.ts'
import type { WorkspaceStore } from './workspaces.store.ts'

/** Keeps the totals that lists show and plans limit, inside the write that creates or removes the rows. */
export interface Quotas {
  /** Counts one more of what a workspace creates; past the plan's quota it is rejected. */
  take(workspaceUuid: string, name: QuotaName, count?: number): Promise<void>
  /** Rejects what could not be taken now, without taking it; outside a write, before what costs much. */
  check(workspaceUuid: string, name: QuotaName, count: number): Promise<void>
  /** Counts what comes along with something else, or goes; no quota stands against it. */
  adjust(workspaceUuid: string, name: QuotaName, count: number): Promise<void>
}

export function createQuotas(db: Database, workspaces: WorkspaceStore, plans: Plans): Quotas {
  const checkWith = async (workspaceUuid: string, name: QuotaName, more: number): Promise<void> => {
    if (!plans.limits(name)) return
    const workspace = await workspaces.find(workspaceUuid)
    const limit = plans.termsOf(workspace?.plan ?? '').limits[name]
    if (limit !== null && (await readTotal(db, workspaceUuid, name)) + more > limit)
      throw new AppError('quota_reached', {
        message: `Your plan allows ${limit} ${name}; remove some or choose a larger plan`,
      })
  }

  return {
    async take(workspaceUuid, name, count = 1) {
      await bumpTotal(db, workspaceUuid, name, count)
      await checkWith(workspaceUuid, name, 0)
    },
    check: checkWith,
    adjust: (workspaceUuid, name, count) => bumpTotal(db, workspaceUuid, name, count),
  }
}
