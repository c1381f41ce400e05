import { expect, test } from 'vitest'
import { languageOf, noticeTexts } from './notice-texts.ts'

/** The texts of a language by their path. */
const flat = (value: unknown, path = ''): [string, string][] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([name, part]) => flat(part, `${path}.${name}`))

test.each(Object.entries(noticeTexts))(
  '%s has every text of the English, and every placeholder',
  (name, texts) => {
    const [own, english] = [flat(texts), flat(noticeTexts.en)]
    expect(own.map(([path]) => path)).toEqual(english.map(([path]) => path))
    for (const [at, [path, text]] of own.entries()) {
      expect(text.trim(), path).not.toBe('')
      expect(text.match(/\{\w+\}/g), path).toEqual(english[at]?.[1].match(/\{\w+\}/g) ?? null)
      // Markup would be sent as it is.
      expect(text, path).not.toMatch(/[<>&]/)
    }
    const same = own.filter(([, text], at) => text === english[at]?.[1])
    if (name !== 'en') expect(same.length).toBeLessThan(4)
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
