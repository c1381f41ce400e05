import { eachParameter, nameOf } from './query-text.ts'

/** A longer result leaves the destination as it is. */
const MAX_URL_CHARS = 8_192

/**
 * Adds the visitor's parameters to a destination. Every byte of the destination's own query and fragment stays, and
 * a name that it has already keeps its value.
 */
export function forwardQuery(url: string, query: string): string {
  if (query === '') return url
  const hash = url.indexOf('#')
  const end = hash === -1 ? url.length : hash
  const question = url.indexOf('?')
  const hasQuery = question !== -1 && question < end
  const own = hasQuery ? namesIn(url.slice(question + 1, end)) : undefined
  let added = ''
  eachParameter(query, (piece, equals) => {
    if (own?.has(nameOf(piece, equals)) === true) return true
    added += added === '' ? piece : `&${piece}`
    return added.length <= MAX_URL_CHARS
  })
  if (added === '') return url
  const before = url.slice(0, end)
  const separator = !hasQuery ? '?' : /[?&]$/.test(before) ? '' : '&'
  const result = before + separator + added + url.slice(end)
  return result.length > MAX_URL_CHARS ? url : result
}

function namesIn(query: string): Set<string> {
  const names = new Set<string>()
  eachParameter(query, (piece, equals) => {
    names.add(nameOf(piece, equals))
    return true
  })
  return names
}
