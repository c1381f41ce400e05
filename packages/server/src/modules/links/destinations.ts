import { AppError, fieldError } from '../../net/errors.ts'
import { couldBeShortLink } from '../domains/domain-name.ts'
import {
  destinationsOf,
  type LinkDestinations,
  storedDestinations,
} from '../../storage/db/rows/link-destinations.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import { definedOf } from '../owned/field-map.ts'
import type { LinkCreate } from './link-fields.ts'

/** The destinations of a link, and what makes more of them a loop. */
export type Destinations = LinkDestinations & Pick<Partial<LinkCreate>, 'forward_path'>

/** A link's destinations after an edit. */
export const editedDestinations = (row: LinkRow, input: Destinations): Destinations => ({
  ...storedDestinations(row),
  forward_path: row.forward_path === 1,
  ...definedOf(input),
})

export interface DestinationRulesDependencies {
  /** Whether a URL's host is served by this instance. */
  readonly isServed: (url: URL) => boolean
  /** Whether operators have blocked a URL. */
  readonly isRejected: (url: string) => boolean
}

const LOOP = 'Must not lead to a short link of this service'
const NOT_ALLOWED = 'Links to this host are not allowed here'

/** Where links may lead: not to a loop, and not to a blocked host. */
export class DestinationRules {
  readonly #deps: DestinationRulesDependencies

  constructor(deps: DestinationRulesDependencies) {
    this.#deps = deps
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

  /** The fields of a link with a rejected destination, and why. */
  faultsOf(input: Destinations): { field: string; fault: string }[] {
    return destinationsOf(input).flatMap(({ url, field }) => {
      const fault = this.#faultOf(url, input.forward_path === true)
      return fault === undefined ? [] : [{ field, fault }]
    })
  }

  /** Rejects a link, with all its errors at once. */
  checkAll(input: Destinations): void {
    const faults = this.faultsOf(input)
    if (faults.length === 0) return
    throw new AppError('validation', {
      errors: Object.fromEntries(faults.map(({ field, fault }) => [field, [fault]])),
    })
  }

  #faultOf(url: string, forwardsPath: boolean): string | undefined {
    if (this.isShortLink(url, forwardsPath)) return LOOP
    return this.#deps.isRejected(url) ? NOT_ALLOWED : undefined
  }
}
