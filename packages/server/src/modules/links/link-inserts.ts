import { atPlace } from '../../runtime/errors.ts'
import { idAt } from '../../runtime/ids.ts'
import { chunksOf } from '../../storage/db/chunks.ts'
import type { DomainService } from '../domains/domains.service.ts'
import type { NewRow } from '../owned/owned-kind.ts'
import { type LinkCreate, linkFields, type LinkOwner } from './link-fields.ts'
import type { LinkNames, WantedName } from './link-names.ts'
import type { LinkPreviews } from './link-previews.ts'
import type { LinkRow, LinkStore } from './links.store.ts'
import type { LinkWithPast, PreparedLink } from './new-links.ts'
import { settledTags, tagRows } from './tags.ts'

interface LinkInsertsDependencies {
  readonly store: LinkStore
  readonly domains: DomainService
  readonly names: LinkNames
  readonly previews: LinkPreviews
  readonly newShortCode: () => string
  /** The columns that every new row has. */
  readonly newRow: (userUuid: string) => NewRow & Pick<LinkRow, 'trashed_at'>
}

/** A link to insert. */
interface NewLink {
  readonly input: LinkCreate
  readonly prepared?: PreparedLink
  /** What the link belongs to; null: to the account itself. */
  readonly owner?: LinkOwner | null
  /** Given if it existed elsewhere before. */
  readonly past?: LinkWithPast
}

/** A link as it is to be inserted. */
interface Draft {
  readonly link: NewLink
  readonly row: LinkRow
  readonly tags: readonly string[]
}

/** Rows of one statement. On SQLite a statement with more would keep visitors waiting. */
const ROWS = 50

/** Inserts links with all that belongs to them, inside a write. */
export class LinkInserts {
  readonly #deps: LinkInsertsDependencies

  constructor(deps: LinkInsertsDependencies) {
    this.#deps = deps
  }

  async one(userUuid: string, link: NewLink): Promise<LinkRow> {
    const { store, domains, names, previews } = this.#deps
    const { input, prepared } = link
    const { row, tags } = this.#draft(userUuid, link, await domains.choose(userUuid, input.domain))
    // The row comes first because its short codes refer to it; that its first one is taken is one in trillions.
    await store.insert(row)
    if (tags.length > 0) await store.insertTags(tagRows(row, tags))
    if (prepared?.picture !== undefined) await previews.changed({ preview: null }, row, prepared.picture)
    const shortCode = await names.take(row.domain, input.customLink, row.uuid, row.short_code)
    return this.#renamed(row, shortCode)
  }

  /**
   * All or none, with a few statements for all of them; faults are named by their place in the list. `pause` is called
   * between the statements and may end the write by throwing.
   */
  async many(userUuid: string, links: readonly NewLink[], pause?: () => void): Promise<LinkRow[]> {
    const { store, previews } = this.#deps
    const drafts = await this.#draftAll(userUuid, links)
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

  async #draftAll(userUuid: string, links: readonly NewLink[]): Promise<Draft[]> {
    const { domains } = this.#deps
    const chosen = new Map<LinkCreate['domain'], string>()
    const drafts: Draft[] = []
    for (const [at, link] of links.entries()) {
      const { domain } = link.input
      try {
        const found = chosen.get(domain) ?? (await domains.choose(userUuid, domain))
        chosen.set(domain, found)
        drafts.push(this.#draft(userUuid, link, found))
      } catch (error) {
        throw atPlace(error, `links.${at}`)
      }
    }
    return drafts
  }

  #draft(userUuid: string, link: NewLink, domain: string): Draft {
    const { previews, newShortCode, newRow } = this.#deps
    const { input, prepared, owner = null, past } = link
    const tagged = settledTags(input, [])
    const created = newRow(userUuid)
    const createdAt = past?.createdAtMs ?? created.created_at
    const row: LinkRow = {
      ...created,
      ...(createdAt < created.created_at && { uuid: idAt(createdAt), created_at: createdAt }),
      domain,
      short_code: input.customLink ?? newShortCode(),
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

  /** Gives links their short codes, the earlier ones too. */
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
