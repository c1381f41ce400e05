import { de } from './de.ts'
import { en, type VisitorTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import type { Language } from './language-of.ts'
import { pt } from './pt.ts'
import { zh } from './zh.ts'

export type { NoticeText, VisitorTexts } from './en.ts'
export { filled, type Language, languageOf, LANGUAGES } from './language-of.ts'

/** All languages, for the server. A browser loads one of them with load-language.ts. */
export const visitorTexts: Readonly<Record<Language, VisitorTexts>> = { en, de, fr, es, pt, it, ja, zh }
