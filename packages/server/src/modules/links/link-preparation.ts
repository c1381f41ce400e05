import { hashPasswords } from '../../accounts/users/passwords.ts'
import type { Quotas } from '../../accounts/users/quotas.ts'
import type { BlobKeeper, Staged } from '../../storage/blobs/keeper.ts'
import type { LinkCreate } from './link-fields.ts'
import { uploadOf } from './link-previews.ts'
import type { LinkService } from './links.service.ts'
import type { PreparedLink } from './new-links.ts'

interface LinkPreparationDependencies {
  readonly quotas: Quotas
  readonly blobs: BlobKeeper
  readonly links: LinkService
}

type Given = Pick<LinkCreate, 'password' | 'preview'>

/** The slow parts of links, before any transaction: hashing passwords and storing the pictures of previews. */
export class LinkPreparation {
  readonly #deps: LinkPreparationDependencies

  constructor(deps: LinkPreparationDependencies) {
    this.#deps = deps
  }

  async one(input: Given): Promise<PreparedLink> {
    const [prepared = {}] = await this.#prepare([input])
    return prepared
  }

  /** Many new links, once nothing else speaks against creating them. */
  async many(userUuid: string, inputs: readonly LinkCreate[]): Promise<PreparedLink[]> {
    const { quotas, links } = this.#deps
    for (const [at, input] of inputs.entries()) links.rejectLoopsAt(input, at)
    await quotas.check(userUuid, 'links', inputs.length)
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
