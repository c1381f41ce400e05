import { isRouted } from '@waymark/contract'

/**
 * Whether a URL is, or could become, one of our own short links. `forwardsPath`: a visitor's path is added to the URL, so
 * whatever its first segment is could become a short link that forwards in turn, and its root could become any of them.
 */
export function couldBeShortLink(url: URL, isServed: (url: URL) => boolean, forwardsPath = false): boolean {
  const [first = '', ...others] = url.pathname.slice(1).split('/')
  const isShort = first === '' ? forwardsPath : !isRouted(first)
  // A slash at the end changes nothing.
  return isShort && (forwardsPath || others.join('') === '') && isServed(url)
}
