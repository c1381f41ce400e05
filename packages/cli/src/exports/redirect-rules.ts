import type { Link } from '@waymark/sdk'
import { addressesOf, type ExportedLink } from './earlier-codes.ts'

/** A redirect that a web server can do without Waymark. */
export interface RedirectRule {
  readonly path: string
  readonly status: number
  readonly destination: string
}

/** The redirects of one domain at one port. */
export interface RuleSite {
  readonly protocol: 'http' | 'https'
  readonly host: string
  /** Empty: the default port of the protocol. */
  readonly port: string
  readonly rules: RedirectRule[]
}

/** A link that is left out or loses something, with the reason. */
export interface LinkNote {
  readonly short_url: string
  readonly reason: string
}

export interface RedirectRules {
  readonly sites: readonly RuleSite[]
  readonly skipped: readonly LinkNote[]
  readonly simplified: readonly LinkNote[]
}

const SHORT_CODE = /^[A-Za-z0-9_-]{1,64}$/
const HOST = /^[A-Za-z0-9.-]{1,253}$/
/** Visible ASCII, as in normalised URLs. It cannot contain a line end. */
const VISIBLE = /^[!-~]+$/

/** Why a link cannot be a plain redirect; undefined if it can. */
function reasonToSkip(link: Link, nowMs: number): string | undefined {
  if (link.blocked !== null) return 'it is blocked'
  if (link.has_password) return 'it has a password'
  if (link.expire !== null && Date.parse(link.expire) <= nowMs) return 'it has expired'
  if (link.starts_at !== null && Date.parse(link.starts_at) > nowMs) return 'it is not active yet'
  if (link.max_clicks !== null) return 'it has a click limit'
  if (link.owner?.type === 'page') return 'it leads to a page of this instance'
  const { hostname } = new URL(link.short_url)
  if (!SHORT_CODE.test(link.code) || !HOST.test(hostname) || !VISIBLE.test(link.link))
    return 'it has unexpected characters'
  return undefined
}

/** Settings of a link that a plain redirect loses. */
const lossesOf = (link: Link): string[] => [
  ...(link.rules.length > 0 ? ['rules are left out'] : []),
  ...(link.ios_url !== null || link.android_url !== null ? ['destinations of devices are left out'] : []),
  ...(link.variants.length > 0 ? ['variants are left out'] : []),
  ...(link.forward_query ? ['query parameters are not forwarded'] : []),
  ...(link.forward_path ? ['paths are not forwarded'] : []),
  ...(link.expire === null ? [] : [`it expires on ${link.expire}: remove it then`]),
]

/** The redirects of links, by domain. */
export function redirectRules(links: readonly ExportedLink[], nowMs: number): RedirectRules {
  const sites = new Map<string, RuleSite>()
  const skipped: LinkNote[] = []
  const simplified: LinkNote[] = []
  for (const link of links) {
    const { short_url } = link
    const reason = reasonToSkip(link, nowMs)
    if (reason !== undefined) {
      skipped.push({ short_url, reason })
      continue
    }
    const losses = lossesOf(link)
    if (losses.length > 0) simplified.push({ short_url, reason: losses.join('; ') })
    for (const url of addressesOf(link)) {
      const { origin, protocol, hostname, port, pathname: path } = url
      const site: RuleSite = sites.get(origin) ?? {
        protocol: protocol === 'https:' ? 'https' : 'http',
        host: hostname,
        port,
        rules: [],
      }
      sites.set(origin, site)
      site.rules.push({ path, status: link.redirect, destination: link.link })
    }
  }
  return { sites: [...sites.values()], skipped, simplified }
}

/** Notes as comments of a configuration file. They contain no line breaks, whatever is in a URL. */
export const commentsOf = (title: string, notes: readonly LinkNote[]): string[] =>
  notes.length === 0
    ? []
    : [
        `# ${title} (${notes.length}):`,
        ...notes.map(({ short_url, reason }) => `#   ${short_url}: ${reason}`.replaceAll(/[^ -~]/g, '?')),
        '',
      ]
