import type { Readable } from 'node:stream'
import type { Answer } from '@waymark/contract/schemas'
import type { LiveClick } from '../../clicks/live/live-click.ts'
import type { LiveCaller, LiveClicks } from '../../clicks/live/live-clicks.ts'
import { sourceOf } from '../../clicks/batches/dimensions.ts'
import { analyticsScope } from '../../clicks/statistics/analytics-scope.ts'
import { AppError } from '../../runtime/errors.ts'
import { isoTime } from '../../runtime/times.ts'
import type { Database } from '../../storage/db/database.ts'

export interface LiveService {
  open(caller: LiveCaller, uuid: string | undefined): Promise<Readable>
}

/** Live clicks for their owner. `ownHost` is the domain of links without one of their own. */
export function createLive(db: Database, live: LiveClicks, ownHost: string): LiveService {
  const present = (click: LiveClick): Answer<'live'> => ({
    clicked_at: isoTime(click.atMs),
    kind: click.kind,
    link_uuid: click.kind === 'link' ? click.subject : null,
    page_uuid: click.kind === 'link' ? null : click.subject,
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
  return {
    async open(caller, uuid) {
      const scope = uuid === undefined ? undefined : await analyticsScope(db, caller.userUuid, [uuid])
      if (uuid !== undefined && scope === undefined) throw new AppError('not_found')
      return live.open(caller, { subjects: scope && new Set(scope), present })
    },
  }
}
