import type { Database } from '../../storage/db/database.ts'
import { readTotal } from '../../storage/db/kept-totals.ts'
import { AppError } from '../../runtime/errors.ts'
import type { Listed } from '../../runtime/listed.ts'
import {
  isUnfiltered,
  type ListFilter,
  type ListRequest,
  type ListWindow,
  listWindow,
  toListed,
} from './listing.ts'

/*
 * What the services of owned resources do alike, whatever their rows hold. How a row is answered and what goes with it
 * when it is removed is theirs.
 */

interface Finds<Row> {
  find(userUuid: string, uuid: string): Promise<Row | undefined>
}

interface Lists<Row> {
  list(userUuid: string, window: ListWindow): Promise<Row[]>
  count(userUuid: string, filter: ListFilter): Promise<number>
}

interface GivesSome<Row> {
  someOf(userUuid: string, take: number): Promise<Row[]>
}

/** The row, or 404: what belongs to somebody else is not there either. */
export async function findOwned<Row>(
  store: Finds<Row>,
  userUuid: string,
  uuid: string,
  what: string,
): Promise<Row> {
  const row = await store.find(userUuid, uuid)
  if (row === undefined) throw new AppError('not_found', { message: `There is no such ${what}` })
  return row
}

/** A page of a user's list. Rows are presented together, so that what they show of others is looked up once. */
export async function listOwned<Row extends { uuid: string }, T>(
  { db, store }: { readonly db: Database; readonly store: Lists<Row> },
  resource: string,
  userUuid: string,
  request: ListRequest,
  presenterOf: (rows: readonly Row[]) => Promise<(row: Row) => T>,
): Promise<Listed<T>> {
  const window = listWindow(request)
  const rows = await store.list(userUuid, window)
  const total = isUnfiltered(window)
    ? await readTotal(db, userUuid, resource)
    : await store.count(userUuid, window)
  return toListed(rows, window, total, await presenterOf(rows))
}

/** Removes a batch of a leaving user's rows; false when none is left. */
export async function eraseSomeOwned<Row>(
  store: GivesSome<Row>,
  userUuid: string,
  take: number,
  remove: (row: Row) => Promise<void>,
): Promise<boolean> {
  const rows = await store.someOf(userUuid, take)
  for (const row of rows) await remove(row)
  return rows.length > 0
}
