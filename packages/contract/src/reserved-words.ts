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

/** The first segment of a short code, or a word itself. */
const firstWord = (code: string): string => code.split('/', 1)[0]?.toLowerCase() ?? ''

/** Whether the first segment of a path is a route of the server, so that no short code can begin with it. */
export const isRouted = (code: string): boolean => routedWords.has(firstWord(code))

/** Whether a word can no longer be chosen as a slug, a short code or the first segment of one. */
export const isReserved = (code: string): boolean => isRouted(code) || keptWords.has(firstWord(code))
