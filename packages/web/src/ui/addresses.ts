/** Completes a typed address: adds a missing scheme. */
export const withScheme = (text: string): string => {
  const trimmed = text.trim()
  if (trimmed === '' || /^[a-z][a-z0-9+.-]*:/i.test(trimmed)) return trimmed
  return /^[^\s/]+\.[^\s/]+/.test(trimmed) || /^localhost(:|\/|$)/.test(trimmed)
    ? `https://${trimmed}`
    : trimmed
}

/** Whether a text looks like an address, so that it can be offered for shortening. */
export const looksLikeAddress = (text: string): boolean => {
  const url = URL.parse(withScheme(text))
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.') && !/\s/.test(text.trim())
  )
}

const NOWHERE = 'https://nowhere.invalid'

/** Only our own paths are allowed as the target after signing in. Browsers skip tabs in a URL, and read `\` as a slash. */
export const ownPath = (path: string | undefined): string | undefined =>
  path?.startsWith('/') === true && URL.parse(path, NOWHERE)?.origin === NOWHERE ? path : undefined
