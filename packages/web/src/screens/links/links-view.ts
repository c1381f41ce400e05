import type { LinkFilter, LinkOrder, LinkState } from '../../api/links.ts'
import type { ListPlace } from '../../lists/list-place.ts'

/** The orders that links can be shown in, as the server names them. */
const orders = {
  newest: {},
  oldest: { order: 'asc' },
  clicks: { sort: 'clicks' },
  'least-clicks': { sort: 'clicks', order: 'asc' },
  'last-click': { sort: 'last_click_at' },
} as const satisfies Record<string, LinkOrder>

export type LinkSort = keyof typeof orders
export const linkSorts = Object.keys(orders) as LinkSort[]

/** Archived links are hidden unless they are asked for. */
export const linkStates = ['active', 'expired', 'archived', 'all'] as const
type ShownState = (typeof linkStates)[number]
const HOME_STATE = 'active'

/** What the address of the screen says. */
export interface LinksView extends ListPlace {
  tag?: string | undefined
  domain?: string | undefined
  sort?: LinkSort | undefined
  state?: ShownState | undefined
  create?: true | undefined
}

export const stateOf = (view: LinksView): ShownState => view.state ?? HOME_STATE

/** What is left out of the address because it goes without saying. */
export const stateInAddress = (state: ShownState): ShownState | undefined =>
  state === HOME_STATE ? undefined : state

export const filterOf = (view: LinksView): LinkFilter => {
  const state = stateOf(view)
  const { search, tag, domain } = view
  return { search, tag, domain, state: state === 'all' ? undefined : (state satisfies LinkState) }
}

export const orderOf = ({ sort = 'newest' }: LinksView): LinkOrder => orders[sort]

/** Whether only some of the links are asked for, whatever their state. */
export const isNarrowed = ({ search, tag, domain }: LinksView): boolean =>
  search !== undefined || tag !== undefined || domain !== undefined
