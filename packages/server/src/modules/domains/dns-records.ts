import { getServers, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** What the DNS says of a name; no record and no response are the same. */
export interface DnsRecords {
  readonly txt: (name: string) => Promise<string[]>
  readonly cname: (name: string) => Promise<string[]>
  /** Addresses of both families. */
  readonly addresses: (name: string) => Promise<string[]>
}

const OPTIONS = { timeout: 2_500, tries: 2 }

const none = (): never[] => []

/** Asks the name servers that this process was given, with a time limit. */
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
