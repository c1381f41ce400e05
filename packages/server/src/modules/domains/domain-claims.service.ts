import { randomBytes } from 'node:crypto'
import type { Quotas } from '../../accounts/users/quotas.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import type { Flag } from '../../storage/db/rows/accounts.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { type OwnedDependencies, OwnedResource } from '../owned/owned-resource.ts'
import { changeTime } from '../owned/owned-rows.ts'
import type { ClaimFilter, ClaimStore, DomainClaimRow } from './claims.store.ts'
import { caseOfNew, hadCodes } from './domain-case.ts'
import { type Domain, NO_SETTINGS, txtName } from './domain-fields.ts'
import type { DomainLookups } from './domain-lookups.ts'
import { requireDomainName } from './domain-name.ts'
import type { DomainResponses } from './domain-response.ts'
import { logoOwner } from './domain-settings.service.ts'
import type { DomainRow, DomainStore } from './domains.store.ts'

export interface DomainClaimDependencies extends OwnedDependencies {
  readonly store: DomainStore
  readonly claims: ClaimStore
  readonly quotas: Quotas
  readonly blobs: Pick<BlobReferences, 'release'>
  readonly tombstones: Tombstones
  readonly responses: DomainResponses
  readonly lookups: Pick<DomainLookups, 'proofs'>
  /** Notifies every process that a domain changed. */
  readonly domainsChanged: () => void
  /** Notifies every process that links and pages of a domain may no longer be served. */
  readonly ownerChanged: () => void
  /** The host of the instance. */
  readonly own: string
}

/** Maximum number of open claims of an account. */
const OPEN_CLAIMS = 20

const newToken = (): string => `waymark-${randomBytes(16).toString('hex')}`

export const domainTaken = (sentence = 'This domain is taken'): AppError =>
  fieldError('name', sentence, 'domain_taken')

/** Includes the record found instead of the proof, because a typing error is the usual cause. */
const noProof = (name: string, value: string, found: readonly string[]): string => {
  const [first] = found
  const instead = first === undefined ? 'there is none' : `found "${first.slice(0, 100)}" instead`
  return `There is no TXT record ${name} with the value ${value} yet: ${instead}`
}

/** Claims: names that accounts want to use and have to prove with a TXT record within seven days. */
export class DomainClaimService {
  readonly #deps: DomainClaimDependencies
  /** Lists, removes and erases claims. */
  readonly owned: OwnedResource<DomainClaimRow, Domain, ClaimFilter>

  constructor(deps: DomainClaimDependencies) {
    this.#deps = deps
    this.owned = new OwnedResource(deps, deps.claims, {
      noun: 'domain',
      total: 'domains',
      presenterOf: () => Promise.resolve(deps.responses.presentClaim),
    })
  }

  /** The open claim of an account. */
  find(workspaceUuid: string, name: string): Promise<DomainClaimRow | undefined> {
    const { claims, now } = this.#deps
    return claims.findByName(workspaceUuid, name, now())
  }

  list(workspaceUuid: string): Promise<Domain[]> {
    return this.owned.listAll(workspaceUuid, { openAt: this.#deps.now() })
  }

  /** The open claims of all accounts. */
  listAll(): Promise<DomainClaimRow[]> {
    const { claims, now } = this.#deps
    return claims.listOpen(now())
  }

  /** Claims a name. It is used after its TXT record is found; until then other accounts can claim it as well. */
  async add(workspaceUuid: string, input: string, ignoresCase = false): Promise<Domain> {
    const { db, store, claims, quotas, responses, tombstones } = this.#deps
    const ignore_case: Flag = ignoresCase ? 1 : 0
    const given = { name: requireDomainName(input), token: newToken(), ignore_case }
    const row = { ...this.owned.newRow(workspaceUuid), ...given }
    if (row.name === this.#deps.own) throw domainTaken()
    await db.write(async () => {
      await this.#sweepClaims()
      const present = await store.findByName(row.name)
      // A domain that an operator added needs no record, so the lack of one proves nothing.
      if (present !== undefined && (present.workspace_uuid === workspaceUuid || present.token === ''))
        throw domainTaken()
      if (present?.has_codes === 1 && present.ignore_case < ignore_case) throw hadCodes()
      await caseOfNew(tombstones, row.name, ignoresCase)
      const open = await this.list(workspaceUuid)
      if (open.some(({ name }) => name === row.name)) throw domainTaken('You have already added this domain')
      if (open.length >= OPEN_CLAIMS) throw new AppError('too_many_claims')
      await quotas.take(workspaceUuid, 'domains')
      await claims.insert(row)
    })
    return responses.presentClaim(row)
  }

  /** Queries DNS, which may take seconds, so outside of any transaction. Undefined: the caller already has the domain. */
  async prove(workspaceUuid: string, input: string): Promise<DomainClaimRow | undefined> {
    const { store, lookups } = this.#deps
    const name = requireDomainName(input)
    const owner = await store.findByName(name)
    if (owner?.workspace_uuid === workspaceUuid) return undefined
    const claim = await this.find(workspaceUuid, name)
    if (claim === undefined) throw new AppError('not_found')
    const records = await lookups.proofs(name)
    if (!records.includes(claim.token)) throw fieldError('name', noProof(txtName(name), claim.token, records))
    if (owner !== undefined && (owner.token === '' || records.includes(owner.token)))
      throw fieldError('name', `The TXT record ${txtName(name)} of the current owner still exists`)
    return claim
  }

  /** Assigns a proven domain. The first proof wins and closes the other claims. */
  async verify(workspaceUuid: string, input: string, claim: DomainClaimRow | undefined): Promise<Domain> {
    const { db, store, claims, quotas, now, domainsChanged, tombstones } = this.#deps
    const row = await db.write(async () => {
      const owner = await store.findByName(requireDomainName(input))
      if (claim === undefined) {
        if (owner?.workspace_uuid !== workspaceUuid) throw new AppError('not_found')
        return owner
      }
      // The claim may have expired or been closed since it was proven.
      if ((await claims.remove(workspaceUuid, [claim.uuid])) === 0) throw new AppError('not_found')
      // Settings belong to the previous owner and end with that ownership.
      const at = changeTime(now(), owner?.updated_at ?? 0)
      const proven: DomainRow = { ...NO_SETTINGS, ...claim, verified_at: at, updated_at: at }
      if (owner !== undefined) await this.#deps.blobs.release(logoOwner(claim.name))
      if (owner === undefined) {
        const settled = await caseOfNew(tombstones, claim.name, claim.ignore_case === 1)
        await store.insert({ ...proven, ...settled })
      } else await this.#move(proven)
      if (owner !== undefined && owner.workspace_uuid !== null)
        await quotas.adjust(owner.workspace_uuid, 'domains', -1)
      await this.closeAll(claim.name)
      return (await store.findByName(claim.name)) ?? proven
    })
    db.afterCommit(domainsChanged)
    return this.#deps.responses.present(row)
  }

  /** Links and pages of the previous account stop working immediately, and work again if the domain returns. */
  async #move(proven: DomainRow): Promise<void> {
    const { db, store, ownerChanged } = this.#deps
    await store.move(proven)
    const isSet = await store.setCase(proven.name, proven.ignore_case)
    const present = isSet ? undefined : await store.findByName(proven.name)
    if (present !== undefined && present.ignore_case < proven.ignore_case) throw hadCodes()
    db.afterCommit(ownerChanged)
  }

  /** Deletes expired claims. */
  async sweep(): Promise<void> {
    await this.#deps.db.write(() => this.#sweepClaims())
  }

  async #sweepClaims(): Promise<void> {
    const { claims, quotas, now } = this.#deps
    for (const workspaceUuid of await claims.removeLapsed(now()))
      await quotas.adjust(workspaceUuid, 'domains', -1)
  }

  /** Closes every claim of a name that is assigned; inside a write. */
  async closeAll(name: string): Promise<void> {
    const { claims, quotas } = this.#deps
    for (const workspaceUuid of await claims.removeAll(name))
      await quotas.adjust(workspaceUuid, 'domains', -1)
  }
}
