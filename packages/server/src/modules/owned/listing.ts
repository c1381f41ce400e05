import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { AppError } from '../../net/errors.ts'
import { mapInTurns } from '../../work/turns.ts'

const DEFAULT_LIMIT = 100
const NEWEST_FIRST = 'created_at'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const CURSOR = /^(?:([a-z_]{1,32}):(\d{1,16}):)?([0-9a-f-]{36})$/

/** The parameters of every list. */
export interface ListRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly search?: string | undefined
  readonly uuid?: string | undefined
}

/** The filters of every list. */
export interface ListFilter {
  readonly search: string | undefined
  /** Only this row. */
  readonly uuid: string | undefined
}

/** A row's place in its list: its sort value, and the uuid, which breaks ties. */
interface Place {
  readonly value: number
  readonly uuid: string
}

/** The parameters for stores: one row more than requested shows whether there is a next page. */
export interface ListWindow extends ListFilter {
  readonly take: number
  /** By creation, only the uuid counts: version 7 ids grow with time, so new rows never move a page. */
  readonly sort: string
  readonly ascending: boolean
  /** Only rows after this one. */
  readonly after: Place | undefined
}

/** The order of a list. */
export interface ListOrder {
  readonly sort?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
}

/** Whether a list includes all rows, whose number is stored and need not be counted. */
export const isUnfiltered = ({ search, uuid }: ListFilter): boolean =>
  search === undefined && uuid === undefined

/** Parses limit, order and cursor. */
export function listWindow(
  { limit = DEFAULT_LIMIT, cursor, search, uuid }: ListRequest,
  { sort = NEWEST_FIRST, order = 'desc' }: ListOrder = {},
): ListWindow {
  return {
    take: limit + 1,
    sort,
    ascending: order === 'asc',
    after: readCursor(cursor, sort),
    search: search === '' ? undefined : search,
    uuid,
  }
}

/** A cursor of another sort order is not valid in this one. */
function readCursor(cursor: string | undefined, sort: string): Place | undefined {
  if (cursor === undefined) return undefined
  const bytes = Buffer.from(cursor, 'base64url')
  const [, sorted = NEWEST_FIRST, value = '0', uuid = ''] = CURSOR.exec(bytes.toString('latin1')) ?? []
  // The decoder ignores characters that are not base64url, and a surplus one at the end.
  const altered = bytes.toString('base64url') !== cursor
  if (altered || !UUID.test(uuid) || sorted !== sort) throw new AppError('cursor_invalid')
  return { value: Number(value), uuid }
}

const cursorOf = ({ value, uuid }: Place, sort: string): string =>
  Buffer.from(sort === NEWEST_FIRST ? uuid : `${sort}:${value}:${uuid}`, 'latin1').toString('base64url')

/** The rows of a window; `sorted` is the column or indexed expression to sort by, if not by creation. */
export function pageOf<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { take, ascending, after }: ListWindow,
  sorted?: RawBuilder<unknown>,
): SelectQueryBuilder<DB, TB, O> {
  const direction = ascending ? 'asc' : 'desc'
  const ordered = sorted === undefined ? query : query.orderBy(sorted, direction)
  const page = ordered.orderBy(sql`uuid`, direction).limit(take)
  if (after === undefined) return page
  const comparison = sql.raw(ascending ? '>' : '<')
  return page.where(
    sorted === undefined
      ? sql<SqlBool>`uuid ${comparison} ${after.uuid}`
      : sql<SqlBool>`(${sorted}, uuid) ${comparison} (${after.value}, ${after.uuid})`,
  )
}

/** The length of a list whose first page has all rows, so that a search reads the rows only once. */
export const wholeCount = (rows: readonly unknown[], { take, after }: ListWindow): number | undefined =>
  after === undefined && rows.length < take ? rows.length : undefined

/** A page ends early at this size: a thousand links with many rules would be 40 MB. */
const MAX_PAGE_CHARACTERS = 4_000_000

/** The page of a list, from the rows of a window. `valueOf` returns the sort value. */
export async function toListed<Row extends { uuid: string }, T>(
  rows: readonly Row[],
  window: ListWindow,
  total: number,
  map: (row: Row) => T,
  valueOf: (row: Row) => number = () => 0,
): Promise<Listed<T>> {
  const shown = rows.slice(0, fittingRows(rows, window.take - 1))
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  return {
    items: await mapInTurns(shown, map),
    total,
    nextCursor: last === undefined ? null : cursorOf({ value: valueOf(last), uuid: last.uuid }, window.sort),
  }
}

/** How many of the rows fit on a page: at least one, of any length. */
function fittingRows(rows: readonly object[], limit = rows.length): number {
  let [count, characters] = [0, 0]
  while (count < Math.min(rows.length, limit) && characters < MAX_PAGE_CHARACTERS)
    characters += charactersOf(rows[count++]!)
  return count
}

/** Rows of a window are read in parts that grow from this size: SQLite serves no other request while it reads. */
const FIRST_PART = DEFAULT_LIMIT + 1

/**
 * The rows of a window, and the window that they fill, which is smaller if they are too large for a page. `placeOf`
 * returns the place of a row.
 */
export async function readPage<Row extends object, Window extends ListWindow>(
  window: Window,
  read: (part: Window) => Promise<Row[]>,
  placeOf: (row: Row) => Place,
): Promise<{ rows: Row[]; window: Window }> {
  const rows: Row[] = []
  let { after } = window
  for (let part = FIRST_PART; ; part *= 2) {
    const take = Math.min(part, window.take - rows.length)
    const found = await read({ ...window, take, after })
    rows.push(...found)
    const last = rows.at(-1)
    if (last === undefined || found.length < take || rows.length === window.take) return { rows, window }
    if (fittingRows(rows) < rows.length) return { rows, window: { ...window, take: rows.length } }
    after = placeOf(last)
  }
}

const charactersOf = (row: object): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

/** One page of a list, as services return it. */
export interface Listed<T> {
  readonly items: T[]
  readonly total: number
  readonly nextCursor: string | null
}
