import { createHash, randomBytes } from 'node:crypto'
import { sites } from '@waymark/contract'
import type { Body, Data } from '@waymark/contract/schemas'
import { LRUCache } from 'lru-cache'
import { type Caller, personOf } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { SingleFlight } from '../../work/single-flight.ts'
import { DAY_MS, isoTime } from '../../work/times.ts'
import type { AnalyticsService } from '../analytics/analytics.service.ts'
import type { SharedRow, SharedStore } from './shared-statistics.store.ts'

type Shared = Data<'sharedStatistics'>[number]
type Figures = Data<'analytics'>

/** The periods of a shared page, in days. */
export const PERIODS = [7, 30, 90, 365] as const
export type Period = (typeof PERIODS)[number]

const breakdowns = ['source', 'country', 'referrer', 'device', 'browser', 'system'] as const
const ofPages = ['button', 'country', 'referrer', 'device', 'browser', 'system'] as const
type Dimension = (typeof breakdowns)[number] | (typeof ofPages)[number]

/** The data of a shared page: sums, and no single clicks. */
export interface SharedReport {
  readonly type: 'link' | 'page'
  readonly name: string
  readonly url: string
  readonly period: Period
  readonly figures: Figures
  readonly parts: readonly { readonly by: Dimension; readonly rows: Figures['breakdown'] }[]
}

export interface SharedDependencies {
  readonly db: Database
  readonly store: SharedStore
  readonly secrets: Secrets
  readonly analytics: Pick<AnalyticsService, 'get'>
  readonly isSuspended: (workspaceUuid: string) => boolean
  readonly shortUrl: (name: { domain: string; short_code: string }) => string
  readonly pageUrl: (name: { domain: string; slug: string }) => string
  readonly baseUrl: string
  readonly now: () => number
}

const MAX_SHARED = 100
const TOKEN = /^[\w-]{32}$/
const CACHED_MS = 60_000
/** Number of cached reports, some 20 KB each. */
const MAX_REPORTS = 500

/** A fast hash is enough: a token has 192 random bits. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Statistics of links and pages that are shared, each at its own address. */
export class SharedStatisticsService {
  readonly #deps: SharedDependencies
  readonly #reports = new LRUCache<string, SharedReport>({ max: MAX_REPORTS, ttl: CACHED_MS })
  readonly #reading = new SingleFlight<SharedReport>()

  constructor(deps: SharedDependencies) {
    this.#deps = deps
  }

  /** Shares the statistics of a link or page, or changes when an existing address expires. */
  async share(
    caller: Pick<Caller, 'workspaceUuid' | 'userUuid' | 'keptRole'>,
    { uuid, expires_at }: Body<'shareStatistics'>,
  ): Promise<{ isNew: boolean; shared: Shared }> {
    const { db, store, secrets, now } = this.#deps
    const { workspaceUuid } = caller
    return db.write(async () => {
      const found = await store.find(workspaceUuid, uuid, now())
      if (found !== undefined) {
        const expires = expires_at === undefined ? found.expires_at : expires_at
        await store.update(workspaceUuid, uuid, expires)
        return { isNew: false, shared: this.#present({ ...found, expires_at: expires }) }
      }
      const kind = await store.kindOf(workspaceUuid, uuid)
      if (kind === undefined) throw new AppError('not_found')
      if ((await store.list(workspaceUuid, now())).length >= MAX_SHARED) throw new AppError('too_many_shared')
      const token = randomBytes(24).toString('base64url')
      // An expired address is not reused.
      await store.remove(workspaceUuid, uuid)
      await store.insert({
        uuid,
        workspace_uuid: workspaceUuid,
        link_uuid: kind === 'link' ? uuid : null,
        page_uuid: kind === 'page' ? uuid : null,
        token_hash: hashOf(token),
        token_sealed: secrets.seal(token, uuid),
        expires_at: expires_at ?? null,
        created_by: personOf(caller) ?? null,
        created_at: now(),
      })
      const row = await store.find(workspaceUuid, uuid, now())
      if (row === undefined) throw new AppError('not_found')
      return { isNew: true, shared: this.#present(row) }
    })
  }

  async list(workspaceUuid: string): Promise<Shared[]> {
    const { store, now } = this.#deps
    return (await store.list(workspaceUuid, now())).map((row) => this.#present(row))
  }

  async unshare(workspaceUuid: string, uuid: string): Promise<{ uuid: string }> {
    const { db, store } = this.#deps
    if (!(await db.write(() => store.remove(workspaceUuid, uuid)))) throw new AppError('not_found')
    return { uuid }
  }

  /** Queried for each request, so that an address ends in every process at once. */
  async find(token: string): Promise<SharedRow | undefined> {
    if (!TOKEN.test(token)) return undefined
    const row = await this.#deps.store.findByHash(hashOf(token), this.#deps.now())
    return row === undefined || this.#deps.isSuspended(row.workspace_uuid) ? undefined : row
  }

  /** The figures of a period, cached for a minute. */
  async report(row: SharedRow, period: Period): Promise<SharedReport> {
    const key = `${row.uuid} ${period}`
    const cached = this.#reports.get(key)
    if (cached !== undefined) return cached
    return this.#reading.run(key, async () => {
      const report = await this.#read(row, period)
      this.#reports.set(key, report)
      return report
    })
  }

  async removeExpired(): Promise<void> {
    const { db, store, now } = this.#deps
    await db.write(() => store.removeExpired(now()))
  }

  async #read(row: SharedRow, period: Period): Promise<SharedReport> {
    const { analytics, now } = this.#deps
    const about = this.#nameOf(row)
    const today = Math.floor(now() / DAY_MS) * DAY_MS
    const by = about.type === 'page' ? ofPages : breakdowns
    const figures = await analytics.get(row.workspace_uuid, {
      uuid: [row.uuid],
      from: new Date(today - (period - 1) * DAY_MS).toISOString(),
      interval: period === 365 ? 'month' : 'day',
      compare: true,
      by: [...by],
    })
    const parts =
      figures.totals.clicks === 0
        ? []
        : by.map((dimension) => ({ by: dimension, rows: figures.breakdowns?.[dimension] ?? [] }))
    return { ...about, period, figures, parts }
  }

  #nameOf(row: SharedRow): Pick<SharedReport, 'type' | 'name' | 'url'> {
    const { shortUrl, pageUrl } = this.#deps
    if (row.link_uuid === null) {
      const url = pageUrl({ domain: row.page_domain ?? '', slug: row.slug ?? '' })
      return { type: 'page', name: row.page_title ?? '', url }
    }
    const url = shortUrl({ domain: row.link_domain ?? '', short_code: row.short_code ?? '' })
    return { type: 'link', name: row.link_title ?? row.description ?? row.short_code ?? '', url }
  }

  #present(row: SharedRow): Shared {
    const { secrets, baseUrl } = this.#deps
    const { type, name } = this.#nameOf(row)
    return {
      uuid: row.uuid,
      type,
      name,
      shared_url: `${baseUrl}${sites.dashboard}/shared/${secrets.open(row.token_sealed, row.uuid)}`,
      expires_at: row.expires_at === null ? null : isoTime(row.expires_at),
      created_by: row.created_by,
      created_at: isoTime(row.created_at),
    }
  }
}
