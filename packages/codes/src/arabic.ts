// Arabic letters change shape with their neighbours. Unicode has these shapes as compatibility characters, in the order
// isolated, final, initial, medial. Their compatibility mapping gives the letter of each shape, so the table of shapes
// is derived from it.
const SHAPE_RANGES = [
  [0xfb56, 0xfb59],
  [0xfb7a, 0xfb7d],
  [0xfb8a, 0xfb95],
  [0xfbfc, 0xfbff],
  [0xfe80, 0xfefc],
] as const

const shapes = readShapes()

function readShapes(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [first, last] of SHAPE_RANGES) {
    for (let code = first; code <= last; code++) {
      const shape = String.fromCharCode(code)
      const letters = shape.normalize('NFKC')
      found.set(letters, [...(found.get(letters) ?? []), shape])
    }
  }
  return found
}

const TATWEEL = '\u0640'
// Vowel signs belong to their letter and do not separate it from the next.
const SIGN = /^\p{Mn}$/u

/** Replaces Arabic and Persian letters by their contextual shapes. */
export function joinArabic(text: string): string {
  if (!/[\u0620-\u06FF]/.test(text)) return text
  const letters = ligated(Array.from(text).filter((letter) => !SIGN.test(letter)))
  return letters
    .map((letter, at) => {
      const forms = shapes.get(letter)
      if (forms === undefined) return letter
      const joinsBefore = forms.length > 1 && joinsOnwards(letters[at - 1])
      const joinsAfter = forms.length > 2 && joinsBackwards(letters[at + 1])
      const wanted = joinsBefore ? (joinsAfter ? 3 : 1) : joinsAfter ? 2 : 0
      return forms[wanted] ?? letter
    })
    .join('')
}

/** Lam followed by alef is one shape. */
function ligated(letters: readonly string[]): string[] {
  const joined: string[] = []
  for (const letter of letters) {
    const pair = `${joined.at(-1) ?? ''}${letter}`
    if (pair.length > 1 && joined.at(-1) === 'ل' && shapes.has(pair)) joined[joined.length - 1] = pair
    else joined.push(letter)
  }
  return joined
}

function joinsOnwards(letter: string | undefined): boolean {
  return letter === TATWEEL || (letter !== undefined && (shapes.get(letter)?.length ?? 0) > 2)
}

function joinsBackwards(letter: string | undefined): boolean {
  return letter === TATWEEL || (letter !== undefined && (shapes.get(letter)?.length ?? 0) > 1)
}
