import { commentsOf, type RedirectRules, type RuleSite } from './redirect-rules.ts'

/**
 * Characters with a meaning in a Caddyfile even inside quotes: `{…}` is a placeholder and `{$NAME}` an environment variable.
 * RFC 3986 allows none of them in a URL, so they are percent-encoded.
 */
const SPECIAL = /["\\{}`]/g

const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** A destination as a quoted token. */
export const quoteForCaddy = (destination: string): string =>
  `"${destination.replaceAll(SPECIAL, percentEncoded)}"`

/** A Caddyfile with a site for each domain, and an entry in its map for each link. */
export function caddyFile({ sites, skipped, simplified }: RedirectRules): string {
  const lines = [
    '# Redirects of short links, exported from Waymark. Run it with: caddy run --config FILE --adapter caddyfile',
    '',
    ...commentsOf('Not included', skipped),
    ...commentsOf('Simplified', simplified),
    ...sites.flatMap(siteOf),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

const siteOf = ({ protocol, host, port, rules }: RuleSite): string[] => [
  // Without a protocol, Caddy gets a certificate and serves HTTPS.
  `${protocol === 'http' ? 'http://' : ''}${host}${port && `:${port}`} {`,
  '\tmap {path} {waymark_destination} {waymark_status} {',
  ...rules.map(({ path, status, destination }) => `\t\t${path} ${quoteForCaddy(destination)} ${status}`),
  '\t\tdefault none 404',
  '\t}',
  '\t@known vars {waymark_status} 301 302 307 308',
  '\tredir @known {waymark_destination} {waymark_status}',
  '\trespond 404',
  '}',
  '',
]
