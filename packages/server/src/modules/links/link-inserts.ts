import { hashPasswords } from '../../accounts/users/passwords.ts'
import type { Quotas } from '../../accounts/users/quotas.ts'
import { atPlace, fieldError } from '../../net/errors.ts'
import { idAt } from '../../storage/db/ids.ts'
import { longWork } from '../../work/turns.ts'
import type { Staged, BlobReferences } from '../../storage/blobs/blob-references.ts'
import { chunksOf } from '../../storage/db/database.ts'
import type { DomainService } from '../domains/domains.service.ts'
import type { NewRow } from '../owned/owned-kind.ts'
import { type LinkCreate, linkFields, type LinkOwner, settledTags, tagRows } from './link-fields.ts'
import { type LinkPreviews, uploadOf } from './link-previews.ts'
import type { ShortCodeName, LinkRow, LinkStore } from './links.store.ts'
import type { LinkNames, WantedName } from './short-codes.ts'

/** The values of an owned link. */
export interface OwnedLink {
  readonly url: string
  readonly domain?: string
  /** The short code, if a picture was already drawn with it. */
  readonly shortCode?: string | undefined
  readonly description?: string | null
}

/** A link that existed at another service or instance. */
export interface LinkWithPast {
  /** `customLink` is the short code to keep, which the caller has checked to be free. */
  readonly input: LinkCreate
  readonly isCustom: boolean
  readonly passwordHash: string | null
  readonly createdAtMs: number | null
  /** Clicks that were counted there. */
  readonly importedClicks: number
  /** Additional short codes, which the caller has checked to be free. */
  readonly earlierCodes: readonly ShortCodeName[]
}

/** The results of slow work for a link, which is done before its transaction. */
export interface PreparedLink {
  /** Null: no password. Undefined: unchanged by an edit. */
  readonly passwordHash?: string | null | undefined
  /** The uploaded picture of its preview. */
  readonly picture?: Staged | undefined
}

interface LinkInsertsDependencies {
  readonly store: LinkStore
  readonly domains: DomainService
  readonly names: LinkNames
  readonly previews: LinkPreviews
  readonly newShortCode: () => string
  /** The columns of every new row. */
  readonly newRow: (workspaceUuid: string) => NewRow & Pick<LinkRow, 'created_by' | 'trashed_at'>
}

/** A link to insert. */
interface NewLink {
  readonly input: LinkCreate
  readonly prepared?: PreparedLink
  /** The owner of the link; null: the account itself. */
  readonly owner?: LinkOwner | null
  /** Set if it existed elsewhere before. */
  readonly past?: LinkWithPast
}

/** The spelling of a short code on a domain. */
type Spelling = (shortCode: string) => string

/** A link before its insert. */
interface Draft {
  readonly link: NewLink
  readonly row: LinkRow
  readonly tags: readonly string[]
}

/** Rows per statement. On SQLite, larger statements would delay visitors. */
const ROWS = 50
/** Inserts links with all their parts, inside a write. */
export class LinkInserts {
  readonly #deps: LinkInsertsDependencies

  constructor(deps: LinkInsertsDependencies) {
    this.#deps = deps
  }

  async one(workspaceUuid: string, link: NewLink): Promise<LinkRow> {
    const { store, domains, names, previews } = this.#deps
    const { input, prepared } = link
    const { row, tags } = this.#draft(workspaceUuid, link, await domains.choose(workspaceUuid, input.domain))
    // The row comes first because its short codes refer to it. A collision of its first one is one in trillions.
    await store.insert(row)
    if (tags.length > 0) await store.insertTags(tagRows(row, tags))
    if (prepared?.picture !== undefined) await previews.changed({ preview: null }, row, prepared.picture)
    const shortCode = await names.take(row.domain, input.customLink, row.uuid, row.short_code)
    return this.#renamed(row, shortCode)
  }

  /**
   * All or none, with a few statements for all of them; errors include the place in the list. `pause` is called
   * between the statements and may abort the write by throwing.
   */
  async many(workspaceUuid: string, links: readonly NewLink[], pause?: () => void): Promise<LinkRow[]> {
    const { store, previews } = this.#deps
    const drafts = await this.#draftAll(workspaceUuid, links)
    for (const some of chunksOf(drafts, ROWS)) {
      await store.insertMany(some.map(({ row }) => row))
      pause?.()
    }
    await store.insertTags(drafts.flatMap(({ row, tags }) => tagRows(row, tags)))
    pause?.()
    for (const { link, row } of drafts)
      if (link.prepared?.picture !== undefined)
        await previews.changed({ preview: null }, row, link.prepared.picture)
    return this.#name(drafts, pause)
  }

  async #draftAll(workspaceUuid: string, links: readonly NewLink[]): Promise<Draft[]> {
    const { domains } = this.#deps
    const chosen = new Map<LinkCreate['domain'], string>()
    const spellings = new Map<string, Spelling>()
    const drafts: Draft[] = []
    for (const [at, link] of links.entries()) {
      const { domain } = link.input
      try {
        const found = chosen.get(domain) ?? (await domains.choose(workspaceUuid, domain))
        chosen.set(domain, found)
        if (!spellings.has(found)) spellings.set(found, await domains.spelling(found))
        drafts.push(this.#draft(workspaceUuid, link, found, spellings.get(found)))
      } catch (error) {
        throw atPlace(error, `links.${at}`)
      }
      const rest = longWork.rest()
      if (rest !== undefined) await rest
    }
    return drafts
  }

  #draft(
    workspaceUuid: string,
    link: NewLink,
    domain: string,
    spell: Spelling = (shortCode) => shortCode,
  ): Draft {
    const { previews, newShortCode, newRow } = this.#deps
    const { input, prepared, owner = null, past } = link
    const tagged = settledTags(input, [])
    const created = newRow(workspaceUuid)
    const createdAt = past?.createdAtMs ?? created.created_at
    const row: LinkRow = {
      ...created,
      ...(createdAt < created.created_at && { uuid: idAt(createdAt), created_at: createdAt }),
      domain,
      short_code: spell(input.customLink ?? newShortCode()),
      custom: input.customLink && owner === null && past?.isCustom !== false ? 1 : 0,
      password_hash: prepared?.passwordHash ?? null,
      ...linkFields.newColumns({ ...input, ...tagged }),
      preview: previews.columnOf(input.preview),
      owner_type: owner?.type ?? null,
      owner_uuid: owner?.uuid ?? null,
      clicks: 0,
      bot_clicks: 0,
      imported_clicks: past?.importedClicks ?? 0,
      imported_at: past === undefined ? null : created.created_at,
      last_click_at: null,
    }
    return { link, row, tags: tagged.tags ?? [] }
  }

  /** Inserts the short codes of links, including earlier ones. */
  async #name(drafts: readonly Draft[], pause?: () => void): Promise<LinkRow[]> {
    const { names } = this.#deps
    const wanted = drafts.flatMap(({ link: { input, past }, row }, at): WantedName[] => {
      const { domain, short_code, uuid } = row
      return [
        { domain, short_code, link_uuid: uuid, isRandom: !input.customLink, at },
        ...(past?.earlierCodes ?? []).map((name) => ({ ...name, link_uuid: uuid, isRandom: false, at })),
      ]
    })
    const rows = drafts.map(({ row }) => row)
    for (const { at } of await names.takeMany(wanted, pause)) {
      const row = rows[at]
      if (row !== undefined) rows[at] = await this.#renamed(row, await names.take(row.domain, null, row.uuid))
    }
    return rows
  }

  async #renamed(row: LinkRow, shortCode: string): Promise<LinkRow> {
    if (shortCode === row.short_code) return row
    await this.#deps.store.update(row, { short_code: shortCode })
    return { ...row, short_code: shortCode }
  }
}

interface LinkPreparationDependencies {
  readonly quotas: Quotas
  readonly blobs: BlobReferences
  readonly links: { rejectLoopsAt(input: LinkCreate, at: number): void }
}

type Given = Pick<LinkCreate, 'password' | 'preview'>

/** Slow work for links, before any transaction: hashing passwords and storing pictures of previews. */
export class LinkPreparation {
  readonly #deps: LinkPreparationDependencies

  constructor(deps: LinkPreparationDependencies) {
    this.#deps = deps
  }

  async one(input: Given): Promise<PreparedLink> {
    const [prepared = {}] = await this.#prepare([input])
    return prepared
  }

  /** Creates many links, after all other checks have passed. */
  async many(workspaceUuid: string, inputs: readonly LinkCreate[]): Promise<PreparedLink[]> {
    const { quotas, links } = this.#deps
    for (const [at, input] of inputs.entries()) {
      if (input.reuse === true)
        throw fieldError(
          `links.${at}.reuse`,
          'Use generate-link to reuse a link; this operation always creates links',
        )
      links.rejectLoopsAt(input, at)
      const rest = longWork.rest()
      if (rest !== undefined) await rest
    }
    await quotas.check(workspaceUuid, 'links', inputs.length)
    return this.#prepare(inputs)
  }

  async discard(prepared: readonly PreparedLink[]): Promise<void> {
    for (const { picture } of prepared) if (picture !== undefined) await this.#deps.blobs.discard(picture)
  }

  async #prepare(inputs: readonly Given[]): Promise<PreparedLink[]> {
    const hashes = await hashPasswords(inputs.map(({ password }) => password))
    const prepared: PreparedLink[] = []
    try {
      for (const [at, { preview }] of inputs.entries())
        prepared.push({ passwordHash: hashes[at], picture: await this.#stage(preview) })
      return prepared
    } catch (error) {
      await this.discard(prepared)
      throw error
    }
  }

  async #stage(preview: LinkCreate['preview']): Promise<Staged | undefined> {
    const image = uploadOf(preview)?.image
    return image && this.#deps.blobs.stage(image.bytes, image)
  }
}
