import { operations } from './table.ts'
import { sites } from './sites.ts'

const firstSegment = (path: string): string => path.split('/')[1] ?? ''

const routedWords: ReadonlySet<string> = new Set(
  [...Object.values(sites), ...Object.values(operations).map((operation) => operation.path)].map(
    firstSegment,
  ),
)

/**
 * Words that visitors would mistake for a part of the service, or that scanners try on every host. Words can be added at any
 * time: a link or page that already has one keeps it.
 */
const kept = `
  account accounts admin administrator api auth authorize backend billing callback cgi-bin checkout config console
  cpanel dashboard forgot-password graphql health healthz invoice invoices join log-in log-out login logoff logon
  logout mail my-account oauth oauth2 openid password payment payments phpmyadmin postmaster profile register
  registration reset-password root saml security settings sign-in sign-out sign-up signin signout signup sso system
  user users verify webhook webhooks webmail well-known wp-admin wp-content wp-includes wp-json wp-login xmlrpc
`

const keptWords: ReadonlySet<string> = new Set(kept.trim().split(/\s+/))

/** Whether this first path segment is a route of the server, so that it cannot be a short code. */
export const isRouted = (word: string): boolean => routedWords.has(word.toLowerCase())

/** Whether a word can no longer be chosen as a short code or slug. */
export const isReserved = (word: string): boolean => isRouted(word) || keptWords.has(word.toLowerCase())
