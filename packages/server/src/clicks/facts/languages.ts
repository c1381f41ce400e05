import { remembered } from './remembered.ts'

/** No browser sends more, and the first preference of one that does stands at its beginning. */
const MAX_HEADER_CHARS = 1_024
const MAX_REMEMBERED = 1_000
const ENTRY = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:;q=([01](?:\.\d{0,3})?))?$/

const knownLanguage = remembered(MAX_REMEMBERED, readLanguage)

/** The language that a visitor prefers to all others, in lower case (`fr-ca`); '' when none is named. */
export function languageOf(acceptLanguage: string): string {
  if (acceptLanguage === '') return ''
  return knownLanguage(
    acceptLanguage.length > MAX_HEADER_CHARS ? acceptLanguage.slice(0, MAX_HEADER_CHARS) : acceptLanguage,
  )
}

function readLanguage(header: string): string {
  let best = ''
  let bestQuality = 0
  for (const entry of header.toLowerCase().split(',')) {
    const [, language = '', quality = '1'] = ENTRY.exec(entry.replaceAll(/[ \t]/g, '')) ?? []
    if (language === '' || !(Number(quality) > bestQuality)) continue
    best = language
    bestQuality = Number(quality)
  }
  return best
}
