import type { Extras, Target } from './decide.ts'
import type { TargetRow } from './lookup.ts'
import { compileRouting, type RoutingColumns, type RoutingTools } from './routing.ts'

/** Germany for every address that begins with 203., and a hash that is the length of the text. */
export const testTools: RoutingTools = {
  countryOf: (address) => (address.startsWith('203.') ? 'DE' : ''),
  visitorHash: (text) => text.length,
}

export const testExtras = (fields: Partial<Extras>): Extras => ({
  startsAtMs: null,
  maxClicks: null,
  expiredUrl: null,
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

/** A row of a look-up. */
export const testRow = (fields: Partial<TargetRow> = {}): TargetRow => ({
  uuid: 'link',
  workspace_uuid: 'user',
  url: 'https://example.com/',
  redirect: 302,
  starts_at: null,
  expires_at: null,
  removed_at: null,
  password_hash: null,
  max_clicks: null,
  expired_url: null,
  ios_url: null,
  android_url: null,
  rules: null,
  variants: null,
  forward_query: 0,
  forward_path: 0,
  preview: null,
  ...fields,
})

/** Extras of a link that has only routing. */
export const testRouting = (fields: Partial<RoutingColumns>, tools = testTools): Extras =>
  testExtras({ routing: compileRouting(testRow(fields), tools) })
