import { randomBytes } from 'node:crypto'
import type { Data } from '@waymark/contract/schemas'
import type { Database } from '../../storage/db/database.ts'
import { AppError, fieldError } from '../../runtime/errors.ts'
import { isoTime } from '../../runtime/times.ts'
import type { Quotas } from '../accounts/quotas.ts'
import { readDomainName, toAsciiName } from './domain-name.ts'
import type { DomainRow, DomainStore } from './domains.store.ts'
import type { DomainRegistry } from './registry.ts'

export type Domain = Data<'domains'>[number]

export interface DomainDependencies {
  readonly db: Database
  readonly store: DomainStore
  readonly registry: DomainRegistry
  readonly quotas: Quotas
  readonly baseUrl: string
  /** The TXT records of a name; empty when there are none. */
  readonly resolveTxt: (name: string) => Promise<string[]>
  readonly now: () => number
}

const txtName = (name: string): string => `_waymark.${name}`

const readName = (input: string): string => {
  const result = readDomainName(input)
  if ('fault' in result) throw fieldError('name', result.fault)
  return result.name
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
    const row = await this.#deps.store.find(name)
    const usable = row !== undefined && (row.user_uuid === null || row.user_uuid === userUuid)
    if (!usable) throw fieldError(field, 'Must be the name of an existing domain')
    if (row.verified_at === null) throw fieldError(field, 'This domain is not verified yet')
    // Added by another process a moment ago: what is made under it now should answer at once.
    if (this.#deps.registry.domainOf(row.name) === '') this.#refresh()
    return row.name
  }

  /** How a stored domain is answered. */
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
    const own: Domain = {
      name: this.#own,
      verified: true,
      shared: true,
      txt_name: null,
      txt_value: null,
      created_at: null,
    }
    return [own, ...(await this.#deps.store.list(userUuid)).map(present)]
  }

  listAll(): Promise<DomainRow[]> {
    return this.#deps.store.listAll()
  }

  async add(userUuid: string, input: string): Promise<Domain> {
    const row = this.#newRow(readName(input), userUuid, null)
    await this.#insert(row)
    return present(row)
  }

  /** The command line's way: whoever can run it needs no proof. Without a user everybody may use it. */
  async addVerified(input: string, userUuid: string | null): Promise<DomainRow> {
    const row = this.#newRow(readName(input), userUuid, this.#deps.now())
    await this.#insert(row)
    return row
  }

  /** Asks the DNS, outside any transaction: it may take seconds. */
  async prove(userUuid: string, input: string): Promise<DomainRow> {
    const row = await this.#findOwn(userUuid, input)
    if (row.verified_at !== null) return row
    const records = await this.#deps.resolveTxt(txtName(row.name))
    if (records.includes(row.token)) return row
    throw fieldError('name', `There is no TXT record ${txtName(row.name)} with the value ${row.token} yet`)
  }

  /** Takes a proven domain into use. */
  async verify(proven: DomainRow): Promise<Domain> {
    const { db, store, now } = this.#deps
    if (proven.verified_at !== null) return present(proven)
    const verified_at = now()
    await db.write(() => store.markVerified(proven.name, verified_at))
    this.#refresh()
    return present({ ...proven, verified_at })
  }

  async remove(userUuid: string, input: string): Promise<{ name: string }> {
    const { name } = await this.#findOwn(userUuid, input)
    return this.removeUnused(name)
  }

  /** Refused while anything is served by it: its links would all break. */
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
      if (row.user_uuid !== null) await quotas.adjust(row.user_uuid, 'domains', -1)
    })
    this.#refresh()
    return { name }
  }

  async #insert(row: DomainRow): Promise<void> {
    const { db, store, quotas } = this.#deps
    if (row.name === this.#own) throw fieldError('name', 'This domain is taken', 'domain_taken')
    await db.write(async () => {
      if (row.user_uuid !== null) await quotas.take(row.user_uuid, 'domains')
      if (!(await store.insert(row))) throw fieldError('name', 'This domain is taken', 'domain_taken')
    })
    this.#refresh()
  }

  /** Other processes look every second; this one need not wait. */
  #refresh(): void {
    const { db, registry } = this.#deps
    db.afterCommit(registry.refreshSoon)
  }

  #newRow(name: string, userUuid: string | null, verifiedAt: number | null): DomainRow {
    const token = `waymark-${randomBytes(16).toString('hex')}`
    return { name, user_uuid: userUuid, token, verified_at: verifiedAt, created_at: this.#deps.now() }
  }

  async #findOwn(userUuid: string, input: string): Promise<DomainRow> {
    const row = await this.#deps.store.find(readName(input))
    if (row === undefined || row.user_uuid !== userUuid) throw new AppError('not_found')
    return row
  }
}

const present = (row: DomainRow): Domain => ({
  name: row.name,
  verified: row.verified_at !== null,
  shared: row.user_uuid === null,
  txt_name: row.user_uuid === null ? null : txtName(row.name),
  txt_value: row.user_uuid === null ? null : row.token,
  created_at: isoTime(row.created_at),
})
