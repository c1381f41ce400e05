import { isIP } from 'node:net'
import type { Data } from '@waymark/contract/schemas'
import { AppError } from '../../net/errors.ts'
import { type Limits, takeOrReject } from '../../net/limits/limits.ts'
import type { ClaimStore } from './claims.store.ts'
import { txtName } from './domain-fields.ts'
import type { DomainFindings, DomainLookups } from './domain-lookups.ts'
import { toAsciiName } from './domain-name.ts'
import type { DomainStore } from './domains.store.ts'

export type DomainCheck = Data<'checkDomain'>
type RecordCheck = DomainCheck['records'][number]

export interface DomainCheckDependencies {
  readonly store: DomainStore
  readonly claims: ClaimStore
  readonly limits: Limits
  readonly lookups: Pick<DomainLookups, 'all'>
  /** The host of the instance, which domains point to. */
  readonly ownHost: string
  readonly now: () => number
}

/** Checks per minute of one account: each waits for name servers and for a connection. */
const CHECKS_PER_MINUTE = 10
/** Number of unexpected records that are shown. */
const SHOWN_RECORDS = 5
const SHOWN_CHARS = 200

const shown = (records: readonly string[]): string[] =>
  records.slice(0, SHOWN_RECORDS).map((record) => record.slice(0, SHOWN_CHARS))

const sameName = (a: string, b: string): boolean =>
  a.toLowerCase().replace(/\.$/, '') === b.toLowerCase().replace(/\.$/, '')

/** Checks which DNS records of a domain exist, which exist instead, and whether HTTPS responds. */
export class DomainCheckService {
  readonly #deps: DomainCheckDependencies

  constructor(deps: DomainCheckDependencies) {
    this.#deps = deps
  }

  async check(workspaceUuid: string, input: string): Promise<DomainCheck> {
    const { store, claims, limits, lookups, now } = this.#deps
    const name = toAsciiName(input)
    const row = await store.findByName(name)
    const claim = await claims.findByName(workspaceUuid, name, now())
    const own = row?.workspace_uuid === workspaceUuid ? row : undefined
    const token = claim?.token ?? own?.token
    if (token === undefined) throw new AppError('not_found', { message: 'There is no such domain' })
    await takeOrReject(limits, `domain-check:${workspaceUuid}`, CHECKS_PER_MINUTE)
    const found = await lookups.all(name)
    return {
      name,
      verified: own !== undefined,
      records: [...checkTxt(name, token, found), this.#checkAddress(name, found)],
      https: found.https,
    }
  }

  /** A CNAME record with the host of the instance, or address records with its addresses. */
  #checkAddress(name: string, { aliases, addresses, ownAddresses }: DomainFindings): RecordCheck {
    const { ownHost } = this.#deps
    const isOwn = addresses.some((address) => ownAddresses.includes(address))
    const [alias] = aliases
    if (alias !== undefined && isIP(ownHost) === 0) {
      const ok = sameName(alias, ownHost) || isOwn
      return { type: 'CNAME', name, expected: [ownHost], found: shown(aliases), ok }
    }
    const type = addresses.length > 0 && addresses.every((address) => isIP(address) === 6) ? 'AAAA' : 'A'
    return { type, name, expected: shown(ownAddresses), found: shown(addresses), ok: isOwn }
  }
}

/** Not required for a domain that an operator added. */
function checkTxt(name: string, token: string, { proofs }: DomainFindings): RecordCheck[] {
  if (token === '') return []
  const ok = proofs.includes(token)
  return [{ type: 'TXT', name: txtName(name), expected: [token], found: shown(ok ? [token] : proofs), ok }]
}
