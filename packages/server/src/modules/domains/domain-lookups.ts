import { getServers, Resolver } from 'node:dns/promises'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { type Admission, admission } from '../../net/admission/lanes.ts'
import { namesPrivateHost, PrivateAddressError, publicLookup } from '../../net/public-address.ts'
import { SingleFlight } from '../../work/single-flight.ts'
import { txtName } from './domain-fields.ts'

/** DNS records of a name; no record and no response are treated alike. */
export interface DnsRecords {
  readonly txt: (name: string) => Promise<string[]>
  readonly cname: (name: string) => Promise<string[]>
  /** IPv4 and IPv6 addresses. */
  readonly addresses: (name: string) => Promise<string[]>
}

const OPTIONS = { timeout: 2_500, tries: 2 }

const none = (): never[] => []

/** Queries the configured name servers of this process, with a timeout. */
export function systemDns(): DnsRecords {
  const resolver = (): Resolver => {
    const made = new Resolver(OPTIONS)
    made.setServers(getServers())
    return made
  }
  return {
    txt: (name) =>
      resolver()
        .resolveTxt(name)
        .then((records) => records.map((parts) => parts.join('')), none),
    cname: (name) => resolver().resolveCname(name).catch(none),
    addresses: async (name) => {
      if (isIP(name) !== 0) return [name]
      const asked = resolver()
      const found = await Promise.all([asked.resolve4(name).catch(none), asked.resolve6(name).catch(none)])
      return found.flat()
    },
  }
}

/** DNS records of a domain, and whether it responds. */
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

interface DomainLookupSources {
  readonly dns: DnsRecords
  readonly probeHttps: ProbeHttps
  /** The host of the instance, which domains point to. */
  readonly ownHost: string
}

/**
 * Looks domains up, with a share of the capacity per account, and once for all concurrent requests about a domain. A request
 * passes the gate first and then joins the others: the other way round it would wait in the queue of the account that
 * asked first.
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

  /** Values of the TXT record that proves a domain; empty if there is none. */
  proofs(name: string): Promise<string[]> {
    const { dns } = this.#sources
    return this.#gate.run('domainLookups', () => this.#proofs.run(name, () => dns.txt(txtName(name))))
  }

  /** All findings about a domain. */
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

/** Whether a host responds over HTTPS, and the error if it does not. */
export interface HttpsFinding {
  readonly ok: boolean
  readonly error: string | null
}

type ProbeHttps = (host: string) => Promise<HttpsFinding>

const TIMEOUT_MS = 5_000

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens on port 443',
  ENOTFOUND: 'The name has no address',
  ENODATA: 'The name has no address',
  ECONNRESET: 'The connection was closed; the proxy may have no certificate for this name',
  EPROTO: 'The proxy has no certificate for this name',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is not issued by a public authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is not issued by a public authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is not issued by a public authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate is not issued by a public authority',
}

const sentenceOf = (error: NodeJS.ErrnoException): string => {
  if (error instanceof PrivateAddressError) return 'The name leads to a private address'
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `No response within ${TIMEOUT_MS / 1000} seconds`
  const code = error.code ?? ''
  return (
    SENTENCES[code] ?? (code.startsWith('ERR_SSL') ? SENTENCES['EPROTO'] : undefined) ?? 'The request failed'
  )
}

/**
 * Requests `/livez` of a host over HTTPS. It connects only to public addresses and returns nothing of the response, so that
 * an account learns nothing about networks that only this machine can reach.
 */
export const probeHttps: ProbeHttps = (host) =>
  new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve({ ok: false, error: sentenceOf(error) })
    const url = new URL(`https://${host}/livez`)
    if (namesPrivateHost(url)) return fail(new PrivateAddressError())
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    request(url, { agent: false, signal, lookup: publicLookup() }, (response) => {
      const isOurs = response.statusCode === 200
      response.destroy()
      resolve(
        isOurs ? { ok: true, error: null } : { ok: false, error: 'Another server responds at this name' },
      )
    })
      .on('error', fail)
      .end()
  })
