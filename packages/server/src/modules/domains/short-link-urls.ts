import { isRouted } from '@waymark/contract'

/** The only segment of a path that could be a short code. */
const shortCodeOf = ({ pathname }: URL): string | undefined => /^\/([^/]+)$/.exec(pathname)?.[1]

/** Whether a URL is, or could become, one of our own short links. */
export function couldBeShortLink(url: URL, isServed: (url: URL) => boolean): boolean {
  const segment = shortCodeOf(url)
  return segment !== undefined && isServed(url) && !isRouted(segment)
}
