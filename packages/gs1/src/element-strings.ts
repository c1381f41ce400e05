import { type Element, elementsFault } from './elements.ts'
import { identifierOf } from './identifiers.ts'
import { hasFixedLength } from './separators.ts'
import { unknownFault } from './values.ts'

/** Elements, or why there are none. */
export type Elements = { readonly elements: readonly Element[] } | { readonly fault: string }

/** Stands between elements in the text of a scanner, for the FNC1 of a code. */
export const SEPARATOR = '\u001d'

const NOT_GS1 =
  'This is not GS1 data: write each application identifier in parentheses, such as (01)09506000134352(10)AB12'

/** Reads `(01)09506000134352(10)AB12`. An opening parenthesis in a value is written `\(`. */
export function parseBracketed(text: string): Elements {
  if (!text.startsWith('(')) return { fault: NOT_GS1 }
  const elements: Element[] = []
  for (let at = 1; at <= text.length;) {
    // The opening parenthesis before `at` was found already.
    const close = text.indexOf(')', at)
    if (close < 0) return { fault: NOT_GS1 }
    const ai = text.slice(at, close)
    if (identifierOf(ai) === undefined) return { fault: unknownFault(ai) }
    const next = endOfValue(text, close + 1)
    elements.push([ai, text.slice(close + 1, next).replaceAll('\\(', '(')])
    at = next + 1
  }
  return checked(elements)
}

/** Where a value ends: at the next opening parenthesis without a backslash. */
function endOfValue(text: string, from: number): number {
  let at = text.indexOf('(', from)
  while (at > from && text[at - 1] === '\\') at = text.indexOf('(', at + 1)
  return at < 0 ? text.length : at
}

/** Writes elements in parentheses, as below a code. */
export function buildBracketed(elements: readonly Element[]): string {
  return elements.map(([ai, value]) => `(${ai})${value.replaceAll('(', '\\(')}`).join('')
}

/** The text of a scanner: what it puts in front to say which code it read, and the first FNC1. */
const MARK = new RegExp(`^(?:\\](?:C1|d2|Q3|e0|J1))?${SEPARATOR}?`)

/** Reads what a scanner sends: identifiers and values, with a separator after each value of any length but the last. */
export function parseScanned(text: string): Elements {
  const elements: Element[] = []
  let at = MARK.exec(text)?.[0].length ?? 0
  if (at === text.length) return { fault: 'There are no application identifiers here' }
  let separator = -1
  while (at < text.length) {
    const ai = [2, 3, 4]
      .map((length) => text.slice(at, at + length))
      .find((one) => identifierOf(one) !== undefined)
    if (ai === undefined) return { fault: unknownFault(text.slice(at, at + 4)) }
    at += ai.length
    // Searched only once it is behind, so that many values without one take linear time.
    if (separator < at) separator = endAt(text, at)
    const until = hasFixedLength(ai) ? Math.min(separator, at + lengthOf(ai)) : separator
    elements.push([ai, text.slice(at, until)])
    at = until === separator ? until + 1 : until
  }
  return checked(elements)
}

function endAt(text: string, from: number): number {
  const at = text.indexOf(SEPARATOR, from)
  return at < 0 ? text.length : at
}

const lengthOf = (ai: string): number =>
  (identifierOf(ai)?.components ?? []).reduce((sum, { max }) => sum + max, 0)

/** Writes elements as a scanner sends them. */
export function buildScanned(elements: readonly Element[]): string {
  return elements
    .map(
      ([ai, value], at) => ai + value + (hasFixedLength(ai) || at === elements.length - 1 ? '' : SEPARATOR),
    )
    .join('')
}

const checked = (elements: readonly Element[]): Elements => {
  const fault = elementsFault(elements)
  return fault === undefined ? { elements } : { fault }
}
