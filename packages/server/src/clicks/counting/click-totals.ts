import type { EnrichedClick } from './enrich.ts'

export interface SubjectTotal {
  readonly subject: string
  clicks: number
  bots: number
  lastAtMs: number | null
}

export interface SubjectTotals {
  readonly links: readonly SubjectTotal[]
  readonly pages: readonly SubjectTotal[]
}

/** What the clicks add to the totals kept on links and pages. Clicks on a page's buttons add no view. */
export function totalsOf(clicks: readonly EnrichedClick[]): SubjectTotals {
  const links = new Map<string, SubjectTotal>()
  const pages = new Map<string, SubjectTotal>()
  for (const click of clicks) {
    const totals = click.kind === 'link' ? links : pages
    let total = totals.get(click.subject)
    if (total === undefined) {
      total = { subject: click.subject, clicks: 0, bots: 0, lastAtMs: null }
      totals.set(click.subject, total)
    }
    if (click.bot) {
      total.bots++
    } else if (click.kind === 'link' || click.kind === 'page') {
      total.clicks++
      // The clock may have jumped back: the latest is the largest, not the last.
      if (total.lastAtMs === null || total.lastAtMs < click.atMs) total.lastAtMs = click.atMs
    }
  }
  return { links: inOrder(links), pages: inOrder(pages) }
}

/** In the order in which every node changes them. */
export function inOrder(totals: ReadonlyMap<string, SubjectTotal>): SubjectTotal[] {
  return [...totals.values()].sort((a, b) => (a.subject < b.subject ? -1 : 1))
}

/** Without subjects that are gone. */
export function totalsOfOwned(
  { links, pages }: SubjectTotals,
  owners: ReadonlyMap<string, unknown>,
): SubjectTotals {
  const isThere = ({ subject }: SubjectTotal): boolean => owners.has(subject)
  return { links: links.filter(isThere), pages: pages.filter(isThere) }
}
