/** The languages for people outside the dashboard. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'ja', 'zh'] as const

export type Language = (typeof LANGUAGES)[number]

const isKnown = (tag: string): tag is Language => LANGUAGES.includes(tag as Language)

/** Browsers do not send longer headers. */
const MAX_CHARS = 256

/** The available language that a visitor prefers, by `Accept-Language`; English if there is none. */
export function languageOf(header: string | undefined): Language {
  if (header === undefined || header.length > MAX_CHARS) return 'en'
  let [best, bestWeight]: [Language, number] = ['en', 0]
  for (const part of header.split(',')) {
    const [tag = '', ...parameters] = part.split(';')
    const name = tag.trim().split('-')[0]?.toLowerCase() ?? ''
    const given = parameters.find((parameter) => parameter.trim().startsWith('q='))
    const weight = given === undefined ? 1 : Number(given.trim().slice(2))
    if (isKnown(name) && weight > bestWeight) [best, bestWeight] = [name, weight]
  }
  return best
}

/** A text with its placeholders (`{name}`) filled in. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
