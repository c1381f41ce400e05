import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { caddyFile } from './caddy.ts'
import type { ExportedLink } from './earlier-codes.ts'
import { nginxFile } from './nginx.ts'
import { redirectRules } from './redirect-rules.ts'

const NOW = Date.parse('2026-06-01T00:00:00Z')

const plain = {
  code: 'spring',
  short_url: 'https://go.example.com/spring',
  link: 'https://example.com/',
  redirect: 302,
  has_password: false,
  expire: null,
  starts_at: null,
  max_clicks: null,
  ios_url: null,
  android_url: null,
  forward_query: false,
  forward_path: false,
  rules: [],
  variants: [],
  blocked: null,
  owner: null,
  earlier_codes: [],
} as unknown as ExportedLink

const linkOf = (fields: Partial<ExportedLink>): ExportedLink => ({ ...plain, ...fields })

/** Tokens of a configuration file as nginx parses them: quoted ones without their escapes. */
function nginxTokens(text: string): string[] {
  const tokens: string[] = []
  let at = 0
  while (at < text.length) {
    const character = text[at] ?? ''
    if (/\s/.test(character)) at++
    else if (character === '#') at = text.indexOf('\n', at)
    else if (/[{};]/.test(character)) {
      tokens.push(character)
      at++
    } else if (character === '"') {
      let token = ''
      for (at++; text[at] !== '"'; at++) {
        if (text[at] === '\\' && /["'\\]/.test(text[at + 1] ?? '')) at++
        token += text[at]
      }
      tokens.push(`"${token}`)
      at++
    } else {
      const word = /^[^\s;{]+/.exec(text.slice(at))?.[0] ?? ''
      tokens.push(word)
      at += word.length
    }
  }
  return tokens
}

/** Evaluates variables like nginx. The file has only one; any other would be controlled by the visitor. */
const evaluated = (text: string): string =>
  text.replaceAll(/\$\{(\w+)\}|\$(\w+)/g, (_, braced?: string, bare?: string) =>
    (braced ?? bare) === 'waymark_dollar' ? '$' : `<${braced ?? bare}>`,
  )

/** Redirects of a file, read with the grammar above. */
function nginxRedirects(text: string): [string, string, string][] {
  const tokens = nginxTokens(text)
  return tokens.flatMap((token, at) =>
    token === 'location' && tokens[at + 1] === '='
      ? [[tokens[at + 2] ?? '', tokens[at + 5] ?? '', evaluated((tokens[at + 6] ?? '').slice(1))]]
      : [],
  )
}

/** Tokens of a line in a Caddyfile: inside quotes only `\"` is an escape. */
const caddyTokens = (line: string): string[] =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '$',
        '${',
        '}',
        '{',
        '{$HOME}',
        '{http.request.host}',
        '"',
        '\\',
        "'",
        '`',
        ';',
        '#',
        '$1',
      ),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => `https://example.com/${parts.join('')}`)
const destination = fc.oneof(
  hostile,
  hostile.filter((text) => URL.canParse(text)).map((text) => new URL(text).href),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
)
const someLinks = fc
  .uniqueArray(
    fc.record({
      code: fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/),
      host: fc.constantFrom('go.example.com', 'links.example.org'),
      redirect: fc.constantFrom(301, 302, 307, 308),
      link: destination,
    }),
    { selector: ({ code, host }) => `${host}/${code}`, maxLength: 20 },
  )
  .map((all) => all.map(({ host, ...rest }) => linkOf({ ...rest, short_url: `http://${host}/${rest.code}` })))

const kept = (links: readonly ExportedLink[], skipped: readonly { short_url: string }[]): ExportedLink[] =>
  links.filter(({ short_url }) => !skipped.some((note) => note.short_url === short_url))
const sorted = (rows: readonly (readonly string[])[]): string[] => rows.map((row) => row.join(' ')).sort()

describe('redirect rules for nginx', () => {
  it('contain exactly the redirects of the links, whatever their destinations contain', () => {
    fc.assert(
      fc.property(someLinks, (links) => {
        const { content, skipped } = nginxFile(redirectRules(links, NOW))
        const expected = kept(links, skipped).map((link) => [
          `/${link.code}`,
          String(link.redirect),
          link.link,
        ])
        expect(sorted(nginxRedirects(content))).toEqual(sorted(expected))
        const braces = nginxTokens(content).filter((token) => token === '{' || token === '}')
        expect(braces.filter((token) => token === '{')).toHaveLength(braces.length / 2)
      }),
      { numRuns: 500 },
    )
  })

  it('leave out a destination that nginx cannot parse', () => {
    const { content, skipped } = nginxFile(
      redirectRules([linkOf({ link: `https://example.com/?${'$'.repeat(1_500)}` })], NOW),
    )
    expect(skipped).toEqual([{ short_url: plain.short_url, reason: 'its destination is too long for nginx' }])
    expect(nginxRedirects(content)).toEqual([])
  })
})

describe('redirect rules for Caddy', () => {
  it('contain exactly the redirects of the links, and no placeholders', () => {
    fc.assert(
      fc.property(someLinks, (links) => {
        const rules = redirectRules(links, NOW)
        const rows = caddyFile(rules)
          .split('\n')
          .filter((line) => line.startsWith('\t\t/'))
          .map(caddyTokens)
        const expected = kept(links, rules.skipped).map((link) => [
          `/${link.code}`,
          link.link.replaceAll(/["\\{}`]/g, (each) => encodeURIComponent(each)),
          String(link.redirect),
        ])
        expect(sorted(rows)).toEqual(sorted(expected))
        for (const row of rows) expect(row.join('')).not.toMatch(/[{}]/)
      }),
      { numRuns: 500 },
    )
  })
})

it('skips links that a plain redirect would make public or keep active', () => {
  const later = '2026-07-01T00:00:00.000Z'
  const cases: [Partial<ExportedLink>, string][] = [
    [{ has_password: true }, 'it has a password'],
    [{ expire: '2026-05-01T00:00:00.000Z' }, 'it has expired'],
    [{ starts_at: later }, 'it is not active yet'],
    [{ max_clicks: 5 }, 'it has a click limit'],
    [{ blocked: { reason: null, blocked_at: later } }, 'it is blocked'],
    [{ owner: { type: 'page', uuid: 'x' } }, 'it leads to a page of this instance'],
    [{ link: 'https://example.com/a b' }, 'it has unexpected characters'],
  ]
  for (const [fields, reason] of cases) {
    const rules = redirectRules([linkOf(fields)], NOW)
    expect(rules).toEqual({ sites: [], skipped: [{ short_url: plain.short_url, reason }], simplified: [] })
    for (const text of [nginxFile(rules).content, caddyFile(rules)])
      expect(text).toContain(`\n#   ${plain.short_url}: ${reason}\n`)
  }
})

it('keeps the destination of links with rules, and reports what is lost', () => {
  const link = linkOf({
    forward_query: true,
    forward_path: true,
    ios_url: 'https://example.com/ios',
    expire: '2027-01-01T00:00:00.000Z',
  })
  const { sites, simplified } = redirectRules([link], NOW)
  expect(sites[0]?.rules).toEqual([{ path: '/spring', status: 302, destination: plain.link }])
  expect(simplified).toEqual([
    {
      short_url: plain.short_url,
      reason:
        'destinations of devices are left out; query parameters are not forwarded; paths are not forwarded; it expires on 2027-01-01T00:00:00.000Z: remove it then',
    },
  ])
})

it('creates a server for every domain, with the port and protocol of its links', () => {
  const links = [
    'https://go.example.com/a',
    'http://links.example.org:8080/b',
    'https://go.example.com/c',
  ].map((short_url) => linkOf({ short_url, code: short_url.slice(-1) }))
  const rules = redirectRules(links, NOW)
  expect(nginxFile(rules).content.match(/listen \d+;|server_name \S+;/g)).toEqual([
    'listen 80;',
    'server_name go.example.com;',
    'listen 8080;',
    'server_name links.example.org;',
  ])
  expect(caddyFile(rules).match(/^\S+ \{$/gm)).toEqual([
    'go.example.com {',
    'http://links.example.org:8080 {',
  ])
})

it('redirects from earlier short codes too, under their own domain', () => {
  const link = linkOf({ earlier_codes: ['fall', 'links.example.org/old', 'not/a/code'] })
  const { sites } = redirectRules([link], NOW)
  expect(sites.map(({ host, rules }) => [host, rules.map(({ path }) => path)])).toEqual([
    ['go.example.com', ['/spring', '/fall']],
    ['links.example.org', ['/old']],
  ])
})
