import type { Body } from '@waymark/contract/schemas'
import { buildUtmUrl, lintUtm } from '@waymark/contract/utm'
import { fieldError } from '../../net/errors.ts'
import type { LinkService } from '../links/links.service.ts'
import type { LinkRow } from '../links/links.store.ts'
import { linksOf, ownLinksOf, type TrackedLinks, type Tracking } from '../links/tracked-links.ts'
import { type RestorableDependencies, RestorableResource } from '../owned/restorable-resource.ts'
import { checkVersion, type KnownVersions } from '../owned/versions.ts'
import {
  type TagColumn,
  type UtmCreate,
  utmFields,
  type UtmLink,
  type UtmLinkRow,
  type UtmStore,
} from './utm.store.ts'

export type { UtmLink }
type UtmEdit = Body<'editUtm'>

export interface UtmDependencies extends RestorableDependencies {
  readonly store: UtmStore
  readonly links: LinkService
  readonly tracked: TrackedLinks
}

/** A tagged address before its transaction. */
export interface TaggedUtm {
  readonly fields: Pick<UtmLinkRow, 'url' | TagColumn | 'utm_url' | 'warnings'>
  readonly tracking: Tracking
  /** The row that an edit was prepared for. */
  readonly seen: UtmLinkRow | undefined
}

const TAGS: readonly TagColumn[] = ['source', 'medium', 'campaign', 'content', 'term']
/** Maximum length of a link's destination. */
const MAX_URL = 2048

export class UtmService {
  readonly #deps: UtmDependencies
  /** Finds, lists, removes, restores and erases UTM links. */
  readonly owned: RestorableResource<UtmLinkRow, UtmLink>

  constructor(deps: UtmDependencies) {
    this.#deps = deps
    const { links } = deps
    this.owned = new RestorableResource(deps, deps.store, {
      type: 'utm',
      noun: 'UTM link',
      total: 'utm',
      label: ({ utm_url }) => utm_url,
      presenterOf: (workspaceUuid, rows) => this.#presenterOf(workspaceUuid, rows),
      moved: async (workspaceUuid, rows, isTrashed) =>
        links.owned.moveParts(workspaceUuid, await ownLinksOf(links, workspaceUuid, rows), isTrashed),
      erasing: async (workspaceUuid, rows) =>
        links.owned.erase(workspaceUuid, await ownLinksOf(links, workspaceUuid, rows)),
    })
  }

  /** Builds and checks a new address; before any transaction. */
  tag(workspaceUuid: string, input: UtmCreate): Promise<TaggedUtm> {
    const { term } = utmFields.newColumns(input)
    return this.#tag(workspaceUuid, { ...input, term }, input.shorten ?? false, undefined)
  }

  /** Builds and checks an edited address; omitted `term` and `shorten` do not change. */
  async retag(workspaceUuid: string, input: UtmEdit, versions?: KnownVersions): Promise<TaggedUtm> {
    const seen = await this.owned.find(workspaceUuid, input.uuid)
    await checkVersion(seen, versions, () => this.owned.present(workspaceUuid, seen))
    const { term } = { ...seen, ...utmFields.changedColumns(input) }
    const shorten = input.shorten === undefined ? seen.link_uuid !== null : (input.shorten ?? false)
    return this.#tag(workspaceUuid, { ...input, term }, shorten, seen)
  }

  async #tag(
    workspaceUuid: string,
    input: Pick<UtmCreate, 'url' | 'source' | 'medium' | 'campaign' | 'content'> & { term: string | null },
    shorten: boolean,
    seen: UtmLinkRow | undefined,
  ): Promise<TaggedUtm> {
    const { url, source, medium, campaign, content, term } = input
    const tags = { source, medium, campaign, content, term }
    const utm_url = buildUtmUrl(url, tags)
    if (shorten && utm_url.length > MAX_URL)
      throw fieldError(
        'shorten',
        `The tagged address is over ${MAX_URL} characters: too long for a short link`,
      )
    const before = seen && trackedBefore(seen, shorten)
    const tracking = await this.#deps.tracked.plan(utm_url, shorten, before)
    const warnings = lintUtm(url, tags, {
      isShortLink: this.#deps.links.isShortLink(url),
      used: await this.#spellings(workspaceUuid, tags, seen?.uuid ?? ''),
    })
    return { fields: { url, ...tags, utm_url, warnings: JSON.stringify(warnings) }, tracking, seen }
  }

  async #spellings(
    workspaceUuid: string,
    tags: Record<TagColumn, string | null>,
    exceptUuid: string,
  ): Promise<Partial<Record<TagColumn, string[]>>> {
    const found = await Promise.all(
      TAGS.map(async (column) => {
        const value = tags[column]
        return value === null ? [] : this.#deps.store.findSpellings(workspaceUuid, column, value, exceptUuid)
      }),
    )
    return Object.fromEntries(TAGS.map((column, at) => [column, found[at] ?? []]))
  }

  async create(workspaceUuid: string, { fields, tracking }: TaggedUtm): Promise<UtmLink> {
    const { db, store, quotas, tracked } = this.#deps
    return db.write(async () => {
      await quotas.take(workspaceUuid, 'utm')
      const created = this.owned.newRow(workspaceUuid)
      const link_uuid = await tracked.settle(workspaceUuid, { type: 'utm', uuid: created.uuid }, tracking)
      const row: UtmLinkRow = { ...created, ...fields, link_uuid }
      await store.insert(row)
      return this.owned.record('created', row)
    })
  }

  async edit(workspaceUuid: string, { fields, tracking, seen }: TaggedUtm): Promise<UtmLink> {
    const { db, links, tracked } = this.#deps
    if (seen === undefined) throw new Error('an edit needs the row it was prepared for')
    return db.write(async () => {
      const link_uuid = await tracked.settle(workspaceUuid, { type: 'utm', uuid: seen.uuid }, tracking)
      const row = await this.owned.update(seen, { ...fields, link_uuid })
      if (seen.link_uuid !== null && link_uuid === null)
        await links.owned.endParts(workspaceUuid, [seen.link_uuid])
      return this.owned.record('edited', row)
    })
  }

  async #presenterOf(
    workspaceUuid: string,
    rows: readonly UtmLinkRow[],
  ): Promise<(row: UtmLinkRow) => UtmLink> {
    const linkOf = await linksOf(this.#deps.links, workspaceUuid, rows)
    return (row) => this.#present(row, linkOf(row))
  }

  #present(row: UtmLinkRow, link: LinkRow | undefined): UtmLink {
    const { links } = this.#deps
    return utmFields.show(row, { link, shortUrl: (of) => links.shortUrl(of) })
  }
}

/** The link's current destination. Unlike the link of a printed code, the link ends when `shorten` is switched off. */
const trackedBefore = (seen: UtmLinkRow, shorten: boolean) => ({
  workspace_uuid: seen.workspace_uuid,
  url: seen.utm_url,
  encodes: '',
  dynamic: 1,
  link_uuid: shorten ? seen.link_uuid : null,
})
