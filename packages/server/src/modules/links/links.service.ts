import { type Body, type Data, type Query, TAG_SEPARATOR } from '@waymark/contract/schemas'
import type { Quotas } from '../../accounts/users/quotas.ts'
import { startFromKnownClicks } from '../../clicks/click-limits.ts'
import { AppError, atPlace } from '../../net/errors.ts'
import type { Listed } from '../owned/listing.ts'
import { mapInTurns } from '../../work/turns.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import type { DomainService } from '../domains/domains.service.ts'
import { type RestorableDependencies, RestorableResource } from '../owned/restorable-resource.ts'
import { checkVersion, type KnownVersions } from '../owned/versions.ts'
import {
  DestinationRules,
  type DestinationRulesDependencies,
  type Destinations,
  editedDestinations,
} from './destinations.ts'
import {
  type Link,
  type LinkContext,
  type LinkCreate,
  linkFields,
  type LinkOwner,
  storedDestinations,
  settledTags,
  tagRows,
  tagsOf,
} from './link-fields.ts'
import type { Cause, LinkHistory } from './link-history.ts'
import { LinkInserts, type LinkWithPast, type OwnedLink, type PreparedLink } from './link-inserts.ts'
import { type LinkPreviewDependencies, LinkPreviews } from './link-previews.ts'
import { type LinkFilter, linkFilterOf } from './link-search.ts'
import type { LinkStore, ShortCodeName } from './links.store.ts'
import { LinkNames, type LinkNamesDependencies } from './short-codes.ts'

export type { Link, LinkOwner }
type LinkEdit = Body<'editLinks'>

export interface LinkDependencies
  extends
    RestorableDependencies,
    LinkNamesDependencies,
    LinkPreviewDependencies,
    DestinationRulesDependencies {
  readonly quotas: Quotas
  readonly store: LinkStore
  readonly history: LinkHistory
  readonly domains: DomainService
  readonly blockOf: LinkContext['blockOf']
}

/** A link, and whether it is new. */
interface ReusedLink {
  readonly link: Link
  readonly isNew: boolean
}

/** Number of links to one destination that are checked for one that is not blocked. */
const PLAIN_LINKS = 20

export class LinkService {
  readonly #deps: LinkDependencies
  readonly #names: LinkNames
  readonly #destinations: DestinationRules
  readonly #previews: LinkPreviews
  readonly #inserts: LinkInserts
  /** Finds, lists, removes, restores and erases links. */
  readonly owned: RestorableResource<LinkRow, Link, LinkFilter>
  /** Data for responses and exports that the row of a link does not have. */
  readonly context: LinkContext

  constructor(deps: LinkDependencies) {
    this.#deps = deps
    this.#names = new LinkNames(deps)
    this.#destinations = new DestinationRules(deps)
    this.#previews = new LinkPreviews(deps)
    this.#inserts = new LinkInserts({
      ...deps,
      names: this.#names,
      previews: this.#previews,
      newRow: (workspaceUuid) => this.owned.newRow(workspaceUuid),
    })
    this.context = {
      domainName: (domain) => deps.domains.nameOf(domain),
      shortUrl: (row) => this.shortUrl(row),
      blockOf: deps.blockOf,
      sharedMediaUrl: deps.sharedMediaUrl,
    }
    this.owned = new RestorableResource(deps, deps.store, {
      type: 'link',
      noun: 'link',
      total: 'links',
      label: (row) => row.title ?? this.shortUrl(row).replace(/^https?:\/\//, ''),
      presenterOf: () => Promise.resolve((row) => this.present(row)),
      rejectParts(rows) {
        if (rows.some(({ owner_type }) => owner_type !== null)) throw new AppError('link_owned')
      },
      moved: async (_userUuid, rows, isTrashed) => {
        await this.#previews.moved(rows, isTrashed)
        if (!isTrashed) await deps.history.restored(rows)
        await this.#names.changed(rows)
      },
      erasing: async (_userUuid, rows) => {
        await this.#previews.erase(rows)
        await this.#names.erase(rows)
      },
    })
  }

  async create(workspaceUuid: string, input: LinkCreate, prepared: PreparedLink = {}): Promise<Link> {
    this.#destinations.checkAll(input)
    const { db, events, quotas } = this.#deps
    return db.write(async () => {
      await quotas.take(workspaceUuid, 'links')
      const link = this.present(await this.#inserts.one(workspaceUuid, { input, prepared }))
      await events.record(workspaceUuid, 'link.created', () => [link])
      return link
    })
  }

  /** An existing link of the account to the destination, or a new one. */
  async reuse(workspaceUuid: string, input: Pick<LinkCreate, 'link' | 'domain'>): Promise<ReusedLink> {
    this.#destinations.checkAll(input)
    const { db, events, quotas, domains } = this.#deps
    return db.write(async () => {
      const domain = await domains.choose(workspaceUuid, input.domain)
      const known = await this.#findPlain(workspaceUuid, domain, input.link)
      if (known !== undefined) return { link: this.present(known), isNew: false }
      // On PostgreSQL other writes that create links of the account wait from here to the commit, so check again.
      await quotas.take(workspaceUuid, 'links')
      const faster = await this.#findPlain(workspaceUuid, domain, input.link)
      if (faster !== undefined) {
        await quotas.adjust(workspaceUuid, 'links', -1)
        return { link: this.present(faster), isNew: false }
      }
      const link = this.present(await this.#inserts.one(workspaceUuid, { input }))
      await events.record(workspaceUuid, 'link.created', () => [link])
      return { link, isNew: true }
    })
  }

  /** Skips blocked links, which are few. */
  async #findPlain(workspaceUuid: string, domain: string, url: string): Promise<LinkRow | undefined> {
    const { store, blockOf } = this.#deps
    const rows = await store.listPlain(workspaceUuid, domain, url, PLAIN_LINKS)
    return rows.find(({ uuid }) => blockOf({ uuid, workspaceUuid, urls: () => [url] }) === undefined)
  }

  /** All or none; errors include the place in the list. `LinkPreparation` has checked the destinations. */
  async createMany(
    workspaceUuid: string,
    inputs: readonly LinkCreate[],
    prepared: readonly PreparedLink[],
  ): Promise<Link[]> {
    const { db, events, quotas } = this.#deps
    return db.write(async () => {
      await quotas.take(workspaceUuid, 'links', inputs.length)
      const given = inputs.map((input, at) => ({ input, prepared: prepared[at] ?? {} }))
      const rows = await this.#inserts.many(workspaceUuid, given)
      const links = await mapInTurns(rows, (row) => this.present(row))
      await events.record(workspaceUuid, 'link.created', () => links)
      return links
    })
  }

  /**
   * Imported links; inside the write that records them. Throws `code_taken` if another one was faster. `pause` is called
   * between statements and may abort the write by throwing.
   */
  async createImported(
    workspaceUuid: string,
    links: readonly LinkWithPast[],
    pause?: () => void,
  ): Promise<Link[]> {
    const { events, quotas } = this.#deps
    const given = links.map((link) => ({ input: link.input, prepared: link, past: link }))
    const created = (await this.#inserts.many(workspaceUuid, given, pause)).map((row) => this.present(row))
    await events.record(workspaceUuid, 'link.created', () => created)
    pause?.()
    // Last, because on PostgreSQL other writes of the account wait from here to the commit.
    await quotas.take(workspaceUuid, 'links', links.length)
    return created
  }

  /** A link of another resource; inside the write that creates that. */
  async createOwned(workspaceUuid: string, owner: LinkOwner, link: OwnedLink): Promise<LinkRow> {
    const { events, quotas, domains } = this.#deps
    await quotas.adjust(workspaceUuid, 'links', 1)
    const { url, domain = '', shortCode, description = null } = link
    const input = { link: url, description, domain: domains.nameOf(domain), customLink: shortCode ?? null }
    const row = await this.#inserts.one(workspaceUuid, { input, owner })
    await events.record(workspaceUuid, 'link.created', () => [this.present(row)])
    return row
  }

  /** A short code that is very likely free, for pictures drawn before their link exists. */
  newShortCode(): string {
    return this.#deps.newShortCode()
  }

  async edit(
    workspaceUuid: string,
    input: LinkEdit,
    { passwordHash, picture }: PreparedLink = {},
    versions?: KnownVersions,
    cause: Cause = { type: 'dashboard' },
  ): Promise<Link> {
    this.#destinations.checkAll(input)
    const { db, history, domains, now } = this.#deps
    return db.write(async () => {
      const row = await this.owned.find(workspaceUuid, input.uuid)
      await checkVersion(row, versions, () => this.present(row))
      if (row.owner_type !== null && input.link !== row.url) throw new AppError('link_owned')
      rejectDates(input, row, now())
      const destinations = editedDestinations(row, input)
      // Also checks unchanged destinations: forwarding paths makes more of them a loop.
      if (destinations.forward_path === true) this.#destinations.checkAll(destinations)
      const tagged = settledTags(input, tagsOf(row))
      const domain =
        input.domain === undefined ? row.domain : await domains.choose(workspaceUuid, input.domain)
      const name = await this.#names.rename(row, domain, input.customLink)
      const edited = await this.owned.update(row, {
        ...linkFields.changedColumns({ ...input, ...tagged }),
        ...(passwordHash !== undefined && { password_hash: passwordHash }),
        preview: this.#previews.columnOf(input.preview, row),
        ...name,
      })
      if (edited.max_clicks !== null && edited.max_clicks !== row.max_clicks)
        await startFromKnownClicks(db, row.uuid)
      await this.#retag(row, tagged.tags)
      await this.#previews.changed(row, edited, picture)
      await this.#names.changed([row])
      await history.record(row, edited, cause)
      return this.owned.record('edited', edited)
    })
  }

  async #retag(row: LinkRow, tags: readonly string[] | undefined): Promise<void> {
    if (tags === undefined || tags.join(TAG_SEPARATOR) === tagsOf(row).join(TAG_SEPARATOR)) return
    const { store } = this.#deps
    await store.removeTags(row.uuid)
    await store.insertTags(tagRows(row, tags))
  }

  /** Changes the destination of an owned link; inside the owner's write. */
  async redirectOwned(workspaceUuid: string, uuid: string, url: string): Promise<void> {
    const row = await this.owned.find(workspaceUuid, uuid)
    if (row.forward_path === 1) this.#destinations.check(url, 'url', true)
    const edited = await this.owned.update(row, { url })
    await this.#names.changed([edited])
    await this.#deps.history.record(row, edited, { type: 'resource' })
    await this.owned.record('edited', edited)
  }

  list(workspaceUuid: string, query: Query<'links'>): Promise<Listed<Link>> {
    return this.owned.list(workspaceUuid, query, this.filterOf(query))
  }

  filterOf(query: Query<'links'>): ReturnType<typeof linkFilterOf> {
    return linkFilterOf(query, this.#deps.now(), this.#deps.domains)
  }

  tags(workspaceUuid: string): Promise<Data<'tags'>> {
    return this.#deps.store.tags(workspaceUuid)
  }

  /** The names of links, by uuid. */
  async named(
    workspaceUuid: string,
    uuids: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<Link, 'short_url' | 'code' | 'domain' | 'title'>>> {
    const rows = await this.#deps.store.findMany(workspaceUuid, uuids)
    return new Map(
      rows.map((row) => {
        const { uuid, short_url, code, domain, title, description } = this.present(row)
        return [uuid, { short_url, code, domain, title: title ?? description }]
      }),
    )
  }

  present(row: LinkRow): Link {
    return linkFields.show(row, this.context)
  }

  shortUrl({ domain, short_code }: ShortCodeName): string {
    return `${this.#deps.domains.originOf(domain)}/${short_code}`
  }

  /** A link by its uuid, its short code on the host of the instance, or its short URL; for operators. */
  findForOperator(named: string): Promise<LinkRow> {
    return findNamedLink(this.#deps, named)
  }

  /** Every possible destination of a link. */
  destinationsOf(row: LinkRow): string[] {
    return storedDestinations(row)
  }

  /** Whether a URL is, or could become, one of our own short links. */
  isShortLink(url: string): boolean {
    return this.#destinations.isShortLink(url)
  }

  /** Rejects our own short links as destinations, because they could cause a loop. */
  rejectLoop(url: string, field: string): void {
    this.#destinations.check(url, field)
  }

  /** The fields of a link with a rejected destination, and why. */
  faultsOf(input: Destinations): { field: string; fault: string }[] {
    return this.#destinations.faultsOf(input)
  }

  /** Like `rejectLoop`, for one of many links; the error includes its place in the list. */
  rejectLoopsAt(input: LinkCreate, at: number): void {
    try {
      this.#destinations.checkAll(input)
    } catch (error) {
      throw atPlace(error, `links.${at}`)
    }
  }
}

interface Dates {
  readonly starts_at?: number | null | undefined
  readonly expire?: number | null | undefined
}

/**
 * Rules that the schema of an edit cannot check, because they depend on the link: a past `expire` may stay, so that an
 * expired link can be sent back unchanged, and each date is compared with the other stored one.
 */
function rejectDates(input: Dates, row: Pick<LinkRow, 'starts_at' | 'expires_at'>, nowMs: number): void {
  const { starts_at: startsAt = row.starts_at, expire = row.expires_at } = input
  const isMoved = expire !== row.expires_at
  if (isMoved && expire !== null && expire <= nowMs)
    throw new AppError('validation', { errors: { expire: ['Must not be in the past'] } })
  const isChanged = isMoved || startsAt !== row.starts_at
  if (isChanged && startsAt !== null && expire !== null && startsAt >= expire)
    throw new AppError('validation', { errors: { starts_at: ['Must be before expire'] } })
}

interface NamedLinkDependencies {
  readonly store: Pick<LinkStore, 'findShortCode' | 'findAny'>
  readonly domains: Pick<DomainService, 'storedName' | 'spelled'>
}

/** The link of any account with this uuid, short code on the host of the instance, or short URL. */
async function findNamedLink({ store, domains }: NamedLinkDependencies, named: string): Promise<LinkRow> {
  const url = URL.parse(named)
  const isUrl = url !== null && /^https?:$/.test(url.protocol)
  const domain = isUrl ? domains.storedName(url.hostname) : ''
  const short_code = domains.spelled(domain, isUrl ? url.pathname.slice(1) : named)
  const uuid = await store.findShortCode({ domain, short_code })
  const row = await store.findAny(uuid ?? named)
  if (row === undefined) throw new AppError('not_found', { message: `There is no link ${named}` })
  return row
}
