import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import type { Quotas } from '../../accounts/users/quotas.ts'
import { type OwnedDependencies, OwnedResource } from '../owned/owned-resource.ts'
import { requireDomainName, toAsciiName } from './domain-name.ts'
import type { DomainClaimRow } from './claims.store.ts'
import { type DomainClaimService, domainTaken } from './domain-claims.service.ts'
import { rememberCase, caseOfNew } from './domain-case.ts'
import { type Domain, NO_SETTINGS } from './domain-fields.ts'
import type { DomainResponses } from './domain-response.ts'
import { logoOwner } from './domain-settings.service.ts'
import type { DomainRow, DomainStore } from './domains.store.ts'
import type { DomainRegistry } from './registry.ts'

export interface DomainDependencies extends OwnedDependencies {
  readonly store: DomainStore
  readonly claims: DomainClaimService
  readonly registry: DomainRegistry
  readonly quotas: Quotas
  readonly blobs: Pick<BlobReferences, 'release'>
  readonly tombstones: Tombstones
  readonly responses: DomainResponses
  /** Notifies every process that a domain changed. */
  readonly domainsChanged: () => void
  readonly baseUrl: string
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1

export class DomainService {
  readonly #deps: DomainDependencies
  /** The instance's own host, which always exists and is stored as ''. */
  readonly #own: string
  /** Lists, edits, removes and erases the proven domains of accounts. */
  readonly owned: OwnedResource<DomainRow, Domain>

  constructor(deps: DomainDependencies) {
    this.#deps = deps
    this.#own = new URL(deps.baseUrl).hostname
    const { present } = deps.responses
    this.owned = new OwnedResource(deps, deps.store, {
      noun: 'domain',
      total: 'domains',
      presenterOf: () => Promise.resolve(present),
      rejectParts: (rows) => this.#rejectUsed(rows),
      erasing: async (_userUuid, rows) => {
        await this.#releaseLogos(rows)
        await rememberCase(deps.tombstones, rows)
      },
    })
  }

  /** The stored form of the domain for a link or page of this user, or a 422 on the field. */
  async choose(workspaceUuid: string, asked: string | null | undefined, field = 'domain'): Promise<string> {
    if (asked === null || asked === undefined) return ''
    const name = toAsciiName(asked)
    if (name === this.#own) return ''
    const { store, claims } = this.#deps
    const row = await store.findByName(name)
    const usable = row !== undefined && (row.workspace_uuid === null || row.workspace_uuid === workspaceUuid)
    if (!usable) {
      const isClaimed = (await claims.find(workspaceUuid, name)) !== undefined
      const rule = isClaimed ? 'This domain is not verified yet' : 'Must be the name of an existing domain'
      throw fieldError(field, rule)
    }
    // Another process has just added the domain: links created now must work immediately.
    if (this.#deps.registry.domainOf(row.name) === '') this.#refresh()
    return row.name
  }

  /** The spelling of a short code on a domain. */
  spelled(domain: string, shortCode: string): string {
    return this.#deps.registry.ignoresCase(domain) ? shortCode.toLowerCase() : shortCode
  }

  /** Like `spelled`, for new short codes, inside the write that creates them. */
  async spelling(domain: string): Promise<(shortCode: string) => string> {
    const ignoresCase = domain !== '' && (await this.#deps.store.takeCode(domain))
    return (shortCode) => (ignoresCase ? shortCode.toLowerCase() : shortCode)
  }

  /** The stored form of a host name. */
  storedName(host: string): string {
    return host === this.#own ? '' : host
  }

  /** The name of a stored domain in responses. */
  nameOf(domain: string): string {
    return domain === '' ? this.#own : domain
  }

  /** The origin of a stored domain. */
  originOf(domain: string): string {
    if (domain === '') return this.#deps.baseUrl
    const base = new URL(this.#deps.baseUrl)
    return `${base.protocol}//${domain}${base.port === '' ? '' : `:${base.port}`}`
  }

  /** The instance's host, the domains that the account may use, and its claims; to some callers only their names. */
  async list(workspaceUuid: string, namesOnly = false): Promise<Domain[]> {
    const { store, claims, responses } = this.#deps
    const shared = (await store.listShared()).map(responses.present)
    const owned = await this.owned.listAll(workspaceUuid)
    const open = await claims.list(workspaceUuid)
    const all = [responses.presentOwn(), ...[...shared, ...owned].toSorted(byName), ...open.toSorted(byName)]
    return namesOnly ? all.map(responses.presentName) : all
  }

  /** Every proven domain and every open claim, for the command line. */
  async listAll(): Promise<{ domains: DomainRow[]; claims: DomainClaimRow[] }> {
    const { store, claims } = this.#deps
    return { domains: await store.listAll(), claims: await claims.listAll() }
  }

  /** For the command line: an operator needs no proof. Without a workspace all accounts may use the domain. */
  async addVerified(input: string, workspaceUuid: string | null, ignoresCase = false): Promise<DomainRow> {
    const { db, store, claims, quotas, tombstones } = this.#deps
    const created = { ...this.owned.newRow(workspaceUuid ?? ''), workspace_uuid: workspaceUuid }
    const given = { name: requireDomainName(input), token: '', verified_at: created.created_at }
    const { name } = given
    if (name === this.#own) throw domainTaken()
    const row = await db.write(async () => {
      const settled = await caseOfNew(tombstones, name, ignoresCase)
      const added: DomainRow = { ...NO_SETTINGS, ...created, ...given, ...settled }
      if (workspaceUuid !== null) await quotas.take(workspaceUuid, 'domains')
      if (!(await store.insert(added))) throw domainTaken()
      await claims.closeAll(name)
      return added
    })
    this.#refresh()
    return row
  }

  async remove(workspaceUuid: string, input: string): Promise<{ name: string }> {
    const { store, claims } = this.#deps
    const name = requireDomainName(input)
    const claim = await claims.find(workspaceUuid, name)
    if (claim !== undefined) {
      await claims.owned.remove(workspaceUuid, { uuid: claim.uuid })
      return { name }
    }
    const row = await store.findByName(name)
    if (row?.workspace_uuid !== workspaceUuid) throw new AppError('not_found')
    return this.#removeRow(row)
  }

  /** For the command line: a domain of any account. */
  async removeUnused(input: string): Promise<DomainRow> {
    const row = await this.#deps.store.findByName(toAsciiName(input))
    if (row === undefined) throw new AppError('not_found', { message: `There is no domain ${input}` })
    await this.#removeRow(row)
    return row
  }

  async #removeRow(row: DomainRow): Promise<{ name: string }> {
    await (row.workspace_uuid === null
      ? this.#removeShared(row)
      : this.owned.remove(row.workspace_uuid, { uuid: row.uuid }))
    this.#refresh()
    return { name: row.name }
  }

  /** A domain without an owner is not an owned resource. */
  #removeShared(row: DomainRow): Promise<void> {
    const { db, store, tombstones } = this.#deps
    return db.write(async () => {
      await this.#rejectUsed([row])
      await this.#releaseLogos([row])
      await rememberCase(tombstones, [row])
      await store.removeShared(row.uuid)
    })
  }

  /** Rejects removal of a domain in use, because its links would break. */
  async #rejectUsed(rows: readonly DomainRow[]): Promise<void> {
    for (const { name } of rows) {
      const uses = await this.#deps.store.countUses(name)
      if (uses > 0)
        throw new AppError('domain_in_use', {
          message: `${uses} link(s) and page(s) still use ${name}`,
          extra: { uses },
        })
    }
  }

  async #releaseLogos(rows: readonly DomainRow[]): Promise<void> {
    for (const { name } of rows) await this.#deps.blobs.release(logoOwner(name))
  }

  /** Erases a batch of a deleted user's domains and claims; false when none is left. */
  async eraseSome(workspaceUuid: string): Promise<boolean> {
    return (await this.#deps.claims.owned.eraseSome(workspaceUuid)) || this.owned.eraseSome(workspaceUuid)
  }

  #refresh(): void {
    const { db, domainsChanged } = this.#deps
    db.afterCommit(domainsChanged)
  }
}
