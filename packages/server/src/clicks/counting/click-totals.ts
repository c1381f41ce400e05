import type { EnrichedClick } from './enrich.ts'

export interface SubjectTotal {
  readonly subject: string
  clicks: number
  bots: number
  lastAtMs: number | null
}

export interface SubjectTotals {
  readonly links: SubjectTotal[]
  readonly pages: SubjectTotal[]
}

/** What the clicks add to the totals kept on links and pages. Clicks on a page's buttons add no view. */
export function totalsOf(clicks: readonly EnrichedClick[]): SubjectTotals {
  const links = new Map<string, SubjectTotal>()
  const pages = new Map<string, SubjectTotal>()
  for (const click of clicks) {
    const totals = click.kind === 'link' ? links : pages
    const total = totals.get(click.subject) ?? emptyTotal(click.subject)
    totals.set(click.subject, total)
    if (click.bot) {
      total.bots++
    } else if (click.kind === 'link' || click.kind === 'page') {
      total.clicks++
      // The clock may have jumped back: the latest is the largest, not the last.
      total.lastAtMs = Math.max(total.lastAtMs ?? 0, click.atMs)
    }
  }
  const inOrder = (totals: Map<string, SubjectTotal>) =>
    [...totals.values()].sort((a, b) => (a.subject < b.subject ? -1 : 1))
  return { links: inOrder(links), pages: inOrder(pages) }
}

function emptyTotal(subject: string): SubjectTotal {
  return { subject, clicks: 0, bots: 0, lastAtMs: null }
}
