import type { Thing } from '../digital-link.ts'
import { languageWeight, typeWeight, type Weights, weightsOf, wantsLinkset } from './accept.ts'
import { shortLinkType } from './link-types.ts'

/** A link of a thing. */
export interface ThingLink {
  /** `gs1:pip`, or the address of a type that is not GS1's. */
  readonly type: string
  readonly href: string
  readonly title?: string | null
  readonly language?: string | null
  readonly mediaType?: string | null
  readonly context?: string | null
  /** Whether the query of the request is passed on; unless the link says no. */
  readonly forwardQuery?: boolean
}

/** A thing, or a level of one, with its links. */
export interface Level {
  readonly thing: Thing
  readonly title: string
  readonly description?: string | null
  readonly links: readonly ThingLink[]
  /** The `href` of one of the links. */
  readonly defaultLink: string
}

/** What a request for a thing says beside its path. */
export interface ThingRequest {
  readonly linkType: string | undefined
  readonly context: string | undefined
  /** The headers of the request. */
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
  /** The query without `linkType` and `context`. */
  readonly forwarded: string
}

/** How a request is answered. */
export type Decision =
  | {
      readonly kind: 'redirect'
      readonly location: string
      readonly link: ThingLink
      readonly level: Level
      readonly linkType: string
    }
  /** Several links are as good: the visitor chooses. 300 with a page or a linkset. */
  | {
      readonly kind: 'choices'
      readonly links: readonly ThingLink[]
      readonly level: Level
      readonly as: 'page' | 'linkset'
    }
  | { readonly kind: 'linkset' | 'page'; readonly levels: readonly Level[] }
  | { readonly kind: 'unknown' }

const DEFAULT_LINK = 'gs1:defaultLink'
const DEFAULT_LINKS = 'gs1:defaultLinkMulti'

/**
 * Decides how a request is answered, by the levels that exist, from the most granular to the key. The nearest level that has
 * the type wins, and among its links those that language, media type and context fit best.
 */
export function decide(levels: readonly Level[], request: ThingRequest): Decision {
  const [nearest] = levels
  if (nearest === undefined) return { kind: 'unknown' }
  const asked = request.linkType === undefined ? undefined : shortLinkType(request.linkType)
  if (asked === 'linkset' || asked === 'all')
    return { kind: prefersPage(weightsOf(request.accept)) ? 'page' : 'linkset', levels }
  // Headers are read only where they decide: most requests are those of browsers for the default.
  if (/json/i.test(request.accept ?? '') && wantsLinkset(weightsOf(request.accept)))
    return { kind: 'linkset', levels }
  const linkType = asked ?? DEFAULT_LINK
  if (linkType === DEFAULT_LINK) return decideDefault(nearest, request)
  for (const level of levels) {
    const links = level.links.filter(({ type }) => shortLinkType(type) === linkType)
    if (links.length > 0) return chosen(level, links, linkType, request)
  }
  return { kind: 'unknown' }
}

/** One of several defaults if it is wanted more than the others, otherwise the default link. */
function decideDefault(level: Level, request: ThingRequest): Decision {
  const several = level.links.filter(({ type }) => shortLinkType(type) === DEFAULT_LINKS)
  const best = several.length === 0 ? undefined : wantedDefault(several, request)
  if (best !== undefined) return redirect(level, best, DEFAULT_LINKS, request)
  const found = level.links.find(({ href }) => href === level.defaultLink)
  return redirect(level, found ?? { type: DEFAULT_LINK, href: level.defaultLink }, DEFAULT_LINK, request)
}

function wantedDefault(several: readonly ThingLink[], request: ThingRequest): ThingLink | undefined {
  const [languages, accept] = [weightsOf(request.acceptLanguage), weightsOf(request.accept)]
  const wanted = several.filter(
    (link) =>
      contextWeight(link, request.context) > 0 &&
      (link.language == null || languageWeight(languages, link.language) > 0) &&
      (link.mediaType == null || typeWeight(accept, link.mediaType) > 0),
  )
  const best = wanted.length === 0 ? [] : bestOf(wanted, request, accept, languages)
  return best.length === 1 ? best[0] : undefined
}

function chosen(
  level: Level,
  links: readonly ThingLink[],
  linkType: string,
  request: ThingRequest,
): Decision {
  const [languages, accept] = [weightsOf(request.acceptLanguage), weightsOf(request.accept)]
  const best = bestOf(links, request, accept, languages)
  const only = best.length === 1 ? best[0] : ownersChoice(best, level, languages)
  if (only !== undefined) return redirect(level, only, linkType, request)
  return { kind: 'choices', links: best, level, as: prefersPage(accept) ? 'page' : 'linkset' }
}

/** Translations of one page, for a visitor who names no language: the one that is the default. */
function ownersChoice(
  links: readonly ThingLink[],
  { defaultLink }: Level,
  languages: Weights,
): ThingLink | undefined {
  const namesOne = [...languages.keys()].some((name) => name !== '*')
  const areTranslations = new Set(links.map(({ language }) => language)).size === links.length
  return namesOne || !areTranslations ? undefined : links.find(({ href }) => href === defaultLink)
}

const redirect = (
  level: Level,
  link: ThingLink,
  linkType: string,
  { forwarded }: ThingRequest,
): Decision => ({
  kind: 'redirect',
  location: link.forwardQuery === false ? link.href : withQuery(link.href, forwarded),
  link,
  level,
  linkType,
})

/** An address with further pairs in its query, before its fragment. */
export function withQuery(href: string, query: string): string {
  if (query === '') return href
  const [address = '', ...fragment] = href.split('#')
  const joint = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?'
  return [address + joint + query, ...fragment].join('#')
}

/** The links that fit best: by context, among these by language, and among these by media type. */
function bestOf(
  links: readonly ThingLink[],
  { context }: ThingRequest,
  accept: Weights,
  languages: Weights,
): readonly ThingLink[] {
  const steps = [
    (link: ThingLink) => contextWeight(link, context),
    (link: ThingLink) => weightOf(languages, link.language, languageWeight),
    (link: ThingLink) => weightOf(accept, link.mediaType, typeWeight),
  ]
  return steps.reduce(highest, links)
}

/** Of a link that does not say its language, or its type: better than an unwanted one, worse than a wanted one. */
const UNSAID = 0.0001

/** Without a header, a link without a language or type is preferred. */
const weightOf = (
  weights: Weights,
  name: string | null | undefined,
  weightOfName: (weights: Weights, name: string) => number,
): number => {
  if (name == null) return weights.size === 0 ? 1 : UNSAID
  return weightOfName(weights, name)
}

function contextWeight({ context }: ThingLink, asked: string | undefined): number {
  if (asked === undefined) return context == null ? 1 : 0
  if (context == null) return UNSAID
  return context.toLowerCase() === asked.toLowerCase() ? 1 : 0
}

function highest(links: readonly ThingLink[], weightOf: (link: ThingLink) => number): readonly ThingLink[] {
  const best = Math.max(...links.map(weightOf))
  return links.filter((link) => weightOf(link) === best)
}

/** Whether a page is at least as welcome as a linkset: browsers name `text/html`, which has to be wanted by name. */
function prefersPage(accept: Weights): boolean {
  const page = accept.get('text/html') ?? 0
  return (
    page > 0 &&
    page >= Math.max(accept.get('application/linkset+json') ?? 0, accept.get('application/json') ?? 0)
  )
}
