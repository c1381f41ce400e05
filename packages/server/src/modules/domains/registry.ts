import { Background } from '../../runtime/background.ts'
import type { DomainStore } from './domains.store.ts'
import { leadsToOwnPort, withoutTrailingDot } from './own-addresses.ts'

/** How soon a process sees a domain that another one, or the command line, has added. */
const REFRESH_MS = 1_000

/** The hosts that are served, in memory: the hot path asks for every request. */
export interface DomainRegistry {
  /** The registered domain a `host` header names; '' for the instance's own and for every stranger. */
  readonly domainOf: (host: string | undefined) => string
  /** Whether a URL's host is answered by this instance. */
  readonly isServed: (url: URL) => boolean
  readonly refresh: () => Promise<void>
  /** Refreshes without making the caller wait, unless the registry is closed. */
  readonly refreshSoon: () => void
  /** Waits for a refresh in progress: the database may be closed afterwards. */
  readonly close: () => Promise<void>
}

const hostnameOf = (host: string): string => withoutTrailingDot(host.toLowerCase().replace(/:\d*$/, ''))

export async function openDomainRegistry(
  store: Pick<DomainStore, 'version' | 'listAll'>,
  server: { readonly baseUrl: string; readonly port: number },
): Promise<DomainRegistry> {
  const own = new URL(server.baseUrl)
  const isOwnPort = leadsToOwnPort(server)
  let names: ReadonlySet<string> = new Set()
  let version = -1

  const refresh = async (): Promise<void> => {
    const current = await store.version()
    if (current === version) return
    const rows = await store.listAll()
    names = new Set(rows.filter((row) => row.verified_at !== null).map((row) => row.name))
    version = current
  }
  await refresh()
  // While the database is unavailable the names known so far stay in use.
  const background = new Background(() => {})
  background.every(REFRESH_MS, refresh)

  return {
    domainOf(host) {
      if (host === undefined || names.size === 0) return ''
      const name = hostnameOf(host)
      return name !== own.hostname && names.has(name) ? name : ''
    },
    isServed: (url) => url.host === own.host || names.has(withoutTrailingDot(url.hostname)) || isOwnPort(url),
    refresh,
    refreshSoon: () => background.start(refresh),
    close: () => background.close(),
  }
}
