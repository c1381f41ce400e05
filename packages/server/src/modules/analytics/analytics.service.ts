import type { Readable } from 'node:stream'
import { type VisitDimension, visitDimensions } from '@waymark/contract'
import { browserName, type Data, type Query, readInstant, systemName } from '@waymark/contract/schemas'
import { analyticsScope, linksOf } from '../../clicks/statistics/analytics-scope.ts'
import type {
  Dimension,
  Figures,
  FilterField,
  FiguresQuery,
  Series,
  Statistics,
} from '../../clicks/statistics/statistics.ts'
import { openTimeZone, type TimeZone } from '../../clicks/statistics/time-zone.ts'
import { admission, openDownload } from '../../net/admission/lanes.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import { DAY_MS, isoTime } from '../../work/times.ts'
import type { Database } from '../../storage/db/database.ts'
import { writeClicks } from './click-export.ts'

export type Analytics = Data<'analytics'>
type Share = Analytics['breakdown'][number]
type AnalyticsQuery = Query<'analytics'>
type ExportQuery = Query<'exportClicks'>

const DEFAULT_DAYS = 30
/** Points of one series: ten years of days, or five months of hours. */
const MAX_POINTS = 3_700
/** Stands for an unknown value in filters; in breakdowns it is empty. */
const UNKNOWN = '(none)'

const POINT_MS = { hour: DAY_MS / 24, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const

const DATE = /^\d{4}-\d\d-\d\d$/

export interface AnalyticsDeps {
  readonly db: Database
  readonly statistics: Pick<Statistics, 'figures' | 'clicks'>
  readonly now: () => number
  readonly retentionDays: number
  /** The host name of links without their own domain. */
  readonly ownHost: string
  /** Links by uuid; deleted ones are missing. */
  readonly clickedLinks: (
    workspaceUuid: string,
    uuids: readonly string[],
  ) => Promise<ReadonlyMap<string, NonNullable<Share['link']>>>
  /** Names of a page's buttons and icons. */
  readonly labelsOf: (
    workspaceUuid: string,
    uuid: string,
  ) => Promise<Readonly<Record<'button' | 'icon', ReadonlyMap<string, string>>> | undefined>
}

export interface AnalyticsService {
  get(workspaceUuid: string, query: AnalyticsQuery): Promise<Analytics>
  /** Single clicks as a file, oldest first, including bots and clicks on pages. */
  exportClicks(workspaceUuid: string, query: ExportQuery): Promise<Readable>
}

/** Statistics for their owner. */
export function createAnalytics(deps: AnalyticsDeps): AnalyticsService {
  const { db, statistics, now } = deps

  const scopeOf = async (workspaceUuid: string, { uuid, tag, domain }: ExportQuery) => {
    if (uuid === undefined) {
      if (tag === undefined && domain === undefined) return undefined
      const name = domain?.toLowerCase()
      const group = { tag, domain: name === deps.ownHost ? '' : name }
      return db.read(() => linksOf(db, workspaceUuid, group))
    }
    if (tag !== undefined || domain !== undefined)
      throw fieldError('uuid', 'Cannot be combined with tag or domain')
    const scope = await analyticsScope(db, workspaceUuid, uuid)
    if (scope === undefined) throw new AppError('not_found')
    return scope
  }

  const named = async (
    workspaceUuid: string,
    { uuid }: AnalyticsQuery,
    { totals, breakdowns }: Figures,
    by: Dimension,
  ): Promise<Share[]> => {
    const breakdown = breakdowns.get(by) ?? []
    if (by === 'link') {
      const links = await deps.clickedLinks(
        workspaceUuid,
        breakdown.map(({ value }) => value),
      )
      return breakdown.map(({ value, clicks }) => ({ value, clicks, link: links.get(value) ?? null }))
    }
    const [page, ...others] = uuid ?? []
    if ((by !== 'button' && by !== 'icon') || page === undefined || others.length > 0) return [...breakdown]
    const labels = await deps.labelsOf(workspaceUuid, page)
    if (labels === undefined) return [...breakdown]
    return breakdown.map(({ value, clicks }) => ({
      value,
      clicks,
      label: labels[by].get(value) ?? null,
      rate: totals.clicks === 0 ? null : Math.round((clicks / totals.clicks) * 10_000) / 10_000,
    }))
  }

  /** One dimension is the `breakdown` of the response; several are its `breakdowns`. */
  const breakdownsOf = async (workspaceUuid: string, query: AnalyticsQuery, figures: Figures) => {
    const { by = [] } = query
    const [first] = by
    if (first === undefined) return { by: null, breakdown: [] }
    if (by.length === 1) return { by: first, breakdown: await named(workspaceUuid, query, figures, first) }
    const breakdowns: Partial<Record<Dimension, Share[]>> = {}
    for (const dimension of by) breakdowns[dimension] = await named(workspaceUuid, query, figures, dimension)
    return { by: null, breakdown: [], breakdowns }
  }

  const read = async (workspaceUuid: string, query: AnalyticsQuery): Promise<Analytics> => {
    const zone = timeZoneOf(query.timezone)
    const { interval = 'day', by = [], uuid } = query
    const { fromMs, toMs } = periodOf(query, zone, now())
    if ((toMs - fromMs) / POINT_MS[interval] > MAX_POINTS)
      throw fieldError('interval', 'Too short for this period; choose a longer interval')
    const retainedFromMs = now() - deps.retentionDays * DAY_MS
    const before = query.compare === true ? periodBefore({ interval, fromMs, toMs }, zone) : undefined
    const figures = await statistics.figures({
      workspaceUuid,
      scope: await scopeOf(workspaceUuid, query),
      retainedFromMs,
      fromMs,
      toMs,
      previousFromMs: before?.fromMs,
      interval,
      timezone: zone.name,
      by,
      filters: filtersOf(query),
      bot: query.bot,
    })
    return {
      uuid: uuid?.length === 1 ? (uuid[0] ?? null) : null,
      from: isoTime(fromMs),
      to: isoTime(toMs),
      interval,
      ...pointsOf(figures),
      uniques_exact: figures.uniquesExact,
      timezone: zone.name,
      timezone_exact: fromMs >= retainedFromMs || zone.hasWholeHours(fromMs, toMs),
      previous:
        before === undefined || figures.previous === undefined
          ? null
          : { from: isoTime(before.fromMs), to: isoTime(before.toMs), ...pointsOf(figures.previous) },
      ...(await breakdownsOf(workspaceUuid, query, figures)),
    }
  }

  const exportClicks = async (workspaceUuid: string, query: ExportQuery): Promise<Readable> => {
    const { fromMs, toMs } = periodOf(query, timeZoneOf(query.timezone), now())
    const clicks = statistics.clicks({
      workspaceUuid,
      scope: await scopeOf(workspaceUuid, query),
      retainedFromMs: now() - deps.retentionDays * DAY_MS,
      fromMs,
      toMs: toMs + 1,
    })
    const { ownHost } = deps
    const { format = 'csv' } = query
    return openDownload(writeClicks(clicks, { db, workspaceUuid, ownHost, format }))
  }

  return {
    get: (workspaceUuid, query) => admission.run('statistics', () => read(workspaceUuid, query)),
    exportClicks,
  }
}

function periodOf({ from, to }: ExportQuery, zone: TimeZone, nowMs: number) {
  const toMs = to === undefined ? nowMs : momentOf(to, zone, true)
  const fromMs = from === undefined ? toMs - DEFAULT_DAYS * DAY_MS : momentOf(from, zone, false)
  if (fromMs > toMs) throw fieldError('from', 'Must not be after to')
  return { fromMs, toMs }
}

/** A date is that day in the time zone; an instant is unchanged. */
function momentOf(given: string, zone: TimeZone, isEnd: boolean): number {
  const atMs = readInstant(given, false) ?? 0
  if (!DATE.test(given)) return atMs
  const startMs = zone.startOfDate(atMs)
  return isEnd ? zone.endOf(startMs, 'day') - 1 : startMs
}

/** The same number of hours or days before this period; days on which clocks change have other lengths. */
function periodBefore(
  { interval, fromMs, toMs }: Pick<FiguresQuery, 'interval' | 'fromMs' | 'toMs'>,
  zone: TimeZone,
): { fromMs: number; toMs: number } {
  const unit = interval === 'hour' ? 'hour' : 'day'
  const beginMs = zone.startOf(fromMs, unit)
  const lengthMs = zone.endOf(toMs, unit) - beginMs
  const days = Math.round(lengthMs / DAY_MS)
  const before = unit === 'hour' ? beginMs - lengthMs : zone.startOf(beginMs - (days - 0.5) * DAY_MS, unit)
  return { fromMs: before, toMs: beginMs - 1 }
}

const pointsOf = ({ totals, series }: Series): Pick<Analytics, 'totals' | 'series'> => ({
  totals,
  series: series.map(({ atMs, ...counts }) => ({ at: isoTime(atMs), ...counts })),
})

function timeZoneOf(name = 'UTC'): TimeZone {
  try {
    return openTimeZone(name)
  } catch {
    throw fieldError('timezone', 'Must be a time zone such as Europe/Berlin')
  }
}

const lowerCase = (value: string): string => value.toLowerCase()

/** Converts values with several spellings to their stored form, because a filter that matches nothing would mislead. */
const storedForms: Partial<Record<VisitDimension, (given: string) => string>> = {
  country: (given) => given.toUpperCase(),
  referrer: (given) => given.toLowerCase().replace(/^www\./, ''),
  device: lowerCase,
  language: lowerCase,
  browser: (given) => browserName(given) ?? given,
  system: (given) => systemName(given) ?? given,
}

function filtersOf(query: AnalyticsQuery): Map<FilterField, ReadonlySet<string>> {
  const filters = new Map<FilterField, ReadonlySet<string>>()
  for (const field of visitDimensions) {
    const values = query[field]
    const stored = storedForms[field] ?? ((given: string) => given)
    if (values !== undefined)
      filters.set(field, new Set(values.map((value) => (value === UNKNOWN ? '' : stored(value)))))
  }
  if (query.source !== undefined) filters.set('source', new Set([query.source]))
  return filters
}
