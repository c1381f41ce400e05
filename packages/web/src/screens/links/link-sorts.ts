/** The orders that links can be shown in; the first is the server's own. */
export const linkSorts = ['newest', 'clicks', 'last-click', 'code'] as const

export type LinkSort = (typeof linkSorts)[number]
