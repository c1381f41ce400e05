import type { Database } from '../../storage/db/database.ts'
import { bumpTotal, readTotal } from '../../storage/db/kept-totals.ts'
import { AppError } from '../../net/errors.ts'
import type { Plans, QuotaName } from './plans.ts'
import type { UserStore } from './users.store.ts'

/** Keeps the totals that lists show and plans limit, inside the write that creates or removes the rows. */
export interface Quotas {
  /** Counts one more of what the user creates; past the plan's quota it is rejected. */
  take(userUuid: string, name: QuotaName, count?: number): Promise<void>
  /** Rejects what could not be taken now, without taking it; outside a write, before what costs much. */
  check(userUuid: string, name: QuotaName, count: number): Promise<void>
  /** Counts what comes along with something else, or goes; no quota stands against it. */
  adjust(userUuid: string, name: QuotaName, count: number): Promise<void>
}

export function createQuotas(db: Database, users: UserStore, plans: Plans): Quotas {
  const checkWith = async (userUuid: string, name: QuotaName, more: number): Promise<void> => {
    if (!plans.limits(name)) return
    const user = await users.find(userUuid)
    const limit = plans.termsOf(user?.plan ?? '').limits[name]
    if (limit !== null && (await readTotal(db, userUuid, name)) + more > limit)
      throw new AppError('quota_reached', {
        message: `Your plan allows ${limit} ${name}; remove some or choose a larger plan`,
      })
  }

  return {
    async take(userUuid, name, count = 1) {
      await bumpTotal(db, userUuid, name, count)
      await checkWith(userUuid, name, 0)
    },
    check: checkWith,
    adjust: (userUuid, name, count) => bumpTotal(db, userUuid, name, count),
  }
}
