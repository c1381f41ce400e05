import type { StoredClick } from '../batches/stored-click.ts'
import type { Owner } from '../counting/click-store.ts'

/** A click on its way to those who listen: without the number that stands for its visitor. */
export interface LiveClick extends Omit<
  StoredClick,
  'visitor' | 'utm_source' | 'utm_medium' | 'utm_campaign'
> {
  /** '' is the default domain. */
  readonly domain: string
  /** The short code of a link, the slug of a page. */
  readonly name: string
}

/** Of one batch and account. People cannot follow more; the rest shows in the statistics. */
const MAX_CLICKS = 100

/** The newest clicks of each watched account in a batch. Without listeners this costs one comparison. */
export function liveClicks(
  clicks: readonly StoredClick[],
  owners: ReadonlyMap<string, Owner>,
  watched: ReadonlySet<string>,
): ReadonlyMap<string, readonly LiveClick[]> {
  const byUser = new Map<string, LiveClick[]>()
  if (watched.size === 0) return byUser
  for (const click of clicks.toReversed()) {
    const owner = owners.get(click.resourceUuid)
    if (owner === undefined || !watched.has(owner.workspaceUuid)) continue
    const own = byUser.get(owner.workspaceUuid) ?? []
    if (own.length < MAX_CLICKS) own.push(liveClick(click, owner))
    byUser.set(owner.workspaceUuid, own)
  }
  for (const own of byUser.values()) own.reverse()
  return byUser
}

function liveClick(click: StoredClick, { ofCode, domain, name }: Owner): LiveClick {
  const { visitor: _v, utm_source: _s, utm_medium: _m, utm_campaign: _c, ...shown } = click
  return { ...shown, scanned: click.scanned || ofCode, domain, name }
}
