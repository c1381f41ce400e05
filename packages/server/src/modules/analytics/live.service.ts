import type { ResponseOf, Query } from '@waymark/contract/schemas'
import type { LiveClick } from '../../clicks/live/live-click.ts'
import type { LiveClicks, LiveListener } from '../../clicks/live/live-clicks.ts'
import { sourceOf } from '../../clicks/batches/stored-click.ts'
import { analyticsScope, taggedAmong } from '../../clicks/statistics/analytics-scope.ts'
import type { OpenStatistics } from '../../clicks/statistics/open.ts'
import type { ExportedClick } from '../../clicks/statistics/statistics.ts'
import { admission } from '../../net/admission/lanes.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import { DAY_MS, isoTime } from '../../work/times.ts'
import type { Database } from '../../storage/db/database.ts'
import { addNames, type Name } from './click-export.ts'

export interface LiveService {
  open(workspaceUuid: string, query: Query<'live'>): Promise<LiveListener>
}

export interface LiveDeps {
  readonly db: Database
  readonly live: LiveClicks
  readonly statistics: Pick<OpenStatistics, 'clicks' | 'reach'>
  readonly now: () => number
  readonly retentionDays: number
  /** The domain of links without their own. */
  readonly ownHost: string
  readonly report: (error: unknown) => void
}

/** Periods to search for the latest clicks, until there are enough: a busy link has them in the last hour. */
const LOOK_BACK_MS = [DAY_MS / 24, DAY_MS, 7 * DAY_MS, 30 * DAY_MS]
/** Clicks to choose from when a tag or domain excludes some of them. */
const CANDIDATES = 1_000

/** Live clicks for their owner. */
export function createLive(deps: LiveDeps): LiveService {
  const { db, live, ownHost } = deps
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
  /** Checked when clicks arrive: a tag can be on a million links, and change at any time. */
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
  type Choose = ReturnType<typeof choiceOf>

  /** Adds the names of links and pages, and leaves out clicks on deleted ones. */
  const named = async (workspaceUuid: string, clicks: readonly ExportedClick[]): Promise<LiveClick[]> => {
    const names = new Map<string, Name>()
    await addNames(db, workspaceUuid, [...new Set(clicks.map((click) => click.resourceUuid))], names)
    return clicks.flatMap((click) => {
      const found = names.get(click.resourceUuid)
      return found === undefined ? [] : [{ ...click, name: found.name, domain: found.domain ?? '' }]
    })
  }

  /** The latest clicks, oldest first. */
  const latest = async (
    workspaceUuid: string,
    scope: readonly string[] | undefined,
    choose: Choose,
    count: number,
  ): Promise<readonly LiveClick[]> => {
    const nowMs = deps.now()
    const retainedFromMs = nowMs - deps.retentionDays * DAY_MS
    const most = choose === undefined ? count : CANDIDATES
    let chosen: readonly LiveClick[] = []
    for (const backMs of LOOK_BACK_MS) {
      const found: ExportedClick[] = []
      const period = { fromMs: nowMs - backMs, toMs: Number.MAX_SAFE_INTEGER }
      for await (const click of deps.statistics.clicks({ workspaceUuid, scope, retainedFromMs, ...period })) {
        found.push(click)
        if (found.length >= 2 * most) found.splice(0, most)
      }
      const clicks = await named(workspaceUuid, found.slice(-most))
      chosen = choose === undefined ? clicks : await choose(clicks)
      if (chosen.length >= count) break
    }
    return chosen.slice(-count)
  }

  return {
    async open(workspaceUuid, query) {
      const { uuid } = query
      const choose = choiceOf(workspaceUuid, query)
      if (uuid !== undefined && choose !== undefined)
        throw fieldError('uuid', 'Cannot be combined with tag or domain')
      const scope = uuid === undefined ? undefined : await analyticsScope(db, workspaceUuid, [uuid])
      if (uuid !== undefined && scope === undefined) throw new AppError('not_found')
      const { recent = 0 } = query
      if (recent > 0)
        await deps.statistics.reach(workspaceUuid, {
          fromMs: deps.now() - Math.max(...LOOK_BACK_MS),
          toMs: deps.now(),
        })
      const listener = live.open(workspaceUuid, { resourceUuids: scope && new Set(scope), choose, present })
      await live.announced()
      // In parallel with the stream, which does not wait for them and works without them.
      if (recent > 0)
        void admission
          .run('statistics', () => latest(workspaceUuid, scope, choose, recent))
          .then((clicks) => clicks.forEach((click) => listener.send('recent', present(click))))
          .catch(deps.report)
      return listener
    },
  }
}
