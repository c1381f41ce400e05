import type { Extras, Target } from './decide.ts'
import { compileRouting, type RoutingTools, type StoredRouting } from './routing.ts'

/** Germany for every address that begins with 203., and a hash that is the length of the text. */
export const testTools: RoutingTools = {
  countryOf: (address) => (address.startsWith('203.') ? 'DE' : ''),
  visitorHash: (text) => text.length,
}

export const testExtras = (fields: Partial<Extras>): Extras => ({
  startsAtMs: null,
  maxClicks: null,
  passwordHash: null,
  routing: null,
  preview: null,
  ...fields,
})

export const testTarget = (fields: Partial<Target> = {}): Target => ({
  linkId: 'link',
  url: 'https://example.com/',
  status: 302,
  expiresAtMs: null,
  removed: false,
  extras: null,
  ...fields,
})

/** Extras of a link that has only routing. */
export const testRouting = (fields: Partial<StoredRouting>, tools = testTools): Extras =>
  testExtras({
    routing: compileRouting(
      {
        rules: [],
        variants: [],
        iosUrl: null,
        androidUrl: null,
        forwardsQuery: false,
        forwardsPath: false,
        ...fields,
      },
      tools,
    ),
  })
