import { newBatchId } from '../batches/batch-id.ts'
import { MAX_BATCH_BYTES } from '../batches/merged.ts'
import { noteFirstVisits, type Owner, packUserDay, type UserDay, UserDays } from '../batches/user-days.ts'
import type { VisitNumbers } from '../batches/visit-numbers.ts'
import { noPause, type Pause, PAUSE_EVERY_CLICKS } from '../../work/v8/counting-pauses.ts'
import type { ClickBatch, Written } from './click-store.ts'
import { inOrder, type ResourceTotals, totalsOfOwned } from './click-totals.ts'
import { textOfTotals } from './waiting-totals.ts'

/** Everything about a batch that can be worked out before the database is written, so that others wait less for it. */
export interface PreparedBatch {
  readonly counted: number
  /** What it adds to links and pages; the same as a row of `waiting_totals`, if it is to wait. */
  readonly totals: ResourceTotals
  readonly waiting: string | undefined
  /** Whom the links and pages belong to. */
  readonly owners: ReadonlyMap<string, Owner>
  /** All users of the batch. */
  readonly userUuids: ReadonlySet<string>
  readonly visits: VisitNumbers
  readonly rows: readonly BatchRow[]
}

/** A row of `click_batches`. */
export interface BatchRow {
  readonly id: string
  readonly userDay: UserDay
  readonly data: Buffer
}

export function prepareBatch(
  batch: Pick<ClickBatch, 'clicks' | 'totalsWait'>,
  totals: ResourceTotals,
  owners: ReadonlyMap<string, Owner>,
  pause: Pause = noPause,
): PreparedBatch {
  const userDays = new UserDays()
  let counted = 0
  for (const click of batch.clicks) {
    const owner = owners.get(click.resourceUuid)
    if (owner === undefined) continue
    if (counted++ % PAUSE_EVERY_CLICKS === 0) pause()
    userDays.add(click, owner)
  }
  const rows = userDays.all.flatMap((userDay) => packRows(userDay, pause))
  const userUuids = new Set<string>()
  for (const { userUuid } of owners.values()) userUuids.add(userUuid)
  const owned = totalsOfOwned(totals, owners)
  // What waits is put in order when it has been added up.
  const waiting = batch.totalsWait === true ? textOfTotals(owned) : undefined
  const ready = waiting === undefined ? inOrder(owned) : owned
  return { counted, totals: ready, waiting, owners, userUuids, visits: userDays.visits, rows }
}

/** Almost always one row; several for clicks with long texts. */
function packRows(userDay: UserDay, pause: Pause): BatchRow[] {
  pause()
  const data = packUserDay(userDay, pause)
  const { length } = userDay.clicks
  if (data.length <= MAX_BATCH_BYTES || length === 1) return [{ id: newBatchId(), userDay, data }]
  const middle = length >> 1
  return [...packRows(partOf(userDay, 0, middle), pause), ...packRows(partOf(userDay, middle, length), pause)]
}

function partOf({ clicks, resourceVisits, userVisits, ...day }: UserDay, from: number, to: number): UserDay {
  return {
    ...day,
    clicks: clicks.slice(from, to),
    resourceVisits: resourceVisits.slice(from, to),
    userVisits: userVisits.slice(from, to),
  }
}

/** The batch without those users: they were erased since it was prepared. */
export function withoutUsers(
  { totals, owners }: PreparedBatch,
  batch: Pick<ClickBatch, 'clicks' | 'totalsWait'>,
  erased: ReadonlySet<string>,
): PreparedBatch {
  const left = [...owners].filter(([, { userUuid }]) => !erased.has(userUuid))
  return prepareBatch(batch, totals, new Map(left))
}

/** Notes which visits were not in the database before, in the rows that are still to be written. */
export function noteNewVisits({ visits, rows }: PreparedBatch, ids: Iterable<number>): void {
  visits.noteNew(ids)
  for (const { data, userDay } of rows) noteFirstVisits(data, userDay, visits)
}

export function writtenOf({ clicks }: ClickBatch, { counted, rows, owners }: PreparedBatch): Written {
  return {
    counted,
    dropped: clicks.length - counted,
    batches: rows.map(({ userDay }) => userDay),
    owners,
  }
}
