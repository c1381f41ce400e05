import { isReserved, sites } from '@waymark/contract'
import type { BlobReferences, Staged } from '../../storage/blobs/blob-references.ts'
import { type AppError, fieldError } from '../../net/errors.ts'
import { type RestorableDependencies, RestorableResource } from '../owned/restorable-resource.ts'
import { checkVersion, type KnownVersions } from '../owned/versions.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import type { DomainService } from '../domains/domains.service.ts'
import { linksOf } from '../links/tracked-links.ts'
import type { LinkService } from '../links/links.service.ts'
import type { LinkRow } from '../links/links.store.ts'
import { versionOf } from '../codes/image-urls.ts'
import type { DrawnQr, QrcodeService } from '../qrcodes/qrcodes.service.ts'
import type { QrcodeRow } from '../qrcodes/qrcodes.store.ts'
import { pageResponse } from './page-response.ts'
import {
  type Page,
  type PageChanges,
  type PageContent,
  type PageCreate,
  type PageEdit,
  readPage,
} from './page-config.ts'
import {
  draftColumn,
  draftOf,
  editedDraft,
  editedVersion,
  filesOfPage,
  followingDraft,
  publishedOf,
} from './page-draft.ts'
import { uploadsOf } from './page-images.ts'
import type { PageRow, PageStore, SlugName } from './pages.store.ts'

export interface PageDependencies extends RestorableDependencies {
  readonly store: PageStore
  readonly blobs: BlobReferences
  readonly links: LinkService
  readonly qrcodes: QrcodeService
  readonly domains: DomainService
  readonly tombstones: Tombstones
  readonly mediaUrl: (hash: string) => string
  /** Notifies every process to look the page up again. */
  readonly pageChanged: (name: SlugName) => void
}

/** A page with stored pictures, before its transaction. */
interface Composed extends SlugName {
  readonly content: PageContent
  readonly staged: readonly Staged[]
}

export interface ComposedPage extends Composed {
  /** The code of the short link, with which its QR code was drawn. */
  readonly shortCode: string
  readonly drawn: DrawnQr
}

export interface RecomposedPage extends Composed {
  /** The row that the edit was prepared for. */
  readonly seen: PageRow
  /** Whether the edit stays a draft instead of being published. */
  readonly isDraft: boolean
  /** Whether the edit ends the existing draft. */
  readonly endsDraft: boolean
  /** Whether the edit causes an event: storing or discarding a draft does not. */
  readonly causesEvent: boolean
}

/** The parts that are created with a page. */
interface Parts {
  readonly link: LinkRow | undefined
  readonly qrcode: QrcodeRow | undefined
}

const ownerOf = (uuid: string): string => `page:${uuid}`

const taken = (): AppError => fieldError('slug', 'This slug is taken', 'slug_taken')

export class PageService {
  readonly #deps: PageDependencies
  /** Finds, lists, removes, restores and erases pages. */
  readonly owned: RestorableResource<PageRow, Page>

  constructor(deps: PageDependencies) {
    this.#deps = deps
    this.owned = new RestorableResource(deps, deps.store, {
      type: 'page',
      noun: 'page',
      total: 'pages',
      label: ({ title }) => title,
      presenterOf: async (workspaceUuid, rows) => {
        const partsOf = await this.#partsOf(workspaceUuid, rows)
        return (row) => this.#present(row, partsOf(row))
      },
      moved: (workspaceUuid, rows, isTrashed) => this.#moved(workspaceUuid, rows, isTrashed),
      erasing: (workspaceUuid, rows) => this.#erasing(workspaceUuid, rows),
    })
  }

  /** Reads a new page, draws its QR code and stores its pictures; before any transaction. */
  async compose(workspaceUuid: string, input: PageCreate): Promise<ComposedPage> {
    const { domains, links, qrcodes, mediaUrl } = this.#deps
    const name = { domain: await domains.choose(workspaceUuid, input.domain), slug: input.slug }
    const content = readPage(input, undefined, mediaUrl)
    // The transaction decides; this avoids work if the slug is already taken.
    if (!(await this.#isFree(name))) throw taken()
    const shortCode = links.newShortCode()
    const drawn = await qrcodes.draw({
      url: links.shortUrl({ domain: name.domain, short_code: shortCode }),
      pattern: 'squares',
    })
    return { ...name, content, shortCode, drawn, staged: await this.#stage(input) }
  }

  /** Prepares an edit; omitted fields do not change. */
  async recompose(workspaceUuid: string, input: PageEdit, versions?: KnownVersions): Promise<RecomposedPage> {
    const { domains, mediaUrl } = this.#deps
    const seen = await this.owned.find(workspaceUuid, input.uuid)
    await checkVersion(seen, versions, () => this.owned.present(workspaceUuid, seen))
    const before = editedVersion(seen, input)
    if (!('title' in input))
      return { ...before, seen, isDraft: false, endsDraft: true, causesEvent: 'publish' in input, staged: [] }
    const domain =
      input.domain === undefined ? before.domain : await domains.choose(workspaceUuid, input.domain)
    const name = { domain, slug: input.slug ?? before.slug }
    const others = [publishedOf(seen), draftOf(seen)].flatMap((version) => version?.content.config ?? [])
    const content = readPage(input, before.content, mediaUrl, others)
    const endsDraft = input.publish === true
    const isDraft = input.draft === true && !endsDraft
    return {
      ...name,
      content,
      seen,
      isDraft,
      endsDraft,
      causesEvent: !isDraft,
      staged: await this.#stage(input),
    }
  }

  async #stage(input: PageCreate | PageChanges): Promise<Staged[]> {
    const { blobs } = this.#deps
    const staged: Staged[] = []
    try {
      for (const { image } of uploadsOf(input)) {
        if (image !== undefined) staged.push(await blobs.stage(image.bytes, image))
      }
      return staged
    } catch (error) {
      await this.discard({ staged })
      throw error
    }
  }

  async discard({ staged }: Pick<Composed, 'staged'>): Promise<void> {
    for (const each of staged) await this.#deps.blobs.discard(each)
  }

  /** Creates the page, its short link and QR code: all of them or none. */
  async create(workspaceUuid: string, page: ComposedPage): Promise<Page> {
    const { db, store, links, qrcodes, quotas } = this.#deps
    return db.write(async () => {
      await quotas.take(workspaceUuid, 'pages')
      const columns = { ...columnsOf(page), draft: null, link_uuid: null, qrcode_uuid: null, views: 0 }
      const row: PageRow = { ...this.owned.newRow(workspaceUuid), ...columns }
      await store.insert(row)
      await this.#takeSlug(row, row.uuid)
      const owner = { type: 'page', uuid: row.uuid } as const
      const { domain, shortCode } = page
      const link = await links.createOwned(workspaceUuid, owner, { url: this.urlOf(row), domain, shortCode })
      const qrcode = await qrcodes.createOfPage(workspaceUuid, link.uuid, page.drawn)
      const parts = { link_uuid: link.uuid, qrcode_uuid: qrcode.uuid }
      await store.update(row, parts)
      await this.#adopt(row, page.staged)
      return this.owned.record('created', { ...row, ...parts })
    })
  }

  async edit(workspaceUuid: string, page: RecomposedPage): Promise<Page> {
    const { db, links } = this.#deps
    const { seen } = page
    return db.write(async () => {
      const row = await this.owned.update(seen, editedColumns(page))
      if (row.slug !== seen.slug || row.domain !== seen.domain) {
        await this.#takeSlug(row, row.uuid)
        // The short link stays the same, so that printed codes lead to the new address.
        if (row.link_uuid !== null) await links.redirectOwned(workspaceUuid, row.link_uuid, this.urlOf(row))
      }
      await this.#releaseUnused(seen, row)
      await this.#adopt(row, page.staged)
      await this.#changed([row])
      return page.causesEvent ? this.owned.record('edited', row) : this.owned.present(workspaceUuid, row)
    })
  }

  /** Assigns a slug to the page. An earlier slug of the page can be used again. */
  async #takeSlug({ domain, slug }: SlugName, pageUuid: string): Promise<void> {
    const { db, store, tombstones, pageChanged, now } = this.#deps
    const name = { domain, slug }
    const holder = await store.findSlug(name)
    if (holder === undefined && isReserved(slug)) throw fieldError('slug', 'This word is reserved')
    const isNew = await store.insertSlug(name, pageUuid, now())
    if (!isNew && (await store.findSlug(name)) !== pageUuid) throw taken()
    // After the insert, which may have waited for the removal of the page that had this slug.
    if (await tombstones.has(['slug', domain, slug])) throw taken()
    db.afterCommit(() => pageChanged(name))
  }

  async #isFree({ domain, slug }: SlugName): Promise<boolean> {
    const { store, tombstones } = this.#deps
    const isTaken = (await store.findSlug({ domain, slug })) !== undefined
    return !isTaken && !(await tombstones.has(['slug', domain, slug]))
  }

  async #adopt({ uuid, workspace_uuid }: PageRow, staged: readonly Staged[]): Promise<void> {
    for (const each of staged)
      await this.#deps.blobs.adopt(each, ownerOf(uuid), { workspace: workspace_uuid })
  }

  async #releaseUnused(seen: PageRow, row: PageRow): Promise<void> {
    const used = filesOfPage(row)
    const unused = [...filesOfPage(seen)].filter((hash) => !used.has(hash))
    await this.#releaseFiles(row.uuid, unused)
  }

  /** Files without another reference are deleted, and their URLs return 410. */
  async #releaseFiles(uuid: string, hashes: readonly string[]): Promise<void> {
    const { blobs, tombstones } = this.#deps
    await tombstones.add(hashes.map((hash) => ['media', hash]))
    await blobs.release(ownerOf(uuid), hashes)
  }

  /** Moves the short link, the QR code and the files into and out of the trash with the page. */
  async #moved(workspaceUuid: string, rows: readonly PageRow[], isTrashed: boolean): Promise<void> {
    const { blobs, links, qrcodes } = this.#deps
    await links.owned.moveParts(workspaceUuid, linksOfPages(rows), isTrashed)
    await qrcodes.owned.moveParts(workspaceUuid, codesOfPages(rows), isTrashed)
    await blobs.hide(
      rows.map(({ uuid }) => ownerOf(uuid)),
      isTrashed,
    )
    await this.#changed(rows)
  }

  /** Its slugs return 410 permanently and are never reused. */
  async #erasing(workspaceUuid: string, rows: readonly PageRow[]): Promise<void> {
    const { store, links, qrcodes, tombstones } = this.#deps
    const names = await store.slugsOf(rows.map(({ uuid }) => uuid))
    await tombstones.add(names.map(({ domain, slug }) => ['slug', domain, slug]))
    for (const row of rows) await this.#releaseFiles(row.uuid, [...filesOfPage(row)])
    await qrcodes.owned.erase(workspaceUuid, codesOfPages(rows))
    await links.owned.erase(workspaceUuid, linksOfPages(rows))
  }

  /** The URL of a page. */
  urlOf({ domain, slug }: SlugName): string {
    return `${this.#deps.domains.originOf(domain)}${sites.page}/${slug}`
  }

  /** The links and codes of pages, looked up together. */
  async #partsOf(workspaceUuid: string, rows: readonly PageRow[]): Promise<(row: PageRow) => Parts> {
    const linkOf = await linksOf(this.#deps.links, workspaceUuid, rows)
    const qrcodes = await this.#deps.qrcodes.owned.findMany(workspaceUuid, codesOfPages(rows))
    return (row) => ({ link: linkOf(row), qrcode: qrcodes.get(row.qrcode_uuid ?? '') })
  }

  #present(row: PageRow, { link, qrcode }: Parts): Page {
    const { links, qrcodes, domains, mediaUrl } = this.#deps
    if (link === undefined || qrcode === undefined) throw new Error(`page ${row.uuid} has lost a part`)
    return pageResponse(row, {
      domainName: (domain) => domains.nameOf(domain),
      pageUrl: this.urlOf(row),
      shortLink: links.present(link),
      qrCode: qrcodes.present(qrcode, link),
      mediaUrl,
    })
  }

  async #changed(rows: readonly PageRow[]): Promise<void> {
    const { db, store, pageChanged } = this.#deps
    const names = await store.slugsOf(rows.map(({ uuid }) => uuid))
    db.afterCommit(() => names.forEach(pageChanged))
  }
}

const linksOfPages = (rows: readonly PageRow[]): string[] => rows.flatMap(({ link_uuid }) => link_uuid ?? [])

const codesOfPages = (rows: readonly PageRow[]): string[] =>
  rows.flatMap(({ qrcode_uuid }) => qrcode_uuid ?? [])

/** The columns that an edit changes: of the draft, or of the published page and a remaining draft. */
const editedColumns = (page: RecomposedPage): Partial<PageRow> => {
  const { seen } = page
  if (page.isDraft) return { draft: draftColumn(editedDraft(seen, page)) }
  const draft = page.endsDraft ? null : draftOf(seen)
  const kept = draft && draftColumn(followingDraft(draft, publishedOf(seen), page))
  return { ...columnsOf(page), draft: kept }
}

/** The columns that a request determines, without `views`, which visitors change at the same time. */
const columnsOf = ({ domain, slug, content: { title, subtext, config } }: Composed) => ({
  domain,
  slug,
  title,
  subtext,
  config: JSON.stringify(config),
  version: versionOf([domain, slug, title, subtext, config]),
})
