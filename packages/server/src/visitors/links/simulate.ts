import {
  decide,
  LIMIT_SETTLED,
  NOTHING_SETTLED,
  type Outcome,
  PASSWORD_SETTLED,
  type Target,
} from './decide.ts'
import type { Lookup } from './lookup.ts'
import { onlyLooks } from './preview-fetchers.ts'
import type { Visitor } from './visitor.ts'

/** A visit that is described, not made. */
export interface SimulatedVisit {
  readonly domain: string
  readonly shortCode: string
  readonly visitor: Visitor
  readonly atMs: number
  /** Whether the visitor knows the password. */
  readonly knowsPassword: boolean
}

/** `look`: a bot that opens links in advance gets a page, because a redirect would use up a click. */
export type SimulatedOutcome = Outcome | { readonly kind: 'look' }

/** What the redirect path would do with a visit, using the same decision; nothing is counted. */
export type Simulate = (visit: SimulatedVisit) => Promise<SimulatedOutcome>

export function createSimulation(
  lookup: Lookup,
  hasClicksLeft: (linkId: string, maxClicks: number) => Promise<boolean>,
): Simulate {
  const find = (domain: string, shortCode: string): Promise<Target | null> =>
    new Promise((resolve, reject) => {
      lookup.find(domain, shortCode, (error, target) => {
        if (error === null) resolve(target)
        else reject(error instanceof Error ? error : new Error('The link could not be looked up'))
      })
    })
  return async ({ domain, shortCode, visitor, atMs, knowsPassword }) => {
    const target = await find(domain, shortCode)
    const first = decide(target, visitor, atMs, NOTHING_SETTLED)
    const next = first.kind === 'limit' ? await afterLimit(first) : first
    const last =
      next.kind === 'password' && knowsPassword ? decide(target, visitor, atMs, PASSWORD_SETTLED) : next
    const isLimited = last.kind === 'redirect' && last.target.extras?.maxClicks != null
    return isLimited && onlyLooks('GET', visitor.headers) ? { kind: 'look' } : last

    async function afterLimit({ maxClicks }: Extract<Outcome, { kind: 'limit' }>): Promise<Outcome> {
      const isLeft = await hasClicksLeft(target?.linkId ?? '', maxClicks)
      return isLeft ? decide(target, visitor, atMs, LIMIT_SETTLED) : { kind: 'expired' }
    }
  }
}
