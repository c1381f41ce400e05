import type { VisitorTexts } from './en.ts'
import type { Language } from './language-of.ts'

export type { VisitorTexts } from './en.ts'
export { filled, languageOf } from './language-of.ts'

const files: Readonly<Record<Language, () => Promise<VisitorTexts>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  pt: async () => (await import('./pt.ts')).pt,
  it: async () => (await import('./it.ts')).it,
  ja: async () => (await import('./ja.ts')).ja,
  zh: async () => (await import('./zh.ts')).zh,
}

/** The texts of one language; no other is loaded. */
export const loadLanguage = (language: Language): Promise<VisitorTexts> => files[language]()
