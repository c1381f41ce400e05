import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { Background } from '../../work/background.ts'
import type { DomainRow, DomainStore } from './domains.store.ts'

/** How soon a process notices a domain that another process or the command line has added. */
const REFRESH_MS = 1_000

/** The visitor settings of a domain. */
interface DomainSettings {
  readonly rootUrl: string | null
  readonly notFoundUrl: string | null
  readonly expiredUrl: string | null
  readonly ignoresCase: boolean
  readonly brand: {
    readonly name: string | null
    /** Path of the logo on any host. */
    readonly logo: string | null
    readonly color: string | null
  }
}

/** The served hosts, in memory: the hot path checks them for every request. */
export interface DomainRegistry {
  /** The registered domain of a `host` header; '' for the instance's own and for unknown hosts. */
  readonly domainOf: (host: string | undefined) => string
  /** The settings of a registered domain. */
  readonly settingsOf: (domain: string) => DomainSettings | undefined
  /** Whether the short codes of a registered domain are stored in lower case. */
  readonly ignoresCase: (domain: string) => boolean
  /** Whether a name is the instance's own host or a verified domain. */
  readonly isVerified: (name: string) => boolean
  /** Whether a URL's host is served by this instance. */
  readonly isServed: (url: URL) => boolean
  readonly refresh: () => Promise<void>
  /** Refreshes in the background, unless the registry is closed. */
  readonly refreshSoon: () => void
  /** Waits for a refresh in progress, so that the database can be closed afterwards. */
  readonly close: () => Promise<void>
}

const hostnameOf = (host: string): string => withoutTrailingDot(host.toLowerCase().replace(/:\d*$/, ''))

export async function openDomainRegistry(
  store: Pick<DomainStore, 'version' | 'listAll'>,
  server: { readonly baseUrl: string; readonly port: number },
  mediaPath: (hash: string) => string = (hash) => hash,
): Promise<DomainRegistry> {
  const own = new URL(server.baseUrl)
  const isOwnPort = leadsToOwnPort(server)
  let domains: ReadonlyMap<string, DomainSettings> = new Map()
  let version = -1

  const refresh = async (): Promise<void> => {
    const current = await store.version()
    if (current === version) return
    const rows = await store.listAll()
    const verified = rows.filter((row) => row.verified_at !== null)
    domains = new Map(verified.map((row) => [row.name, settingsOf(row, mediaPath)]))
    version = current
  }
  await refresh()
  // While the database is unavailable, the last known domains stay in use.
  const background = new Background(() => {})
  background.every(REFRESH_MS, refresh)

  return {
    domainOf(host) {
      if (host === undefined || domains.size === 0) return ''
      const name = hostnameOf(host)
      return name !== own.hostname && domains.has(name) ? name : ''
    },
    settingsOf: (domain) => domains.get(domain),
    ignoresCase: (domain) => domain !== '' && domains.get(domain)?.ignoresCase === true,
    isVerified: (name) => name === own.hostname || domains.has(name),
    isServed: (url) =>
      url.host === own.host || domains.has(withoutTrailingDot(url.hostname)) || isOwnPort(url),
    refresh,
    refreshSoon: () => background.start(refresh),
    close: () => background.close(),
  }
}

const settingsOf = (row: DomainRow, mediaPath: (hash: string) => string): DomainSettings => ({
  rootUrl: row.root_url,
  notFoundUrl: row.not_found_url,
  expiredUrl: row.expired_url,
  ignoresCase: row.ignore_case === 1,
  brand: {
    name: row.brand_name,
    logo: row.logo_hash === null ? null : mediaPath(row.logo_hash),
    color: row.brand_color,
  },
})

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** Read each time, because a machine's addresses can change. */
function ownAddresses(): BlockList {
  const list = new BlockList()
  list.addSubnet('127.0.0.0', 8, 'ipv4')
  list.addAddress('0.0.0.0', 'ipv4')
  list.addAddress('::1', 'ipv6')
  list.addAddress('::', 'ipv6')
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((each) => each ?? []))
    list.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4')
  return list
}

const linesOf = (file: string): string[][] => {
  try {
    const lines = readFileSync(file, 'utf8').toLowerCase().split('\n')
    return lines.map((line) => line.replace(/#.*/, '').split(/\s+/).filter(Boolean))
  } catch {
    // Systems without this file use other ways, which are not supported here.
    return []
  }
}

/** The names of this machine, with and without its domain: from /etc/hosts, and as resolvers complete them. */
function machineNames(): Set<string> {
  const name = hostname().toLowerCase()
  const isOwn = isAddressOf(ownAddresses())
  const aliases = linesOf('/etc/hosts').filter(
    ([address = '', ...names]) => names.includes(name) || isOwn(address),
  )
  const domains = linesOf('/etc/resolv.conf').filter(([key]) => key === 'search' || key === 'domain')
  return new Set([
    name,
    ...name.split('.', 1),
    ...aliases.flatMap((names) => names.slice(1)),
    ...domains.flatMap((names) => names.slice(1).map((domain) => `${name}.${domain}`)),
  ])
}

/** Whether a host of a URL, without trailing dot, is this machine. */
function isThisMachine(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  return isAddressOf(ownAddresses())(host.replace(/^\[|\]$/g, ''))
}

const isAddressOf =
  (list: BlockList) =>
  (text: string): boolean => {
    const version = isIP(text)
    return version !== 0 && list.check(text, version === 6 ? 'ipv6' : 'ipv4')
  }

/** Detects URLs that lead back to this server by a name or address of its machine, on one of its ports. */
function leadsToOwnPort({ baseUrl, port }: { baseUrl: string; port: number }): (url: URL) => boolean {
  const own = new URL(baseUrl)
  const ports = new Set([port, portOf(own)])
  const names = machineNames().add(withoutTrailingDot(own.hostname))
  return (url) => {
    if (!ports.has(portOf(url))) return false
    const host = withoutTrailingDot(url.hostname)
    return names.has(host) || isThisMachine(host)
  }
}

const withoutTrailingDot = (host: string): string => host.replace(/\.$/, '')
