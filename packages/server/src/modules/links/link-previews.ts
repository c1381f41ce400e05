import { UploadedFile } from '@waymark/contract'
import type { Body, Data } from '@waymark/contract/schemas'
import { fieldError } from '../../net/errors.ts'
import type { BlobReferences, Staged } from '../../storage/blobs/blob-references.ts'
import type { LinkRow, StoredPreview } from '../../storage/db/tables.ts'
import type { Tombstones } from '../../storage/tombstones.ts'

type GivenPreview = Body<'generateLink'>['preview']
type ShownPreview = Data<'generateLink'>['preview']

export interface LinkPreviewDependencies {
  readonly blobs: BlobReferences
  readonly tombstones: Tombstones
  readonly sharedMediaUrl: (hash: string) => string
}

const ownerOf = ({ uuid }: Pick<LinkRow, 'uuid'>): string => `link:${uuid}`

const readPreview = ({ preview }: Pick<LinkRow, 'preview'>): StoredPreview | null =>
  preview === null ? null : (JSON.parse(preview) as StoredPreview)

const pictureOf = (row: Pick<LinkRow, 'preview'>): string | undefined => readPreview(row)?.image?.hash

/** The preview in responses. */
export function presentPreview(row: LinkRow, sharedMediaUrl: (hash: string) => string): ShownPreview {
  const stored = readPreview(row)
  if (stored === null) return null
  const { title, description, image } = stored
  return { title, description, image: image === null ? null : sharedMediaUrl(image.hash) }
}

/** The preview in a CSV file: only its texts, because another instance could not use the picture. */
export function previewCell(row: LinkRow): string | null {
  const stored = readPreview(row)
  return stored && JSON.stringify({ title: stored.title, description: stored.description })
}

/** The upload of a preview, if there is one. */
export const uploadOf = (given: GivenPreview): UploadedFile | undefined =>
  given?.image instanceof UploadedFile ? given.image : undefined

/** The previews of links, and their pictures. */
export class LinkPreviews {
  readonly #deps: LinkPreviewDependencies

  constructor(deps: LinkPreviewDependencies) {
    this.#deps = deps
  }

  /** The column of a link. Omitted fields do not change; an empty preview is null. */
  columnOf(given: GivenPreview, before: Pick<LinkRow, 'preview'> = { preview: null }): string | null {
    if (given === undefined) return before.preview
    if (given === null) return null
    const old = readPreview(before)
    const { title = old?.title, description = old?.description } = given
    const stored: StoredPreview = {
      title: title || null,
      description: description || null,
      image: this.#imageOf(given.image, old),
    }
    return Object.values(stored).every((value) => value === null) ? null : JSON.stringify(stored)
  }

  #imageOf(given: NonNullable<GivenPreview>['image'], old: StoredPreview | null): StoredPreview['image'] {
    if (given === undefined) return old?.image ?? null
    if (given === null) return null
    if (given instanceof UploadedFile) {
      if (given.image === undefined) throw new Error('an upload was not prepared')
      const { hash, width, height } = given.image
      return { hash, width, height }
    }
    const kept = old?.image ?? null
    if (kept !== null && new URL(this.#deps.sharedMediaUrl(kept.hash)).href === given) return kept
    throw fieldError('preview.image', 'Must be an uploaded image, or the URL of the one that the link has')
  }

  /** Assigns the staged picture to the link and releases the previous one; inside the write that changes the link. */
  async changed(before: Pick<LinkRow, 'preview'>, after: LinkRow, staged: Staged | undefined): Promise<void> {
    const [old, now] = [pictureOf(before), pictureOf(after)]
    if (old !== undefined && old !== now) await this.#release(after, old)
    if (staged !== undefined)
      await this.#deps.blobs.adopt(staged, ownerOf(after), { workspace: after.workspace_uuid })
  }

  /** Moves the pictures of links into and out of the trash. */
  moved(rows: readonly LinkRow[], isTrashed: boolean): Promise<void> {
    const owners = rows.filter((row) => pictureOf(row) !== undefined).map(ownerOf)
    return this.#deps.blobs.hide(owners, isTrashed)
  }

  async erase(rows: readonly LinkRow[]): Promise<void> {
    for (const row of rows) {
      const hash = pictureOf(row)
      if (hash !== undefined) await this.#release(row, hash)
    }
  }

  /** A file without another reference is deleted, and its URL returns 410. */
  async #release(row: LinkRow, hash: string): Promise<void> {
    const { blobs, tombstones } = this.#deps
    await tombstones.add([['media', hash]])
    await blobs.release(ownerOf(row), [hash])
  }
}
