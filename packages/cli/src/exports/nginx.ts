import { commentsOf, type LinkNote, type RedirectRules, type RuleSite } from './redirect-rules.ts'

/** nginx has no escape for a dollar sign, but a variable can contain one. */
const DOLLAR = 'waymark_dollar'
/** nginx reads parameters of less than 4096 bytes. */
const LONGEST_PARAMETER = 4_000

/** A parameter of a directive that evaluates variables. */
export const quoteForNginx = (text: string): string =>
  `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('$', `\${${DOLLAR}}`)}"`

/** A file for the `http` block of nginx, with a server for each domain and a location for each link. */
export function nginxFile({ sites, skipped, simplified }: RedirectRules): {
  readonly content: string
  readonly skipped: readonly LinkNote[]
} {
  const tooLong: LinkNote[] = []
  const servers = sites.flatMap((site) => serverOf(site, tooLong))
  const left = [...skipped, ...tooLong]
  const lines = [
    '# Redirects of short links, exported from Waymark. Include this file in the http block of nginx.',
    '',
    ...commentsOf('Not included', left),
    ...commentsOf('Simplified', simplified),
    `geo $${DOLLAR} {`,
    '    default "$";',
    '}',
    '',
    ...servers,
  ]
  return { content: `${lines.join('\n').trimEnd()}\n`, skipped: left }
}

function serverOf({ protocol, host, port, rules }: RuleSite, tooLong: LinkNote[]): string[] {
  const locations = rules.flatMap(({ path, status, destination }) => {
    const quoted = quoteForNginx(destination)
    if (quoted.length <= LONGEST_PARAMETER) return [`    location = ${path} { return ${status} ${quoted}; }`]
    tooLong.push({
      short_url: `${protocol}://${host}${port && `:${port}`}${path}`,
      reason: 'its destination is too long for nginx',
    })
    return []
  })
  const tls = ['    # For HTTPS: listen 443 ssl; ssl_certificate …; ssl_certificate_key …;']
  return [
    'server {',
    `    listen ${port || '80'};`,
    ...(protocol === 'https' ? tls : []),
    `    server_name ${host};`,
    ...locations,
    '    location / { return 404; }',
    '}',
    '',
  ]
}
