import type { Database } from '../../storage/db/database.ts'
import { bumpTotal, readTotal } from '../../storage/db/totals.ts'
import { AppError } from '../../net/errors.ts'
import type { Plans, QuotaName } from './plans.ts'
import type { WorkspaceStore } from './workspaces.store.ts'

/** Updates the totals that lists show and plans limit, inside the write that inserts or deletes the rows. */
export interface Quotas {
  /** Counts created resources; rejected above the plan's quota. */
  take(workspaceUuid: string, name: QuotaName, count?: number): Promise<void>
  /** Rejects what would exceed the quota now, without counting it; before expensive work, outside of a write. */
  check(workspaceUuid: string, name: QuotaName, count: number): Promise<void>
  /** Counts resources that are created or deleted along with others; ignores the quota. */
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
