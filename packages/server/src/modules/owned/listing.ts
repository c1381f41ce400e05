import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { AppError } from '../../net/errors.ts'
import { mapInTurns } from '../../work/turns.ts'

const DEFAULT_LIMIT = 100
const NEWEST_FIRST = 'created_at'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const CURSOR = /^(?:([a-z_]{1,32}):(\d{1,16}):)?([0-9a-f-]{36})$/

/** What every list may be asked. */
export interface ListRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly search?: string | undefined
  readonly uuid?: string | undefined
}

/** Which rows a list is about. */
export interface ListFilter {
  readonly search: string | undefined
  /** One row alone. */
  readonly uuid: string | undefined
}

/** A row's place in its list: what the list is sorted by, and the uuid, which settles ties. */
interface Place {
  readonly value: number
  readonly uuid: string
}

/** The same, as stores take it: one row more than asked tells whether there is a next page. */
export interface ListWindow extends ListFilter {
  readonly take: number
  /** By creation the uuid alone decides: version 7 ids grow with time, so that new rows never move a page. */
  readonly sort: string
  readonly ascending: boolean
  /** Rows after this one. */
  readonly after: Place | undefined
}

/** In which order a list is. */
export interface ListOrder {
  readonly sort?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
}

/** Whether a list is about all rows, whose number is kept and need not be counted. */
export const isUnfiltered = ({ search, uuid }: ListFilter): boolean =>
  search === undefined && uuid === undefined

/** Reads limit, order and cursor. */
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

/** A cursor of a list that was sorted otherwise names no place in this one. */
function readCursor(cursor: string | undefined, sort: string): Place | undefined {
  if (cursor === undefined) return undefined
  const bytes = Buffer.from(cursor, 'base64url')
  const [, sorted = NEWEST_FIRST, value = '0', uuid = ''] = CURSOR.exec(bytes.toString('latin1')) ?? []
  // Decoding passes over characters that are not base64url, and over one too many at the end.
  const altered = bytes.toString('base64url') !== cursor
  if (altered || !UUID.test(uuid) || sorted !== sort) throw new AppError('cursor_invalid')
  return { value: Number(value), uuid }
}

const cursorOf = ({ value, uuid }: Place, sort: string): string =>
  Buffer.from(sort === NEWEST_FIRST ? uuid : `${sort}:${value}:${uuid}`, 'latin1').toString('base64url')

/** The rows of a window; `sorted` is the column or indexed expression that it is sorted by, if not by creation. */
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

/** The length of a list whose first page holds all rows, so that a search reads the rows once and not twice. */
export const wholeCount = (rows: readonly unknown[], { take, after }: ListWindow): number | undefined =>
  after === undefined && rows.length < take ? rows.length : undefined

/** A page ends early past this: a thousand links with many rules would be 40 MB. */
const MAX_PAGE_CHARACTERS = 4_000_000

/** The page of a list, from the rows of a window. `valueOf` reads what it is sorted by. */
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

/** How many of the rows a page has: one at least, however long it is. */
function fittingRows(rows: readonly object[], limit = rows.length): number {
  let [count, characters] = [0, 0]
  while (count < Math.min(rows.length, limit) && characters < MAX_PAGE_CHARACTERS)
    characters += charactersOf(rows[count++]!)
  return count
}

/** Rows of a window are read in parts that grow from this: SQLite serves no other request while it reads. */
const FIRST_PART = DEFAULT_LIMIT + 1

/**
 * The rows of a window, and the window that they fill: a smaller one if they are more than a page may hold. `placeOf`
 * tells where a row is in the list.
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
