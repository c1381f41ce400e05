import { expect, test } from 'vitest'
import { LANGUAGES, languageOf, visitorTexts } from './languages.ts'
import { loadLanguage } from './load-language.ts'

/** The texts of a language by their path. */
const flat = (value: unknown, path = ''): [string, string][] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([name, part]) => flat(part, `${path}.${name}`))

/** The placeholders of a text; a language may order them differently. */
const placeholdersOf = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted()

test.each(Object.entries(visitorTexts))(
  '%s has every text of the English, and every placeholder',
  (name, texts) => {
    const [own, english] = [flat(texts), flat(visitorTexts.en)]
    expect(own.map(([path]) => path)).toEqual(english.map(([path]) => path))
    for (const [at, [path, text]] of own.entries()) {
      expect(text.trim(), path).not.toBe('')
      expect(placeholdersOf(text), path).toEqual(placeholdersOf(english[at]?.[1] ?? ''))
      // Markup would be sent literally.
      expect(text, path).not.toMatch(path.startsWith('.page') ? /[<>&"\\\n]/ : /[<>&]/)
    }
    const same = own.filter(([, text], at) => text === english[at]?.[1])
    // Some words are the same in both, such as “Links” and “Invitation”.
    if (name !== 'en') expect(same.length).toBeLessThan(6)
  },
)

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['nl,fr;q=0.7,en;q=0.3', 'fr'],
  ['en;q=0.2, ja', 'ja'],
  ['zh-Hant-TW', 'zh'],
  ['ko, *;q=0.5', 'en'],
  ['fr;q=0', 'en'],
  ['constructor,__proto__', 'en'],
  ['de,'.repeat(200), 'en'],
])('%j is answered in %s', (header, language) => expect(languageOf(header)).toBe(language))

test.each(LANGUAGES)('%s can be loaded alone', async (language) =>
  expect(await loadLanguage(language)).toBe(visitorTexts[language]),
)
