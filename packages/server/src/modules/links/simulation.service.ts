import { type Body, browserName, type Data, systemName } from '@waymark/contract/schemas'
import type { LinkService } from './links.service.ts'

type Described = Body<'simulateLink'>
type Simulation = Data<'simulateLink'>

/** A described visitor in the form that the decision uses. */
export interface SimulatedVisit {
  readonly domain: string
  readonly shortCode: string
  readonly visitor: {
    readonly headers: {
      readonly 'user-agent'?: string
      readonly 'accept-language'?: string
      readonly referer?: string
    }
    readonly query: string
    readonly rest: string
    readonly address: string
    readonly country?: string
    readonly agent?: { readonly device?: string; readonly system?: string; readonly browser?: string }
  }
  readonly atMs: number
  readonly knowsPassword: boolean
}

/** The outcome of the redirect path's decision. */
export interface SimulatedOutcome {
  readonly kind:
    | 'redirect'
    | 'preview'
    | 'look'
    | 'password'
    | 'limit'
    | 'notYet'
    | 'expired'
    | 'gone'
    | 'blocked'
    | 'notFound'
  readonly url?: string
  readonly plainUrl?: string
  readonly rule?: string | undefined
  readonly variant?: string | undefined
}

interface SimulationDependencies {
  readonly links: LinkService
  /** The decision of the redirect path. */
  readonly simulate: (visit: SimulatedVisit) => Promise<SimulatedOutcome>
  readonly now: () => number
}

const NOT_REDIRECTED = {
  preview: [200, 'preview'],
  look: [200, 'not_opened'],
  password: [200, 'password'],
  limit: [410, 'expired'],
  notYet: [404, 'not_active_yet'],
  expired: [410, 'expired'],
  gone: [410, 'removed'],
  blocked: [410, 'blocked'],
  notFound: [410, 'removed'],
} as const

const NO_SUCH_PATH = [404, 'no_such_path'] as const

/** Shows where a described visitor would be sent, and why. */
export class LinkSimulation {
  readonly #deps: SimulationDependencies

  constructor(deps: SimulationDependencies) {
    this.#deps = deps
  }

  async simulate(workspaceUuid: string, described: Described): Promise<Simulation> {
    const { links, simulate, now } = this.#deps
    const { domain, short_code, redirect, password_hash } = await links.owned.find(
      workspaceUuid,
      described.uuid,
    )
    const outcome = await simulate({
      domain,
      shortCode: short_code,
      visitor: visitorOf(described),
      atMs: described.at ?? now(),
      knowsPassword: described.password === true,
    })
    if (outcome.kind !== 'redirect') {
      // The link exists: the path below it was not found.
      const isPath = outcome.kind === 'notFound' && !!described.path
      const [status, reason] = isPath ? NO_SUCH_PATH : NOT_REDIRECTED[outcome.kind]
      return { status, url: null, reason, rule: null, variant: null, forwarded: false }
    }
    const { url = null, plainUrl = null, rule, variant } = outcome
    return {
      // A redirect after the form of a password is always 303.
      status: password_hash === null ? redirect : 303,
      url,
      reason: rule !== undefined ? 'rule' : variant !== undefined ? 'variant' : 'link',
      rule: rule === undefined ? null : rule === 'ios' || rule === 'android' ? rule : Number(rule),
      variant: variant ?? null,
      forwarded: url !== plainUrl,
    }
  }
}

function visitorOf(described: Described): SimulatedVisit['visitor'] {
  const { user_agent, language, referrer, query, path, address, country, device, os, browser } = described
  return {
    headers: {
      ...(user_agent && { 'user-agent': bytesOf(user_agent) }),
      ...(language && { 'accept-language': bytesOf(language) }),
      ...(referrer && { referer: referrer.includes('://') ? bytesOf(referrer) : `https://${referrer}/` }),
    },
    // Browsers do not send the fragment.
    query: bytesOf((query ?? '').replace(/^\?/, '').replace(/#.*$/s, '')),
    rest: bytesOf((path ?? '').replace(/^\//, '').replace(/[?#].*$/s, '')),
    address: address ?? '',
    ...(country && { country }),
    ...((device || os || browser) && {
      agent: {
        ...(device && { device }),
        ...(os && { system: systemName(os) ?? os }),
        ...(browser && { browser: browserName(browser) ?? browser }),
      },
    }),
  }
}

/** Requests are read with one character per byte. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}
