import type { DomainStore } from './domains.store.ts'

/** How soon a process sees a domain that another one, or the command line, has added. */
const REFRESH_MS = 1_000

/** The hosts that are served, in memory: the hot path asks for every request. */
export interface DomainRegistry {
  /** The registered domain a `host` header names; '' for the instance's own and for every stranger. */
  readonly domainOf: (host: string | undefined) => string
  /** Whether a URL's host is answered by this instance. */
  readonly isServed: (url: URL) => boolean
  readonly refresh: () => Promise<void>
  readonly close: () => void
}

const hostnameOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

export async function openDomainRegistry(store: DomainStore, baseUrl: string): Promise<DomainRegistry> {
  const own = new URL(baseUrl)
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
  // The database may be away: what was known stays known.
  const timer = setInterval(() => void refresh().catch(() => {}), REFRESH_MS)
  timer.unref()

  return {
    domainOf(host) {
      if (host === undefined || names.size === 0) return ''
      const name = hostnameOf(host)
      return name !== own.hostname && names.has(name) ? name : ''
    },
    isServed: (url) => url.host === own.host || names.has(url.hostname),
    refresh,
    close: () => clearInterval(timer),
  }
}
