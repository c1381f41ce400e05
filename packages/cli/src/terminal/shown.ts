/** U+2068 and U+2069 keep the direction of a text from affecting the text around it. */
const [ISOLATE, END] = ['\u2068', '\u2069']
const INITIATORS = new Set(['\u2066', '\u2067', ISOLATE])
const ISOLATES = /[\u2066-\u2069]/g
const CONTROL = /[\p{Cc}\u2028\u2029]/gu
/** Characters that change the direction, and letters of scripts that are written from right to left. */
const DIRECTED =
  /[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const UNSAFE_IN_JSON = /[\p{Bidi_Control}\p{Cc}\u2028\u2029]/gu

const SHORT: Readonly<Record<string, string>> = {
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
}

const escaped = (character: string): string =>
  SHORT[character] ?? String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Closes isolates that a text leaves open, and escapes ends that would close the one around it. */
function balanced(text: string): string {
  let open = 0
  const closed = text.replaceAll(ISOLATES, (character) => {
    if (INITIATORS.has(character)) open++
    else if (open > 0) open--
    else return escaped(character)
    return character
  })
  return closed + END.repeat(open)
}

/**
 * A text of visitors or other users, on one line of a terminal. Control characters could move the cursor, or hide and
 * retitle what the terminal shows; characters such as U+202E could reorder the text around it.
 */
export function shown(text: string): string {
  const visible = text.replaceAll(CONTROL, escaped)
  return DIRECTED.test(visible) ? ISOLATE + balanced(visible) + END : visible
}

/** A template whose values are shown: line`Removed ${name}`. */
export const line = (fixed: TemplateStringsArray, ...texts: readonly (string | number)[]): string =>
  String.raw({ raw: fixed }, ...texts.map((text) => shown(String(text))))

/** JSON for people: the same value, in which such characters are escaped. */
export const shownJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(UNSAFE_IN_JSON, (character) =>
    character === '\n' ? character : escaped(character),
  )

/** The number of characters that take room. */
export const widthOf = (text: string): number => text.replaceAll(/\p{Bidi_Control}/gu, '').length
