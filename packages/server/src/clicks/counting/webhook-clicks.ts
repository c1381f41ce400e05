import { createIds } from '../../storage/db/ids.ts'
import type { StoredClick } from '../batches/stored-click.ts'

/** A webhook that receives the clicks of its account. */
export interface Watcher {
  readonly uuid: string
  readonly workspace_uuid: string
}

/** Clicks waiting to be sent to one webhook. */
export interface WaitingClicks {
  readonly uuid: string
  readonly webhook_uuid: string
  readonly workspace_uuid: string
  readonly count: number
  readonly clicks: string
}

/** Ids increase, because rows are sent in the order of their ids. */
const newId = createIds()

/** A delivery lists at most this many clicks; of more it only gives the number. */
export const MAX_CLICKS_NAMED = 1000

const named = ({ atMs, resourceUuid, country, referrer, device, browser, system }: StoredClick): object => ({
  link_uuid: resourceUuid,
  clicked_at: new Date(atMs).toISOString(),
  country,
  referrer,
  device,
  browser,
  os: system,
})

/** The clicks of a batch for each webhook, without bots, as in the `clicks` counter. */
export function clicksForWebhooks(
  clicks: readonly StoredClick[],
  owners: ReadonlyMap<string, { readonly workspaceUuid: string }>,
  watchers: readonly Watcher[],
): WaitingClicks[] {
  if (watchers.length === 0) return []
  const watched = new Map<string, StoredClick[]>(watchers.map(({ workspace_uuid }) => [workspace_uuid, []]))
  for (const click of clicks)
    if (click.kind === 'link' && !click.bot)
      watched.get(owners.get(click.resourceUuid)?.workspaceUuid ?? '')?.push(click)
  return watchers.flatMap(({ uuid, workspace_uuid }) => {
    const own = watched.get(workspace_uuid) ?? []
    if (own.length === 0) return []
    const texts = JSON.stringify(own.slice(0, MAX_CLICKS_NAMED).map(named))
    return [{ uuid: newId(), webhook_uuid: uuid, workspace_uuid, count: own.length, clicks: texts }]
  })
}
