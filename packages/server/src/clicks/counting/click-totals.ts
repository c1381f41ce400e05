import { noPause, type Pause, PAUSE_EVERY_CLICKS } from '../../work/v8/counting-pauses.ts'
import type { EnrichedClick } from './enrich.ts'

export interface ResourceTotal {
  readonly resourceUuid: string
  clicks: number
  bots: number
  lastAtMs: number | null
}

export interface ResourceTotals {
  readonly links: readonly ResourceTotal[]
  readonly pages: readonly ResourceTotal[]
}

/** What the clicks add to the totals kept on links and pages. Clicks on a page's buttons add no view. */
export function totalsOf(clicks: readonly EnrichedClick[], pause: Pause = noPause): ResourceTotals {
  const links = new Map<string, ResourceTotal>()
  const pages = new Map<string, ResourceTotal>()
  let seen = 0
  for (const click of clicks) {
    if (seen++ % PAUSE_EVERY_CLICKS === 0) pause()
    const totals = click.kind === 'link' ? links : pages
    let total = totals.get(click.resourceUuid)
    if (total === undefined) {
      total = { resourceUuid: click.resourceUuid, clicks: 0, bots: 0, lastAtMs: null }
      totals.set(click.resourceUuid, total)
    }
    if (click.bot) {
      total.bots++
    } else if (click.kind === 'link' || click.kind === 'page') {
      total.clicks++
      // The clock may have jumped back: the latest is the largest, not the last.
      if (total.lastAtMs === null || total.lastAtMs < click.atMs) total.lastAtMs = click.atMs
    }
  }
  return { links: [...links.values()], pages: [...pages.values()] }
}

/** In the order in which every node changes them. */
export function inOrder({ links, pages }: ResourceTotals): ResourceTotals {
  return { links: links.toSorted(byUuid), pages: pages.toSorted(byUuid) }
}

const byUuid = (a: ResourceTotal, b: ResourceTotal): number => (a.resourceUuid < b.resourceUuid ? -1 : 1)

/** Without the links and pages that are gone. */
export function totalsOfOwned(
  { links, pages }: ResourceTotals,
  owners: ReadonlyMap<string, unknown>,
): ResourceTotals {
  const isThere = ({ resourceUuid }: ResourceTotal): boolean => owners.has(resourceUuid)
  return { links: links.filter(isThere), pages: pages.filter(isThere) }
}
