import { type Admission, admission } from '../../net/admission/lanes.ts'
import { SingleFlight } from '../../work/single-flight.ts'
import type { DnsRecords } from './dns-records.ts'
import { txtName } from './domain-fields.ts'
import type { HttpsFinding, ProbeHttps } from './https-probe.ts'

/** What name servers and the domain itself respond. */
export interface DomainFindings {
  /** Values of the TXT record that proves a domain. */
  readonly proofs: readonly string[]
  /** Values of its CNAME record. */
  readonly aliases: readonly string[]
  readonly addresses: readonly string[]
  /** Addresses of the instance. */
  readonly ownAddresses: readonly string[]
  readonly https: HttpsFinding
}

export interface DomainLookupSources {
  readonly dns: DnsRecords
  readonly probeHttps: ProbeHttps
  /** The host of the instance, which domains point to. */
  readonly ownHost: string
}

/**
 * Looks domains up, with a share of the places for each account and once for all requests about a domain that are in
 * progress. A request enters the gate first and joins the others behind it: the other way round it would wait in the
 * queue of the account that asked first.
 */
export class DomainLookups {
  readonly #sources: DomainLookupSources
  readonly #gate: Pick<Admission<'domainLookups'>, 'run'>
  readonly #proofs = new SingleFlight<string[]>()
  readonly #findings = new SingleFlight<DomainFindings>()

  constructor(sources: DomainLookupSources, gate: Pick<Admission<'domainLookups'>, 'run'> = admission) {
    this.#sources = sources
    this.#gate = gate
  }

  /** Values of the TXT record that proves a domain; empty when there is none. */
  proofs(name: string): Promise<string[]> {
    const { dns } = this.#sources
    return this.#gate.run('domainLookups', () => this.#proofs.run(name, () => dns.txt(txtName(name))))
  }

  /** All that is known of a domain from outside. */
  all(name: string): Promise<DomainFindings> {
    return this.#gate.run('domainLookups', () => this.#findings.run(name, () => this.#lookUp(name)))
  }

  async #lookUp(name: string): Promise<DomainFindings> {
    const { dns, probeHttps, ownHost } = this.#sources
    const [proofs, aliases, addresses, ownAddresses, https] = await Promise.all([
      dns.txt(txtName(name)),
      dns.cname(name),
      dns.addresses(name),
      dns.addresses(ownHost),
      probeHttps(name),
    ])
    return { proofs, aliases, addresses, ownAddresses, https }
  }
}
