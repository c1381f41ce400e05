import { remembered } from './remembered.ts'

const MAX_REMEMBERED = 1_000
const ENTRY = /^([a-z]{2,3})(?:-[a-z0-9-]{1,60})?(?:;q=([01](?:\.\d{0,3})?))?$/

const known = remembered(MAX_REMEMBERED, readPrimaryLanguage)

/** The language that a visitor prefers to all others, without its region: `fr` for `fr-CA`. '' when none is named. */
export function primaryLanguageOf(acceptLanguage: string | undefined): string {
  return acceptLanguage === undefined || acceptLanguage === '' ? '' : known(acceptLanguage)
}

export function readPrimaryLanguage(header: string): string {
  let best = ''
  let bestQuality = 0
  for (const entry of header.toLowerCase().split(',')) {
    const [, language = '', quality = '1'] = ENTRY.exec(entry.replaceAll(/[ \t]/g, '')) ?? []
    if (language === '' || Number(quality) <= bestQuality) continue
    best = language
    bestQuality = Number(quality)
  }
  return best
}
