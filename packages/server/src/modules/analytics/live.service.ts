import type { Readable } from 'node:stream'
import type { ResponseOf, Query } from '@waymark/contract/schemas'
import type { LiveClick } from '../../clicks/live/live-click.ts'
import type { LiveCaller, LiveClicks } from '../../clicks/live/live-clicks.ts'
import { sourceOf } from '../../clicks/batches/stored-click.ts'
import { analyticsScope, taggedAmong } from '../../clicks/statistics/analytics-scope.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import { isoTime } from '../../work/times.ts'
import type { Database } from '../../storage/db/database.ts'

export interface LiveService {
  open(caller: LiveCaller, query: Query<'live'>): Promise<Readable>
}

/** Live clicks for their owner. `ownHost` is the domain of links without one of their own. */
export function createLive(db: Database, live: LiveClicks, ownHost: string): LiveService {
  const present = (click: LiveClick): ResponseOf<'live'> => ({
    clicked_at: isoTime(click.atMs),
    kind: click.kind,
    link_uuid: click.kind === 'link' ? click.resourceUuid : null,
    page_uuid: click.kind === 'link' ? null : click.resourceUuid,
    code: click.name,
    domain: click.domain === '' ? ownHost : click.domain,
    target: click.kind === 'button' || click.kind === 'icon' ? click.detail : null,
    country: click.country,
    referrer: click.referrer,
    device: click.device,
    browser: click.browser,
    os: click.system,
    language: click.language,
    variant: click.variant,
    rule: click.rule,
    source: sourceOf(click.scanned),
    bot: click.bot,
  })
  /** Asked about as clicks arrive: a tag can be on a million links, and on others a minute later. */
  const choiceOf = (workspaceUuid: string, { tag, domain }: Query<'live'>) => {
    if (tag === undefined && domain === undefined) return undefined
    const host = domain?.toLowerCase()
    return async (clicks: readonly LiveClick[]): Promise<readonly LiveClick[]> => {
      const there = clicks.filter(
        (click) =>
          click.kind === 'link' &&
          (host === undefined || (click.domain === '' ? ownHost : click.domain) === host),
      )
      if (tag === undefined || there.length === 0) return there
      const resourceUuids = [...new Set(there.map(({ resourceUuid }) => resourceUuid))]
      const tagged = await taggedAmong(db, workspaceUuid, resourceUuids, tag)
      return there.filter(({ resourceUuid }) => tagged.has(resourceUuid))
    }
  }
  return {
    async open(caller, query) {
      const { uuid } = query
      const choose = choiceOf(caller.workspaceUuid, query)
      if (uuid !== undefined && choose !== undefined)
        throw fieldError('uuid', 'Cannot be combined with tag or domain')
      const scope = uuid === undefined ? undefined : await analyticsScope(db, caller.workspaceUuid, [uuid])
      if (uuid !== undefined && scope === undefined) throw new AppError('not_found')
      const listener = live.open(caller, { resourceUuids: scope && new Set(scope), choose, present })
      await live.announced()
      return listener
    },
  }
}
