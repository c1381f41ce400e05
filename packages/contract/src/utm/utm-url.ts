/** The five tags; only `term` is optional. */
export interface UtmTags {
  readonly source: string
  readonly medium: string
  readonly campaign: string
  readonly content: string
  readonly term?: string | null
}

/** An address split at its first `#` and, before that, at its first `?`. */
interface AddressParts {
  readonly base: string
  readonly query: string | undefined
  readonly fragment: string | undefined
}

const cut = (text: string, mark: string): [string, string | undefined] => {
  const at = text.indexOf(mark)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

const partsOf = (url: string): AddressParts => {
  const [rest, fragment] = cut(url, '#')
  const [base, query] = cut(rest, '?')
  return { base, query, fragment }
}

/** The name of a query parameter as browsers parse it. The `&` keeps a leading `?` from being dropped. */
const nameOf = (parameter: string): string => new URLSearchParams(`&${parameter}`).keys().next().value ?? ''

const isTag = (parameter: string): boolean => nameOf(parameter).startsWith('utm_')

/**
 * Encodes everything except letters, digits and `-._~`, so that every parser, even an old one, reads the same value. Browsers
 * rewrite an apostrophe in a query, which `encodeURIComponent` does not encode, so that is encoded as well.
 */
const encoded = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const tagged = (tags: UtmTags): string =>
  [
    ['utm_source', tags.source],
    ['utm_medium', tags.medium],
    ['utm_campaign', tags.campaign],
    ['utm_term', tags.term ?? ''],
    ['utm_content', tags.content],
  ]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encoded(value ?? '')}`)
    .join('&')

/**
 * The address with these tags. It edits the text, because a URL object rewrites the whole query when one parameter changes:
 * existing `utm_*` parameters are removed, and every other byte of query and fragment is unchanged.
 */
export const buildUtmUrl = (url: string, tags: UtmTags): string => {
  const { base, query, fragment } = partsOf(url)
  // Each parameter is removed with the following `&`, so that the others keep theirs.
  const parameters = (query ?? '').match(/[^&]*&|[^&]+$/g) ?? []
  const kept = parameters.filter((parameter) => !isTag(parameter)).join('')
  const separator = kept === '' || kept.endsWith('&') ? '' : '&'
  const end = fragment === undefined ? '' : `#${fragment}`
  return `${base}?${kept}${separator}${tagged(tags)}${end}`
}

/** The names of tags in the query that these tags replace or drop. */
export const replacedTags = (url: string, tags: UtmTags): string[] => {
  const next = new URLSearchParams(tagged(tags))
  const present = new URLSearchParams(`&${partsOf(url).query ?? ''}`)
  const replaced = [...present].filter(([name, value]) => name.startsWith('utm_') && next.get(name) !== value)
  return [...new Set(replaced.map(([name]) => name))]
}

/** The names of tags after the `#`, where analytics tools do not read them. */
export const tagsInFragment = (url: string): string[] => {
  const { fragment = '' } = partsOf(url)
  const names = fragment
    .split(/[?&#]/)
    .filter((parameter) => parameter.includes('=') && isTag(parameter))
    .map(nameOf)
  return [...new Set(names)]
}
