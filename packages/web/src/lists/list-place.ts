/** The position in a list. It is part of the address, so that Back, a reload and a bookmark return to the same rows. */
export interface ListPlace {
  search?: string | undefined
  /** Counted from 1; absent on the first page. */
  page?: number | undefined
  /** The server's cursor where the page begins; absent on the first page. */
  cursor?: string | undefined
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** The cursors of earlier pages, for Previous; the first page has an empty one. */
    trail?: readonly string[]
  }
}

const MAX_PAGES = 10_000_000

/** Reads the position from an address. A page without its cursor is the first one. */
export const placeIn = ({ search, page, cursor }: Record<string, unknown>): ListPlace => {
  const isLater = typeof cursor === 'string' && cursor !== ''
  const number = Number(page)
  return {
    search: typeof search === 'string' || typeof search === 'number' ? String(search) : undefined,
    page: isLater && Number.isInteger(number) && number > 1 && number < MAX_PAGES ? number : undefined,
    cursor: isLater ? cursor : undefined,
  }
}

/** Another search, filter or sort order starts at the first page. */
export const FIRST_PAGE = { page: undefined, cursor: undefined } as const
