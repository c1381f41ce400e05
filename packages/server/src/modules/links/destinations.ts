import { isWebUrl, schemeOf, TARGET_SCHEMES } from '@waymark/contract'
import { fieldError, rejectInvalid } from '../../net/errors.ts'
import { couldBeShortLink } from '../domains/domain-name.ts'
import {
  destinationsOf,
  type LinkDestinations,
  storedDestinations,
} from '../../storage/db/rows/link-destinations.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import { definedOf } from '../owned/field-map.ts'
import type { LinkCreate } from './link-fields.ts'

/** The destinations of a link, and the fields that not every destination can be combined with. */
export type Destinations = LinkDestinations &
  Pick<Partial<LinkCreate>, 'forward_path' | 'forward_query' | 'redirect' | 'customLink'>

export interface DestinationRulesDependencies {
  /** Whether a URL's host is served by this instance. */
  readonly isServed: (url: URL) => boolean
  /** Whether operators have blocked a URL. */
  readonly isRejected: (url: string) => boolean
  /** Schemes that this instance accepts besides http and https. */
  readonly linkSchemes: readonly string[]
}

interface Fault {
  readonly field: string
  readonly fault: string
}

const LOOP = 'Must not lead to a short link of this service'
const NOT_ALLOWED = 'Links to this host are not allowed here'
const NOT_FORWARDED = 'Cannot be combined with a destination that is not an http or https URL'
const NOT_PERMANENT = 'Must be 302 for a destination that is not an http or https URL'
const NO_PATHS = 'Cannot be combined with a short code that contains slashes'

const thrown = (faults: readonly Fault[]): void =>
  rejectInvalid(Object.fromEntries(faults.map(({ field, fault }) => [field, [fault]])))

/**
 * The only place that checks where links may lead, apart from the form of a URL: not to a loop, not to a blocked host, and
 * elsewhere than the web only by the schemes of the instance.
 */
export class DestinationRules {
  readonly #deps: DestinationRulesDependencies
  readonly #schemes: ReadonlySet<string | undefined>

  constructor(deps: DestinationRulesDependencies) {
    this.#deps = deps
    this.#schemes = new Set([...TARGET_SCHEMES, ...deps.linkSchemes])
  }

  /** Whether a URL is, or could become, one of our own short links. */
  isShortLink(url: string, forwardsPath = false): boolean {
    return couldBeShortLink(new URL(url), this.#deps.isServed, forwardsPath)
  }

  /** Rejects one destination with an error of the field. */
  check(url: string, field: string, forwardsPath = false): void {
    const fault = this.#faultOf(url, forwardsPath)
    if (fault !== undefined) throw fieldError(field, fault)
  }

  /** The fields of a link with a rejected value, and why. */
  faultsOf(input: Destinations): Fault[] {
    return [...this.#rejected(input, input.forward_path === true), ...this.#misfits(input)]
  }

  /** Rejects a link, with all its errors at once. */
  checkAll(input: Destinations): void {
    thrown(this.faultsOf(input))
  }

  /** Rejects combinations of the fields of an edit, which `checkAll` has accepted, with those of the link. */
  checkEdit(row: LinkRow, input: Destinations): void {
    const edited: Destinations = {
      ...storedDestinations(row),
      forward_path: row.forward_path === 1,
      forward_query: row.forward_query === 1,
      redirect: row.redirect as 302,
      customLink: row.short_code,
      ...definedOf(input),
    }
    const forwardsPath = edited.forward_path === true
    // Forwarding paths makes more destinations a loop, also those that are not part of the edit.
    thrown([...(forwardsPath ? this.#rejected(edited, true) : []), ...this.#misfits(edited)])
  }

  #rejected(input: Destinations, forwardsPath: boolean): Fault[] {
    return destinationsOf(input).flatMap(({ url, field }) => {
      // No path is added where visitors are sent after the end of a link.
      const fault = this.#faultOf(url, forwardsPath && field !== 'expired_url')
      return fault === undefined ? [] : [{ field, fault }]
    })
  }

  #misfits(input: Destinations): Fault[] {
    const { forward_path, forward_query, redirect, customLink } = input
    const faults: Fault[] = []
    if (destinationsOf(input).some(({ url }) => !isWebUrl(url))) {
      if (forward_path === true) faults.push({ field: 'forward_path', fault: NOT_FORWARDED })
      if (forward_query === true) faults.push({ field: 'forward_query', fault: NOT_FORWARDED })
      if (redirect != null && redirect !== 302) faults.push({ field: 'redirect', fault: NOT_PERMANENT })
    }
    // A path below a longer code would be ambiguous, and each of its beginnings had to be looked up.
    if (forward_path === true && customLink?.includes('/') === true)
      faults.push({ field: 'forward_path', fault: NO_PATHS })
    return faults
  }

  #faultOf(url: string, forwardsPath: boolean): string | undefined {
    if (!isWebUrl(url)) return this.#schemes.has(schemeOf(url)) ? undefined : this.#schemeRule
    if (this.isShortLink(url, forwardsPath)) return LOOP
    return this.#deps.isRejected(url) ? NOT_ALLOWED : undefined
  }

  get #schemeRule(): string {
    const allowed = [...this.#schemes].map((scheme) => `${scheme}:`).join(', ')
    return `Must be a valid http or https URL, or begin with one of ${allowed}`
  }
}
