import { inOrder, type ResourceTotal, type ResourceTotals } from './click-totals.ts'

/*
 * A reader that is behind does not change every link with every batch: what a batch adds to them is one row, written in the
 * transaction that counts the batch, and several such rows are added to the links at once. A link that is in all of them is
 * then changed once, with the indexes that lists are sorted by. A reader that was killed leaves its rows to the next one.
 */

type Flat = (string | number | null)[]

/** As a row of `waiting_totals` holds them. */
export function textOfTotals({ links, pages }: ResourceTotals): string {
  return JSON.stringify([flat(links), flat(pages)])
}

/** What such rows add up to. */
export function addedUp(texts: readonly string[]): ResourceTotals {
  const sums = { links: new Map<string, ResourceTotal>(), pages: new Map<string, ResourceTotal>() }
  for (const text of texts) {
    const [links, pages] = JSON.parse(text) as [Flat, Flat]
    addTo(sums.links, links)
    addTo(sums.pages, pages)
  }
  return inOrder({ links: [...sums.links.values()], pages: [...sums.pages.values()] })
}

function flat(totals: readonly ResourceTotal[]): Flat {
  return totals.flatMap(({ resourceUuid, clicks, bots, lastAtMs }) => [resourceUuid, clicks, bots, lastAtMs])
}

function addTo(sums: Map<string, ResourceTotal>, totals: Flat): void {
  for (let at = 0; at < totals.length; at += 4) {
    const resourceUuid = totals[at] as string
    const clicks = totals[at + 1] as number
    const bots = totals[at + 2] as number
    const lastAtMs = totals[at + 3] as number | null
    const sum = sums.get(resourceUuid)
    if (sum === undefined) {
      sums.set(resourceUuid, { resourceUuid, clicks, bots, lastAtMs })
      continue
    }
    sum.clicks += clicks
    sum.bots += bots
    if (lastAtMs !== null) sum.lastAtMs = Math.max(sum.lastAtMs ?? 0, lastAtMs)
  }
}
