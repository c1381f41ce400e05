import { randomBytes } from 'node:crypto'
import type { BlobKeeper } from '../../storage/blobs/keeper.ts'
import type { Database } from '../../storage/db/database.ts'
import { AppError, fieldError } from '../../runtime/errors.ts'
import type { Quotas } from '../../accounts/users/quotas.ts'
import { changeTime } from '../owned/owned-rows.ts'
import { readDomainName, toAsciiName } from './domain-name.ts'
import type { ClaimStore, DomainClaimRow } from './claims.store.ts'
import type { DomainLookups } from './domain-lookups.ts'
import { type Domain, type DomainResponses, NO_SETTINGS, txtName } from './domain-response.ts'
import { logoOwner } from './domain-settings.service.ts'
import type { DomainRow, DomainStore } from './domains.store.ts'
import type { DomainRegistry } from './registry.ts'

export interface DomainDependencies {
  readonly db: Database
  readonly store: DomainStore
  readonly claims: ClaimStore
  readonly registry: DomainRegistry
  readonly quotas: Quotas
  readonly blobs: Pick<BlobKeeper, 'release'>
  readonly responses: DomainResponses
  /** Tells every process that a domain changed. */
  readonly domainsChanged: () => void
  /** Tells every process that links and pages of a domain may no longer be served. */
  readonly ownerChanged: () => void
  readonly baseUrl: string
  readonly lookups: Pick<DomainLookups, 'proofs'>
  readonly now: () => number
}

/** Claims of one account that wait for their proof. */
const OPEN_CLAIMS = 20

const newToken = (): string => `waymark-${randomBytes(16).toString('hex')}`

const taken = (sentence = 'This domain is taken'): AppError => fieldError('name', sentence, 'domain_taken')

const readName = (input: string): string => {
  const result = readDomainName(input)
  if ('fault' in result) throw fieldError('name', result.fault)
  return result.name
}

/** Says what was found in place of the proof, because a typing error is the usual cause. */
const noProof = (name: string, value: string, found: readonly string[]): string => {
  const [first] = found
  const instead = first === undefined ? 'there is none' : `found "${first.slice(0, 100)}" instead`
  return `There is no TXT record ${name} with the value ${value} yet: ${instead}`
}

export class DomainService {
  readonly #deps: DomainDependencies
  /** The instance's own host, which exists always and is stored as ''. */
  readonly #own: string

  constructor(deps: DomainDependencies) {
    this.#deps = deps
    this.#own = new URL(deps.baseUrl).hostname
  }

  /** The stored form of a domain that a link or page of this user asks for, or a 422 on the field. */
  async choose(userUuid: string, asked: string | null | undefined, field = 'domain'): Promise<string> {
    if (asked === null || asked === undefined) return ''
    const name = toAsciiName(asked)
    if (name === this.#own) return ''
    const { store, claims, now } = this.#deps
    const row = await store.find(name)
    const usable = row !== undefined && (row.user_uuid === null || row.user_uuid === userUuid)
    if (!usable) {
      const isClaimed = (await claims.find(userUuid, name, now())) !== undefined
      const rule = isClaimed ? 'This domain is not verified yet' : 'Must be the name of an existing domain'
      throw fieldError(field, rule)
    }
    // Added by another process a moment ago: what is created under it now must be served at once.
    if (this.#deps.registry.domainOf(row.name) === '') this.#refresh()
    return row.name
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

  async list(userUuid: string): Promise<Domain[]> {
    const { store, claims, responses, now } = this.#deps
    const [rows, open] = [await store.list(userUuid), await claims.list(userUuid, now())]
    return [responses.presentOwn(), ...rows.map(responses.present), ...open.map(responses.presentClaim)]
  }

  /** Every proven domain and every open claim, for the command line. */
  async listAll(): Promise<{ domains: DomainRow[]; claims: DomainClaimRow[] }> {
    const { store, claims, now } = this.#deps
    return { domains: await store.listAll(), claims: await claims.listAll(now()) }
  }

  /** Claims a name. It is used once its TXT record is found; until then other accounts may claim it as well. */
  async add(userUuid: string, input: string): Promise<Domain> {
    const { db, store, claims, quotas, responses, now } = this.#deps
    const row = { name: readName(input), user_uuid: userUuid, token: newToken(), created_at: now() }
    if (row.name === this.#own) throw taken()
    await db.write(async () => {
      await this.#sweepClaims()
      const present = await store.find(row.name)
      // What an operator added needs no record, so no record can prove it gone.
      if (present !== undefined && (present.user_uuid === userUuid || present.token === '')) throw taken()
      const open = await claims.list(userUuid, now())
      if (open.some(({ name }) => name === row.name)) throw taken('You have added this domain already')
      if (open.length >= OPEN_CLAIMS) throw new AppError('too_many_claims')
      await quotas.take(userUuid, 'domains')
      await claims.insert(row)
    })
    return responses.presentClaim(row)
  }

  /** The command line's way: an operator needs no proof. Without a user every account may use the domain. */
  async addVerified(input: string, userUuid: string | null): Promise<DomainRow> {
    const { db, store, quotas, now } = this.#deps
    const at = now()
    const given = { name: readName(input), user_uuid: userUuid, token: '' }
    const row: DomainRow = { ...NO_SETTINGS, ...given, verified_at: at, created_at: at, updated_at: at }
    if (row.name === this.#own) throw taken()
    await db.write(async () => {
      if (userUuid !== null) await quotas.take(userUuid, 'domains')
      if (!(await store.insert(row))) throw taken()
      await this.#closeClaims(row.name)
    })
    this.#refresh()
    return row
  }

  /** Asks the DNS, outside any transaction: it may take seconds. Undefined: the domain is the caller's already. */
  async prove(userUuid: string, input: string): Promise<DomainClaimRow | undefined> {
    const { store, claims, lookups, now } = this.#deps
    const name = readName(input)
    const owner = await store.find(name)
    if (owner?.user_uuid === userUuid) return undefined
    const claim = await claims.find(userUuid, name, now())
    if (claim === undefined) throw new AppError('not_found')
    const records = await lookups.proofs(name)
    if (!records.includes(claim.token)) throw fieldError('name', noProof(txtName(name), claim.token, records))
    if (owner !== undefined && (owner.token === '' || records.includes(owner.token)))
      throw fieldError('name', `The TXT record ${txtName(name)} of the present owner is still there`)
    return claim
  }

  /** Takes a proven domain into use. The first proof wins, and closes the other claims. */
  async verify(userUuid: string, input: string, claim: DomainClaimRow | undefined): Promise<Domain> {
    const { db, store, claims, quotas, now } = this.#deps
    const row = await db.write(async () => {
      const owner = await store.find(readName(input))
      if (claim === undefined) {
        if (owner?.user_uuid !== userUuid) throw new AppError('not_found')
        return owner
      }
      // The claim may have lapsed or been closed since it was proven.
      if (!(await claims.take(claim))) throw new AppError('not_found')
      // Settings are the previous owner's, so they end with that ownership.
      const at = changeTime(now(), owner?.updated_at ?? 0)
      const proven: DomainRow = { ...NO_SETTINGS, ...claim, verified_at: at, updated_at: at }
      if (owner !== undefined) await this.#deps.blobs.release(logoOwner(claim.name))
      if (owner === undefined) await store.insert(proven)
      else await this.#move(proven)
      if (owner !== undefined && owner.user_uuid !== null) await quotas.adjust(owner.user_uuid, 'domains', -1)
      await this.#closeClaims(claim.name)
      return proven
    })
    this.#refresh()
    return this.#deps.responses.present(row)
  }

  /** What the account before serves by the domain ends at once, and works again if the domain comes back. */
  async #move(proven: DomainRow): Promise<void> {
    const { db, store, ownerChanged } = this.#deps
    await store.move(proven)
    db.afterCommit(ownerChanged)
  }

  /** Removes claims that have lapsed. */
  async sweep(): Promise<void> {
    await this.#deps.db.write(() => this.#sweepClaims())
  }

  async remove(userUuid: string, input: string): Promise<{ name: string }> {
    const { db, store, claims, quotas, now } = this.#deps
    const name = readName(input)
    const claim = await claims.find(userUuid, name, now())
    if (claim !== undefined) {
      await db.write(async () => {
        if (await claims.take(claim)) await quotas.adjust(userUuid, 'domains', -1)
      })
      return { name }
    }
    if ((await store.find(name))?.user_uuid !== userUuid) throw new AppError('not_found')
    return this.removeUnused(name)
  }

  /** Rejected while anything is served by it: its links would all break. */
  async removeUnused(input: string): Promise<{ name: string }> {
    const { db, store, quotas } = this.#deps
    const name = toAsciiName(input)
    await db.write(async () => {
      const row = await store.find(name)
      if (row === undefined) throw new AppError('not_found', { message: `There is no domain ${input}` })
      const uses = await store.countUses(name)
      if (uses > 0)
        throw new AppError('domain_in_use', {
          message: `${uses} link(s) and page(s) still use ${name}`,
          extra: { uses },
        })
      await store.remove(name)
      await this.#deps.blobs.release(logoOwner(name))
      if (row.user_uuid !== null) await quotas.adjust(row.user_uuid, 'domains', -1)
    })
    this.#refresh()
    return { name }
  }

  async #sweepClaims(): Promise<void> {
    const { claims, quotas, now } = this.#deps
    for (const userUuid of await claims.removeLapsed(now())) await quotas.adjust(userUuid, 'domains', -1)
  }

  async #closeClaims(name: string): Promise<void> {
    const { claims, quotas } = this.#deps
    for (const userUuid of await claims.removeAll(name)) await quotas.adjust(userUuid, 'domains', -1)
  }

  #refresh(): void {
    const { db, domainsChanged } = this.#deps
    db.afterCommit(domainsChanged)
  }
}
