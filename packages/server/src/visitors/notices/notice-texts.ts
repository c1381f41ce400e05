import { de } from './languages/de.ts'
import { en, type NoticeTexts } from './languages/en.ts'
import { es } from './languages/es.ts'
import { fr } from './languages/fr.ts'
import { it } from './languages/it.ts'
import { ja } from './languages/ja.ts'
import { pt } from './languages/pt.ts'
import { zh } from './languages/zh.ts'

export const noticeTexts = { en, de, fr, es, pt, it, ja, zh } as const satisfies Record<string, NoticeTexts>

export type Language = keyof typeof noticeTexts

const isKnown = (tag: string): tag is Language => Object.hasOwn(noticeTexts, tag)

/** Longer headers are not written by browsers. */
const MOST_CHARS = 256

/** The language that a visitor prefers among ours, by `Accept-Language`; English if there is none. */
export function languageOf(header: string | undefined): Language {
  if (header === undefined || header.length > MOST_CHARS) return 'en'
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
