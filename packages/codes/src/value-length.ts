import { isChecked } from './check-digit.ts'
import { isGs1, symbologies, type Symbology } from './symbology.ts'

/** A caption that is the value itself. Others are shorter. */
const LONGEST_CAPTION = 200

/** Application identifiers whose data has a fixed length, so that no separator follows it (GS1 General Specifications, 7.8). */
const FIXED_LENGTH = /^(?:0[0-4]|1[1-9]|20|3[1-6]|41)/

/** Why a text cannot be in a barcode of this kind because of its length; undefined if it can. Takes linear time. */
export function lengthFault(text: string, symbology: Symbology, isUrl = false): string | undefined {
  // A URL may be as long as the widest picture.
  if (isUrl && symbology === 'code128') return undefined
  // That it must be a number is the better advice.
  if (isChecked(symbology) && /\D/.test(text)) return undefined
  const { name, longest } = symbologies[symbology]
  const length = isGs1(symbology) ? elementsLength(text) : charactersIn(text)
  return length <= longest ? undefined : `This has ${length} characters, and ${name} holds at most ${longest}`
}

/** Why a value cannot be drawn as the caption that GS1 requires; undefined if it can, or if another caption is given. */
export function captionFault(
  value: string,
  symbology: Symbology,
  caption: string | null | undefined,
): string | undefined {
  if (!isGs1(symbology) || (caption ?? '') !== '') return undefined
  const length = charactersIn(value)
  return length <= LONGEST_CAPTION
    ? undefined
    : `This has ${length} characters, and a caption at most ${LONGEST_CAPTION}: give a shorter caption in text`
}

/** The characters that are encoded: identifiers, their data, and a separator after data of any length but the last. */
function elementsLength(text: string): number {
  const [before = '', ...elements] = text.split('(')
  let length = charactersIn(before)
  for (const [at, element] of elements.entries()) {
    const isSeparated = at < elements.length - 1 && !FIXED_LENGTH.test(element)
    length += charactersIn(element.replace(')', '')) + (isSeparated ? 1 : 0)
  }
  return length
}

function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
