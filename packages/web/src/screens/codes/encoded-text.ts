import { withScheme } from '../../ui/addresses.ts'

/** The destination fields of both forms. */
export interface Destination {
  readonly url: string
  readonly dynamic: boolean
  /** The encoded text instead of the URL: a text, a number or the payload of a content. */
  readonly value?: string
  readonly content?: 'url' | 'value'
}

const valueOf = ({ content, value }: Destination): string | undefined =>
  content === 'value' ? value : undefined

/** A saved code. */
type Saved = {
  readonly dynamic: boolean
  readonly encodes: string | null
  readonly short_url: string | null
} | null

/** Placeholder for the short code of a new dynamic code, with the same length, so that the preview has the same density. */
const placeholderCode = 'Waymark'

/** The text of a dynamic code: a code that was dynamic before still has its short link. */
const savedShortUrl = (saved: Saved): string | null =>
  saved?.dynamic === true ? saved.encodes : (saved?.short_url ?? null)

/** The text that the image would encode if it were saved now. */
export const encodedText = (values: Destination, saved: Saved, baseUrl: string): string => {
  const value = valueOf(values)
  if (value !== undefined) return value === '' ? baseUrl : value
  if (values.dynamic) return savedShortUrl(saved) ?? `${baseUrl}/${placeholderCode}`
  const address = withScheme(values.url)
  if (address === '') return baseUrl
  return URL.parse(address)?.href ?? address
}

/** A dynamic code gets its short link when it is saved; until then the image must not be downloaded. */
export const isProvisional = (values: Destination, saved: Saved): boolean =>
  valueOf(values) === undefined && values.dynamic && savedShortUrl(saved) === null

/** Whether the destination is missing. */
export const isEmpty = (values: Destination): boolean => (valueOf(values) ?? values.url).trim() === ''

/** Whether the typed URL is invalid; false while its scheme is being typed. */
export const isNoUrl = (values: Destination): boolean => {
  const typed = values.url.trim()
  const isScheme = ['http://', 'https://'].some((scheme) => scheme.startsWith(typed.toLowerCase()))
  if (valueOf(values) !== undefined || isScheme) return false
  const url = URL.parse(withScheme(typed))
  return url === null || !/^https?:$/.test(url.protocol)
}
