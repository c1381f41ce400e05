import type { Body, Data, LinkRule, LinkVariant } from '@waymark/contract/schemas'
import { AppError, fieldError } from '../../net/errors.ts'
import { chunksOf, type Database } from '../../storage/db/database.ts'
import { idAt } from '../../storage/db/ids.ts'
import type { LinkRow, LinkVersionRow } from '../../storage/db/tables.ts'
import { DAY_MS, isoTime, isoTimeOrNull } from '../../work/times.ts'
import type { Listed } from '../owned/listing.ts'
import type { KnownVersions } from '../owned/versions.ts'
import { type Link, readList } from './link-fields.ts'

const ROWS = 500

export function createHistoryStore(db: Database) {
  const ofLink = (linkUuid: string) =>
    db.sql.selectFrom('link_versions').selectAll().where('link_uuid', '=', linkUuid)

  return {
    async insert(rows: readonly LinkVersionRow[]): Promise<void> {
      for (const some of chunksOf(rows, ROWS)) await db.sql.insertInto('link_versions').values(some).execute()
    },
    /** Newest first. */
    list(linkUuid: string, take: number): Promise<LinkVersionRow[]> {
      return ofLink(linkUuid).orderBy('uuid', 'desc').limit(take).execute()
    },
    find(linkUuid: string, uuid: string): Promise<LinkVersionRow | undefined> {
      return ofLink(linkUuid).where('uuid', '=', uuid).executeTakeFirst()
    },
    /** The number of versions of links; links without any are missing. */
    async counts(linkUuids: readonly string[]): Promise<Map<string, number>> {
      const rows = await db.sql
        .selectFrom('link_versions')
        .select((eb) => ['link_uuid', eb.fn.countAll<number>().as('count')])
        .where('link_uuid', 'in', linkUuids)
        .groupBy('link_uuid')
        .execute()
      return new Map(rows.map(({ link_uuid, count }) => [link_uuid, count]))
    },
    /** Deletes versions older than a time. */
    async removeOlder(linkUuids: readonly string[], thanMs: number): Promise<void> {
      await db.sql
        .deleteFrom('link_versions')
        .where('link_uuid', 'in', linkUuids)
        .where('created_at', '<', thanMs)
        .execute()
    },
    /** Deletes all but the newest versions of a link. */
    async removeAllBut(linkUuid: string, kept: number): Promise<void> {
      const newest = await ofLink(linkUuid).orderBy('uuid', 'desc').limit(kept).execute()
      await db.sql
        .deleteFrom('link_versions')
        .where('link_uuid', '=', linkUuid)
        .where('uuid', '<', newest.at(-1)?.uuid ?? '')
        .execute()
    },
    /** Deletes a batch of versions of all links with a uuid below this one; returns how many. */
    async removeSome(thanUuid: string, take: number): Promise<number> {
      const { numDeletedRows } = await db.sql
        .deleteFrom('link_versions')
        .where('uuid', 'in', (eb) =>
          eb
            .selectFrom('link_versions')
            .select('uuid')
            .where('uuid', '<', thanUuid)
            .orderBy('uuid')
            .limit(take),
        )
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
    async keyName(keyUuid: string): Promise<string | null> {
      const row = await db.sql
        .selectFrom('api_keys')
        .select('name')
        .where('uuid', '=', keyUuid)
        .executeTakeFirst()
      return row?.name ?? null
    },
  }
}

export type HistoryStore = ReturnType<typeof createHistoryStore>

type Version = Data<'linkHistory'>[number]

/** The cause of a change: the dashboard, an API key, a revert, or the resource that the link belongs to. */
export type Cause =
  | { readonly type: 'dashboard' | 'revert' | 'resource' | 'created' | 'import' | 'restore' }
  | { readonly type: 'key'; readonly keyUuid: string }

interface HistoryDependencies {
  readonly db: Database
  readonly store: HistoryStore
  readonly now: () => number
  readonly newId: () => string
}

/** The columns of a version: those that decide where a visitor is sent, and the expiry. */
const VERSION_COLUMNS = [
  'url',
  'ios_url',
  'android_url',
  'rules',
  'variants',
  'expires_at',
  'domain',
] as const
type VersionColumns = Pick<LinkRow, (typeof VERSION_COLUMNS)[number]>

/** A link before and after a change. */
interface Changed {
  readonly before: LinkRow
  readonly after: LinkRow
}

const MAX_VERSIONS = 100
const YEAR_MS = 365 * DAY_MS
/** Deleted in one transaction, so that on SQLite no other write waits long. */
const REMOVED_AT_ONCE = 1_000

const versionColumnsOf = (row: LinkRow): VersionColumns =>
  Object.fromEntries(VERSION_COLUMNS.map((name) => [name, row[name]])) as VersionColumns

/** Earlier versions of links, stored for a year and at most 100 of each. */
export class LinkHistory {
  readonly #deps: HistoryDependencies

  constructor(deps: HistoryDependencies) {
    this.#deps = deps
  }

  /** Records a change; inside the write that makes it. */
  record(before: LinkRow, after: LinkRow, cause: Cause): Promise<void> {
    return this.recordMany([{ before, after }], cause)
  }

  /** Records the changes of many links. */
  async recordMany(changes: readonly Changed[], cause: Cause): Promise<void> {
    const kept = changes.filter(({ before, after }) =>
      VERSION_COLUMNS.some((name) => before[name] !== after[name]),
    )
    await this.#append(kept, cause)
  }

  /** Records that links were restored from the trash. */
  async restored(links: readonly LinkRow[]): Promise<void> {
    await this.#append(
      links.map((link) => ({ before: link, after: link })),
      { type: 'restore' },
    )
  }

  /** The first change of a link also records its initial state. */
  async #append(changes: readonly Changed[], cause: Cause): Promise<void> {
    if (changes.length === 0) return
    const { store, now } = this.#deps
    const uuids = changes.map(({ before }) => before.uuid)
    const counts = await store.counts(uuids)
    const causeName = cause.type === 'key' ? await store.keyName(cause.keyUuid) : null
    await store.insert(
      changes.flatMap(({ before, after }) => [
        ...(counts.has(before.uuid) ? [] : [this.#first(before)]),
        this.#row(after, now(), cause.type, causeName),
      ]),
    )
    await store.removeOlder(uuids, now() - YEAR_MS)
    for (const [uuid, count] of counts)
      if (count >= MAX_VERSIONS) await store.removeAllBut(uuid, MAX_VERSIONS)
  }

  #first(link: LinkRow): LinkVersionRow {
    const { imported_at, created_at } = link
    return imported_at === null
      ? this.#row(link, created_at, 'created')
      : this.#row(link, imported_at, 'import')
  }

  /** Deletes versions after a year, in batches. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { db, store, now } = this.#deps
    const before = idAt(now() - YEAR_MS)
    while (!signal.aborted)
      if ((await db.write(() => store.removeSome(before, REMOVED_AT_ONCE))) === 0) return
  }

  #row(link: LinkRow, at: number, cause: Cause['type'], causeName: string | null = null): LinkVersionRow {
    return {
      uuid: this.#deps.newId(),
      link_uuid: link.uuid,
      version: JSON.stringify(versionColumnsOf(link)),
      cause,
      cause_name: causeName,
      created_at: at,
    }
  }

  /** The versions of a link, the current one first; a link that was never changed has one. */
  async list(link: LinkRow, domainName: (domain: string) => string): Promise<Listed<Version>> {
    const { store, now } = this.#deps
    const since = now() - YEAR_MS
    const stored = (await store.list(link.uuid, MAX_VERSIONS)).filter(({ created_at }) => created_at >= since)
    const rows = stored.length > 0 ? stored : [{ ...this.#first(link), uuid: link.uuid }]
    const items = rows.map((row, at) => presentVersion(row, at === 0, domainName))
    return { items, total: items.length, nextCursor: null }
  }

  /** The columns of a version; undefined if the link never had it, or it was deleted. */
  async find(link: LinkRow, version: string): Promise<VersionColumns | undefined> {
    const { store, now } = this.#deps
    const row = await store.find(link.uuid, version)
    if (row !== undefined && row.created_at >= now() - YEAR_MS)
      return JSON.parse(row.version) as VersionColumns
    return version === link.uuid ? versionColumnsOf(link) : undefined
  }
}

/** The lists in a version. */
export const listsOf = ({ rules, variants }: VersionColumns) => ({
  rules: readList<LinkRule>(rules),
  variants: readList<LinkVariant>(variants),
})

function presentVersion(
  row: LinkVersionRow,
  current: boolean,
  domainName: (domain: string) => string,
): Version {
  const kept = JSON.parse(row.version) as VersionColumns
  return {
    version: row.uuid,
    changed_at: isoTime(row.created_at),
    cause: { type: row.cause, name: row.cause_name },
    current,
    link: kept.url,
    ios_url: kept.ios_url,
    android_url: kept.android_url,
    ...listsOf(kept),
    expire: isoTimeOrNull(kept.expires_at),
    domain: domainName(kept.domain),
  }
}

/** What going back takes from the service of links, which itself records the history. */
interface RevertedLinks {
  readonly owned: { find(workspaceUuid: string, uuid: string): Promise<LinkRow> }
  readonly context: { readonly domainName: (domain: string) => string }
  edit(
    workspaceUuid: string,
    input: Body<'editLinks'>,
    prepared: undefined,
    versions: KnownVersions | undefined,
    cause: Cause,
  ): Promise<Link>
}

interface RevertDependencies {
  readonly links: RevertedLinks
  readonly history: LinkHistory
  readonly now: () => number
}

/** Shows the history of links, and reverts to earlier versions. */
export class LinkReverts {
  readonly #deps: RevertDependencies

  constructor(deps: RevertDependencies) {
    this.#deps = deps
  }

  async list(workspaceUuid: string, uuid: string): Promise<Listed<Data<'linkHistory'>[number]>> {
    const { links, history } = this.#deps
    return history.list(await links.owned.find(workspaceUuid, uuid), links.context.domainName)
  }

  /**
   * An edit like any other: a domain that no longer exists, or a destination that has become a loop, is rejected. A past
   * expiry is left out, because the link would end with it.
   */
  async revert(
    workspaceUuid: string,
    uuid: string,
    version: string,
    versions?: KnownVersions,
  ): Promise<Link> {
    const { links, history, now } = this.#deps
    const link = await links.owned.find(workspaceUuid, uuid)
    const kept = await history.find(link, version)
    if (kept === undefined) throw fieldError('version', 'The link has no such version')
    if (link.owner_type !== null && kept.url !== link.url) throw new AppError('link_owned')
    const { url, ios_url, android_url, domain, expires_at: expire } = kept
    const input = {
      uuid,
      link: url,
      ios_url,
      android_url,
      ...listsOf(kept),
      ...((expire === null || expire > now()) && { expire }),
      ...(domain !== link.domain && { domain: links.context.domainName(domain) }),
    }
    return links.edit(workspaceUuid, input, undefined, versions, { type: 'revert' })
  }
}
