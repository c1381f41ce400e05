import type { BlobKeeper } from '../../storage/blobs/keeper.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import type { Quotas } from '../../accounts/users/quotas.ts'
import { type OwnedDependencies, OwnedResource } from '../owned/owned-resource.ts'
import { requireDomainName, toAsciiName } from './domain-name.ts'
import type { DomainClaimRow } from './claims.store.ts'
import { type DomainClaimService, domainTaken } from './domain-claims.service.ts'
import { buryCase, caseOfNew } from './domain-case.ts'
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
  readonly blobs: Pick<BlobKeeper, 'release'>
  readonly tombstones: Tombstones
  readonly responses: DomainResponses
  /** Tells every process that a domain changed. */
  readonly domainsChanged: () => void
  readonly baseUrl: string
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1

export class DomainService {
  readonly #deps: DomainDependencies
  /** The instance's own host, which exists always and is stored as ''. */
  readonly #own: string
  /** Listing, editing, removing and erasing the proven domains of accounts. */
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
        await buryCase(deps.tombstones, rows)
      },
    })
  }

  /** The stored form of a domain that a link or page of this user asks for, or a 422 on the field. */
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
    // Added by another process a moment ago: what is created under it now must be served at once.
    if (this.#deps.registry.domainOf(row.name) === '') this.#refresh()
    return row.name
  }

  /** How a domain spells a short code. */
  spelled(domain: string, shortCode: string): string {
    return this.#deps.registry.ignoresCase(domain) ? shortCode.toLowerCase() : shortCode
  }

  /** The same for short codes that a domain is to have, inside the write that gives them to it. */
  async spelling(domain: string): Promise<(shortCode: string) => string> {
    const ignoresCase = domain !== '' && (await this.#deps.store.takeCode(domain))
    return (shortCode) => (ignoresCase ? shortCode.toLowerCase() : shortCode)
  }

  /** How a host name is stored. */
  storedName(host: string): string {
    return host === this.#own ? '' : host
  }

  /** A stored domain as responses show it. */
  nameOf(domain: string): string {
    return domain === '' ? this.#own : domain
  }

  /** The address under which a stored domain is reached. */
  originOf(domain: string): string {
    if (domain === '') return this.#deps.baseUrl
    const base = new URL(this.#deps.baseUrl)
    return `${base.protocol}//${domain}${base.port === '' ? '' : `:${base.port}`}`
  }

  /** The own host, what the account may use, and what it has to prove yet. */
  async list(workspaceUuid: string): Promise<Domain[]> {
    const { store, claims, responses } = this.#deps
    const shared = (await store.listShared()).map(responses.present)
    const owned = await this.owned.listAll(workspaceUuid)
    const open = await claims.list(workspaceUuid)
    return [responses.presentOwn(), ...[...shared, ...owned].toSorted(byName), ...open.toSorted(byName)]
  }

  /** Every proven domain and every open claim, for the command line. */
  async listAll(): Promise<{ domains: DomainRow[]; claims: DomainClaimRow[] }> {
    const { store, claims } = this.#deps
    return { domains: await store.listAll(), claims: await claims.listAll() }
  }

  /** The command line's way: an operator needs no proof. Without a user every account may use the domain. */
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

  /** A domain without an owner is no owned resource. */
  #removeShared(row: DomainRow): Promise<void> {
    const { db, store, tombstones } = this.#deps
    return db.write(async () => {
      await this.#rejectUsed([row])
      await this.#releaseLogos([row])
      await buryCase(tombstones, [row])
      await store.removeShared(row.uuid)
    })
  }

  /** Rejected while anything is served by it: its links would all break. */
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

  /** Erases a batch of what a leaving user has; false when none is left. */
  async eraseSome(workspaceUuid: string): Promise<boolean> {
    return (await this.#deps.claims.owned.eraseSome(workspaceUuid)) || this.owned.eraseSome(workspaceUuid)
  }

  #refresh(): void {
    const { db, domainsChanged } = this.#deps
    db.afterCommit(domainsChanged)
  }
}
