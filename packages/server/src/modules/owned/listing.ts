import { AppError } from '../../runtime/errors.ts'
import type { Listed } from '../../runtime/listed.ts'

const DEFAULT_LIMIT = 100
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

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

/** The same, as stores take it: one row more than asked tells whether there is a next page. */
export interface ListWindow extends ListFilter {
  readonly take: number
  /** Rows older than this one. Version 7 ids grow with time, so that new rows never move a page. */
  readonly before: string | undefined
}

/** Whether a list is about all rows, whose number is kept and need not be counted. */
export const isUnfiltered = ({ search, uuid }: ListFilter): boolean =>
  search === undefined && uuid === undefined

/** Reads limit and cursor. */
export function listWindow({ limit = DEFAULT_LIMIT, cursor, search, uuid }: ListRequest): ListWindow {
  return { take: limit + 1, before: readCursor(cursor), search: search === '' ? undefined : search, uuid }
}

function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const uuid = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!UUID.test(uuid)) throw new AppError('cursor_invalid')
  return uuid
}

/** The page of a list, from rows that a window asked for. */
export function toListed<Row extends { uuid: string }, T>(
  rows: readonly Row[],
  window: ListWindow,
  total: number,
  map: (row: Row) => T,
): Listed<T> {
  const shown = rows.slice(0, window.take - 1)
  const last = rows.length === window.take ? shown.at(-1) : undefined
  return {
    items: shown.map(map),
    total,
    nextCursor: last === undefined ? null : Buffer.from(last.uuid, 'latin1').toString('base64url'),
  }
}
