import { withScheme } from '../../ui/addresses.ts'

/** What both forms say about where a code leads. */
interface Destination {
  readonly url: string
  readonly dynamic: boolean
}

/** What the server says of a saved code. */
type Saved = { readonly dynamic: boolean; readonly encodes: string } | null

/** Stands in for the short link that a dynamic code gets when it is saved: as long, so the picture is as dense. */
const placeholderCode = 'Waymark'

/** What the picture would encode if it were saved now. */
export const encodedText = (values: Destination, saved: Saved, baseUrl: string): string => {
  if (values.dynamic) return saved?.dynamic === true ? saved.encodes : `${baseUrl}/${placeholderCode}`
  const address = withScheme(values.url)
  if (address === '') return baseUrl
  return URL.parse(address)?.href ?? address
}

/** A dynamic code has its short link only once it is saved; a picture without it would lead nowhere. */
export const isProvisional = (values: Destination, saved: Saved): boolean =>
  values.dynamic && saved?.dynamic !== true

/** Whether there is nothing yet that the picture could lead to. */
export const isEmpty = (values: Destination, saved: Saved): boolean =>
  values.url.trim() === '' && !isProvisional(values, saved)
