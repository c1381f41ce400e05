import { AppError, fieldError } from '../../net/errors.ts'
import { couldBeShortLink } from '../domains/domain-name.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import { type LinkCreate, readList } from './link-fields.ts'

export type Destinations = Pick<
  Partial<LinkCreate>,
  'link' | 'ios_url' | 'android_url' | 'rules' | 'variants' | 'forward_path'
>

/** A link's destinations after an edit. */
export const editedDestinations = (row: LinkRow, input: Destinations): Destinations => ({
  link: input.link ?? row.url,
  ios_url: input.ios_url === undefined ? row.ios_url : input.ios_url,
  android_url: input.android_url === undefined ? row.android_url : input.android_url,
  rules: input.rules === undefined ? readList(row.rules) : input.rules,
  variants: input.variants === undefined ? readList(row.variants) : input.variants,
  forward_path: input.forward_path === undefined ? row.forward_path === 1 : input.forward_path,
})

/** Every URL that a link can send visitors to, and its field. */
export function destinationsOf(input: Destinations): { field: string; url: string }[] {
  const { link, ios_url, android_url, rules, variants } = input
  const found: { field: string; url: string }[] = []
  const add = (field: string, url: string | null | undefined): void => {
    if (url) found.push({ field, url })
  }
  add('link', link)
  add('ios_url', ios_url)
  add('android_url', android_url)
  rules?.forEach(({ to }, at) => add(`rules.${at}.to`, to))
  variants?.forEach(({ url }, at) => add(`variants.${at}.url`, url))
  return found
}

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
