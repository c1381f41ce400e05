import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import { isDeceptiveName, isRouted } from '@waymark/contract'
import { fieldError } from '../../net/errors.ts'

/** Characters that the URL parser would treat as more than a name, or silently drop. */
const FOREIGN = /[/\\:@?#%\s\p{Cc}[\]]/u

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** The ASCII form of a domain name, or an error text. */
export function readDomainName(input: string): { name: string } | { fault: string } {
  const name = toAsciiName(input)
  const labels = name.split('.')
  if (FOREIGN.test(input.trim()))
    return { fault: 'Must be a name such as go.example.com, without http:// or a path' }
  if (
    name === '' ||
    isIP(name) !== 0 ||
    labels.length < 2 ||
    name.length > 253 ||
    !labels.every((label) => LABEL.test(label)) ||
    /^\d+$/.test(labels.at(-1) ?? '')
  )
    return { fault: 'Must be a name such as go.example.com' }
  // Checked on the ASCII form, so that other spellings do not bypass it.
  if (isDeceptiveName(domainToUnicode(name).split('.')))
    return { fault: 'Must not use letters that look like those of another alphabet' }
  return { name }
}

/** The stored form of a name, used for comparisons; empty if it is not valid. */
export const toAsciiName = (input: string): string => {
  const typed = input.trim().toLowerCase().replace(/\.$/, '')
  return FOREIGN.test(typed) ? '' : (URL.parse(`http://${typed}`)?.hostname ?? '')
}

/** The name, or a 422 with the error. */
export function requireDomainName(input: string): string {
  const result = readDomainName(input)
  if ('fault' in result) throw fieldError('name', result.fault)
  return result.name
}

/**
 * Whether a URL is, or could become, one of our own short links. `forwardsPath`: a visitor's path is added to the URL, so
 * any first segment could become a short link that forwards in turn, and so could the root.
 */
export function couldBeShortLink(url: URL, isServed: (url: URL) => boolean, forwardsPath = false): boolean {
  const [first = '', ...others] = url.pathname.slice(1).split('/')
  const isShort = first === '' ? forwardsPath : !isRouted(first)
  // A trailing slash changes nothing.
  return isShort && (forwardsPath || others.join('') === '') && isServed(url)
}
