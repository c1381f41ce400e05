import type { Bus, MissedFrom } from './bus.ts'

const TARGET = 'target'
const CALLER = 'caller'
const PAGE = 'page'
const DOMAINS = 'domains'
const BLOCKS = 'blocks'
const OWNERS = 'owners'

/** Receives a short code or slug and its domain. */
type Listener = (domain: string, name: string) => void

/** Notifies every process of changes, so that none serves an outdated cache entry. */
export interface Changes {
  /** The destination of a short link changed. */
  readonly target: (domain: string, shortCode: string) => void
  readonly page: (domain: string, slug: string) => void
  /** A key, a session or an account changed. */
  readonly caller: () => void
  /** An account was deleted or a domain changed hands: any link and page may be affected. */
  readonly owners: () => void
  /** A domain was added, changed or removed. */
  readonly domains: () => void
  /** An operator has blocked or unblocked something. */
  readonly blocks: () => void
  readonly onTarget: (listener: Listener) => void
  readonly onPage: (listener: Listener) => void
  readonly onDomains: (listener: () => void) => void
  readonly onBlocks: (listener: () => void) => void
  readonly onCaller: (listener: () => void) => void
  readonly onOwners: (listener: () => void) => void
  /** Messages of other processes may have been lost: any cached entry may be outdated. */
  readonly onMissed: (listener: (from: MissedFrom) => void) => void
}

export function createChanges(bus: Bus): Changes {
  const send = (topic: string) => (domain: string, name: string) => bus.publish(topic, `${domain}\n${name}`)
  const subscribeTo = (topic: string) => (listener: Listener) => {
    bus.subscribe(topic, (message) => {
      const [domain = '', name = ''] = message.split('\n')
      listener(domain, name)
    })
  }
  return {
    target: send(TARGET),
    page: send(PAGE),
    caller: () => bus.publish(CALLER, ''),
    owners: () => bus.publish(OWNERS, ''),
    domains: () => bus.publish(DOMAINS, ''),
    blocks: () => bus.publish(BLOCKS, ''),
    onTarget: subscribeTo(TARGET),
    onPage: subscribeTo(PAGE),
    onDomains: (listener) => void bus.subscribe(DOMAINS, listener),
    onBlocks: (listener) => void bus.subscribe(BLOCKS, listener),
    onCaller: (listener) => void bus.subscribe(CALLER, listener),
    onOwners: (listener) => void bus.subscribe(OWNERS, listener),
    onMissed: (listener) => bus.onMissed(listener),
  }
}
