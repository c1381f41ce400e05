import { isDeceptiveName } from '@waymark/contract'
import { decodePunycode } from './punycode.ts'

/** Letters that occur together in words. Rare ones of a script, such as phonetic Latin, stay encoded. */
const ALPHABETS = [
  /^[\d\-a-z\u00df-\u024f\u1e00-\u1eff]+$/u,
  /^[\d\-\p{Script=Cyrillic}\p{M}]+$/u,
  /^[\d\-\p{Script=Greek}\p{M}]+$/u,
  /^[\d\-\p{Script=Armenian}]+$/u,
  /^[\d\-\p{Script=Georgian}]+$/u,
  /^[\d\-\p{Script=Hebrew}\p{M}]+$/u,
  /^[\d\-\p{Script=Arabic}\p{M}]+$/u,
  /^[\d\-\p{Script=Devanagari}\p{M}]+$/u,
  /^[\d\-\p{Script=Bengali}\p{M}]+$/u,
  /^[\d\-\p{Script=Tamil}\p{M}]+$/u,
  /^[\d\-\p{Script=Thai}\p{M}]+$/u,
  /^[\d\-a-z\p{Script=Hangul}\p{Script=Han}]+$/u,
  /^[\d\-a-zー\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u,
]

/** Characters that are invisible, or move the text around them. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

const decoded = (label: string): string =>
  label.startsWith('xn--') ? (decodePunycode(label.slice(4)) ?? label) : label

/**
 * A host in readable form: international names in their own letters. A name that looks like another one stays in its ASCII
 * form, as in browsers.
 */
export const readableHost = (host: string): string => {
  if (!host.includes('xn--')) return host
  const labels = host.split('.').map(decoded)
  const name = labels.join('.')
  const isPlain = labels.every((label) => ALPHABETS.some((alphabet) => alphabet.test(label)))
  // A name that the browser would encode differently is another name.
  return isPlain && !isDeceptiveName(labels) && URL.parse(`http://${name}`)?.hostname === host ? name : host
}

/** Decodes percent-encoded characters if they are visible letters. */
const readablePart = (part: string): string =>
  part.replaceAll(/(?:%[89a-f][0-9a-f])+/gi, (bytes) => {
    try {
      const text = decodeURIComponent(bytes)
      return UNSEEN.test(text) ? bytes : text
    } catch {
      return bytes
    }
  })

/** An address in readable form: without its scheme, and in its original letters. */
export const bare = (url: string): string => {
  const address = url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
  const [host = ''] = /^[^/?#:]*/.exec(address) ?? []
  return readableHost(host) + readablePart(address.slice(host.length))
}
