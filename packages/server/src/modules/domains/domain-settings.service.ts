import { sites, type UploadedFile } from '@waymark/contract'
import { AppError, fieldError } from '../../net/errors.ts'
import type { BlobReferences, Staged } from '../../storage/blobs/blob-references.ts'
import type { Database } from '../../storage/db/database.ts'
import type { OwnedResource } from '../owned/owned-resource.ts'
import { checkVersion, type KnownVersions } from '../owned/versions.ts'
import { hadCodes } from './domain-case.ts'
import { type Domain, type DomainEdit, domainFields } from './domain-fields.ts'
import { couldBeShortLink, toAsciiName } from './domain-name.ts'
import type { DomainResponses } from './domain-response.ts'
import type { DomainRow, DomainStore } from './domains.store.ts'
import type { DomainRegistry } from './registry.ts'

export type { DomainEdit }

export interface DomainSettingsDependencies {
  readonly db: Database
  readonly store: DomainStore
  readonly owned: Pick<OwnedResource<DomainRow, Domain>, 'update'>
  readonly blobs: BlobReferences
  readonly registry: DomainRegistry
  readonly responses: DomainResponses
  /** Notifies every process that a domain changed. */
  readonly domainsChanged: () => void
}

const LANDINGS = ['root_url', 'not_found_url', 'expired_url'] as const

/** The file reference of a domain's logo. */
export const logoOwner = (name: string): string => `domain:${name}`

/** Where visitors of a domain are redirected without a link, and the look of its pages. */
export class DomainSettingsService {
  readonly #deps: DomainSettingsDependencies

  constructor(deps: DomainSettingsDependencies) {
    this.#deps = deps
  }

  /** Stores the logo before the transaction. */
  async stageLogo(file: UploadedFile | null | undefined): Promise<Staged | undefined> {
    return file?.image === undefined ? undefined : this.#deps.blobs.stage(file.image.bytes, file.image)
  }

  async discardLogo(logo: Staged | undefined): Promise<void> {
    if (logo !== undefined) await this.#deps.blobs.discard(logo)
  }

  /** Edits a domain of the user. `workspaceUuid` null: an operator edits a domain that all accounts may use. */
  async edit(
    workspaceUuid: string | null,
    input: DomainEdit,
    logo: Staged | undefined,
    versions?: KnownVersions,
  ): Promise<Domain> {
    const { db, store, owned, blobs, responses, domainsChanged } = this.#deps
    const name = toAsciiName(input.name)
    for (const field of LANDINGS) this.#rejectLoop(input[field], field)
    return db.write(async () => {
      const row = await store.findByName(name)
      if (row === undefined || row.workspace_uuid !== workspaceUuid)
        throw new AppError('not_found', { message: 'There is no such domain' })
      await checkVersion(row, versions, () => responses.present(row))
      await this.#settleCase(row, input.ignore_case)
      const isCleared = logo === undefined && input.logo === null
      if (logo !== undefined || isCleared) await blobs.release(logoOwner(name))
      if (logo !== undefined && workspaceUuid !== null)
        await blobs.adopt(logo, logoOwner(name), { workspace: workspaceUuid })
      const changed = await owned.update(row, {
        ...domainFields.changedColumns(input),
        ...(logo !== undefined && { logo_hash: logo.hash }),
        ...(isCleared && { logo_hash: null }),
      })
      db.afterCommit(domainsChanged)
      return responses.present(changed)
    })
  }

  async #settleCase(row: DomainRow, asked: boolean | null | undefined): Promise<void> {
    if (asked === undefined || (asked ?? false) === (row.ignore_case === 1)) return
    if (!(await this.#deps.store.setCase(row.name, asked ? 1 : 0))) throw hadCodes()
  }

  /** Resolves when this process has applied the committed settings. */
  known(): Promise<void> {
    return this.#deps.registry.refresh()
  }

  /**
   * A custom domain can redirect all unknown addresses, so a landing URL on another one could cause a loop. Only its root may
   * lead to a page: if that page is deleted, its address redirects elsewhere.
   */
  #rejectLoop(given: string | null | undefined, field: (typeof LANDINGS)[number]): void {
    if (given === null || given === undefined) return
    const url = new URL(given)
    const { isServed, domainOf } = this.#deps.registry
    const isOnCustomDomain = domainOf(url.host) !== ''
    const isPage = field === 'root_url' && url.pathname.startsWith(`${sites.page}/`)
    if (couldBeShortLink(url, isServed) || (isOnCustomDomain && !isPage))
      throw fieldError(field, 'Must not lead back to a domain of this service')
  }
}
