import type { LinkFilter, LinkOrder, LinkState } from '../../api/links.ts'
import type { ListPlace } from '../../lists/list-place.ts'

/** Sort orders of links, under the server's names. */
const orders = {
  newest: {},
  oldest: { order: 'asc' },
  clicks: { sort: 'clicks' },
  'least-clicks': { sort: 'clicks', order: 'asc' },
  'last-click': { sort: 'last_click_at' },
} as const satisfies Record<string, LinkOrder>

export type LinkSort = keyof typeof orders
export const linkSorts = Object.keys(orders) as LinkSort[]

/** Archived links are hidden by default. */
export const linkStates = ['active', 'expired', 'archived', 'all'] as const
type ShownState = (typeof linkStates)[number]
const HOME_STATE = 'active'

/** The parameters of the screen's address. */
export interface LinksView extends ListPlace {
  /** Several as a list: links must have all of them. */
  tag?: string | string[] | undefined
  domain?: string | undefined
  sort?: LinkSort | undefined
  state?: ShownState | undefined
  /** Only links that belong to no page, code or campaign. */
  kind?: 'short' | undefined
  /** Rows on a page. */
  size?: PageSize | undefined
  create?: true | undefined
  import?: true | undefined
}

export const pageSizes = [25, 50, 100, 250] as const
export type PageSize = (typeof pageSizes)[number]
export const sizeOf = ({ size = 50 }: LinksView): PageSize => size

export const tagsOf = ({ tag }: LinksView): readonly string[] =>
  tag === undefined ? [] : typeof tag === 'string' ? [tag] : tag

/** Tags in the form of the address. */
export const tagsInAddress = (tags: readonly string[]): string | string[] | undefined =>
  tags.length > 1 ? [...tags] : tags[0]

export const stateOf = (view: LinksView): ShownState => view.state ?? HOME_STATE

/** Defaults, which are left out of the address. */
export const stateInAddress = (state: ShownState): ShownState | undefined =>
  state === HOME_STATE ? undefined : state

export const filterOf = (view: LinksView): LinkFilter => {
  const state = stateOf(view)
  const { search, domain, kind } = view
  const tags = tagsOf(view)
  return {
    search,
    tag: tags.length === 0 ? undefined : [...tags],
    domain,
    owner: kind === 'short' ? 'none' : undefined,
    state: state === 'all' ? undefined : (state satisfies LinkState),
  }
}

export const orderOf = ({ sort = 'newest' }: LinksView): LinkOrder => orders[sort]

/** Whether a filter other than the state is set. */
export const isNarrowed = ({ search, tag, domain, kind }: LinksView): boolean =>
  [search, tag, domain, kind].some((value) => value !== undefined)
