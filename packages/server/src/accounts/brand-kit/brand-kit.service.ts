import type { UploadedFile } from '@waymark/contract'
import type { Body, Data } from '@waymark/contract/schemas'
import { definedOf } from '../../modules/owned/field-map.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import type { BlobReferences, Staged } from '../../storage/blobs/blob-references.ts'
import type { Database } from '../../storage/db/database.ts'
import type { WorkspaceStore } from '../users/workspaces.store.ts'

type BrandKit = Data<'brandKit'>

interface BrandKitDependencies {
  readonly db: Database
  readonly workspaces: WorkspaceStore
  readonly blobs: BlobReferences
  readonly mediaUrl: (hash: string) => string
  readonly now: () => number
}

/** The stored form; the logo is the hash of its file. */
export const NO_BRAND_KIT: BrandKit = {
  color: null,
  accent: null,
  background: null,
  font: null,
  logo: null,
  styles: [],
  default_style: null,
}

/** The colours, font, logo and styles of a workspace for new codes and pages. Deleted with the workspace's row. */
export class BrandKitService {
  readonly #deps: BrandKitDependencies

  constructor(deps: BrandKitDependencies) {
    this.#deps = deps
  }

  async get(workspaceUuid: string): Promise<BrandKit> {
    return this.#present(await this.#find(workspaceUuid))
  }

  /** Stores the logo before the transaction. */
  async stageLogo(file: UploadedFile | null | undefined): Promise<Staged | undefined> {
    return file?.image === undefined ? undefined : this.#deps.blobs.stage(file.image.bytes, file.image)
  }

  async discardLogo(logo: Staged | undefined): Promise<void> {
    if (logo !== undefined) await this.#deps.blobs.discard(logo)
  }

  async edit(
    workspaceUuid: string,
    input: Body<'editBrandKit'>,
    logo: Staged | undefined,
  ): Promise<BrandKit> {
    const { db, workspaces, blobs, now } = this.#deps
    const { logo: given, styles, ...values } = input
    return db.write(async () => {
      const owner = `brand-kit:${workspaceUuid}`
      const before = await this.#find(workspaceUuid)
      if (logo !== undefined || given === null) await blobs.release(owner)
      if (logo !== undefined) await blobs.adopt(logo, owner, { workspace: workspaceUuid })
      const kit: BrandKit = {
        ...before,
        ...definedOf(values),
        styles: styles === undefined ? before.styles : (styles ?? []),
        logo: logo?.hash ?? (given === null ? null : before.logo),
      }
      if (!kit.styles.some(({ name }) => name === kit.default_style)) {
        if (input.default_style != null)
          throw fieldError('default_style', 'Must be the name of a saved style')
        // The default style was removed from the list.
        kit.default_style = null
      }
      await workspaces.update(workspaceUuid, { brand_kit: JSON.stringify(kit), updated_at: now() })
      return this.#present(kit)
    })
  }

  async #find(workspaceUuid: string): Promise<BrandKit> {
    const workspace = await this.#deps.workspaces.find(workspaceUuid)
    if (workspace === undefined) throw new AppError('not_found')
    return { ...NO_BRAND_KIT, ...(JSON.parse(workspace.brand_kit ?? '{}') as Partial<BrandKit>) }
  }

  #present(kit: BrandKit): BrandKit {
    return { ...kit, logo: kit.logo === null ? null : this.#deps.mediaUrl(kit.logo) }
  }
}
