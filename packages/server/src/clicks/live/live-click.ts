import type { StoredClick } from '../batches/stored-click.ts'
import type { Owner } from '../counting/click-store.ts'

const SHOWN = [
  'atMs',
  'kind',
  'resourceUuid',
  'detail',
  'country',
  'referrer',
  'device',
  'browser',
  'system',
  'language',
  'variant',
  'rule',
  'bot',
  'scanned',
] as const satisfies (keyof StoredClick)[]

/** A click as listeners receive it, without the visitor. */
export interface LiveClick extends Pick<StoredClick, (typeof SHOWN)[number]> {
  /** '' is the default domain. */
  readonly domain: string
  /** The short code of a link, the slug of a page. */
  readonly name: string
}

/** Limit per batch and account. People cannot follow more, and statistics have them all. */
const MAX_CLICKS = 100

/** The newest clicks of each watched account in a batch. Without listeners it costs one comparison. */
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
  const shown = Object.fromEntries(SHOWN.map((field) => [field, click[field]])) as Pick<
    StoredClick,
    (typeof SHOWN)[number]
  >
  return { ...shown, scanned: click.scanned || ofCode, domain, name }
}
