import { isDeceptiveName } from '@waymark/contract'
import { decodePunycode } from './punycode.ts'

/** Letters that words are written in together. Rare ones of a script, such as phonetic Latin, stay encoded. */
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

/** What is not seen, or moves what is around it. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

const decoded = (label: string): string =>
  label.startsWith('xn--') ? (decodePunycode(label.slice(4)) ?? label) : label

/**
 * A host as people read it: international names in their own letters. One that could pass for another name stays in
 * its ASCII form, as browsers show it.
 */
export const readableHost = (host: string): string => {
  if (!host.includes('xn--')) return host
  const labels = host.split('.').map(decoded)
  const name = labels.join('.')
  const isPlain = labels.every((label) => ALPHABETS.some((alphabet) => alphabet.test(label)))
  // A name that the browser would encode otherwise is another name.
  return isPlain && !isDeceptiveName(labels) && URL.parse(`http://${name}`)?.hostname === host ? name : host
}

/** The characters that percent signs stand for, where they are letters that can be seen. */
const readablePart = (part: string): string =>
  part.replaceAll(/(?:%[89a-f][0-9a-f])+/gi, (bytes) => {
    try {
      const text = decodeURIComponent(bytes)
      return UNSEEN.test(text) ? bytes : text
    } catch {
      return bytes
    }
  })

/** An address as people read it: without its scheme, and in the letters it was meant in. */
export const bare = (url: string): string => {
  const address = url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
  const [host = ''] = /^[^/?#:]*/.exec(address) ?? []
  return readableHost(host) + readablePart(address.slice(host.length))
}
