import { CodeError } from '../code-error.ts'
import type { Bars } from '../symbology.ts'
import { fromWidths } from './widths.ts'

// ISO/IEC 15417, table 1: widths of alternating bars and spaces, by symbol value. The last one is the stop symbol.
const PATTERNS = `
  212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231
  113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211
  212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131
  113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111
  314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211
  241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141
  214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214
  211232 2331112
`
  .trim()
  .split(/\s+/)

const STOP = 106
const SHIFT = 98

/** The three code sets: the start symbol, the switch symbol, and the function character for "add 128" of each. */
const SETS = {
  A: { start: 103, latch: 101, high: 101 },
  B: { start: 104, latch: 100, high: 100 },
  C: { start: 105, latch: 99, high: undefined },
} as const
type SetName = keyof typeof SETS
const NAMES = ['A', 'B', 'C'] as const

const MAX_CODE_UNIT = 255

/** Encodes text of ISO 8859-1 as Code 128 with the fewest symbols. */
export function encodeCode128(text: string): Bars {
  for (const character of text) {
    if ((character.codePointAt(0) ?? 0) > MAX_CODE_UNIT)
      throw new CodeError(
        'unencodable',
        'Code 128 holds ASCII and western European letters only: use a Data Matrix, PDF417 or Aztec code',
      )
  }
  const values = fewestSymbols(text)
  const check = values.reduce((sum, value, at) => sum + value * Math.max(1, at), 0) % 103
  return fromWidths([...values, check, STOP].map((value) => PATTERNS[value]!).join(''))
}

/** A path through the first characters of a text: its last symbol, and the path before it. */
interface Way {
  cost: number
  values: readonly number[]
  before: Way | undefined
}

/** Dynamic programming: the cheapest path to each set at each position. A symbol reads at most two characters. */
function fewestSymbols(text: string): number[] {
  const start: Record<SetName, Way> = {
    A: { cost: 1, values: [SETS.A.start], before: undefined },
    B: { cost: 1, values: [SETS.B.start], before: undefined },
    C: { cost: 1, values: [SETS.C.start], before: undefined },
  }
  const ways: Partial<Record<SetName, Way>>[] = [start]
  const offer = (at: number, set: SetName, before: Way, values: readonly number[]): void => {
    const cost = before.cost + values.length
    const there = (ways[at] ??= {})
    if (cost < (there[set]?.cost ?? Infinity)) there[set] = { cost, values, before }
  }
  for (let at = 0; at < text.length; at++) {
    const here = ways[at] ?? {}
    if (at > 0) switchSets(here)
    for (const set of NAMES) {
      const way = here[set]
      if (way === undefined) continue
      if (set === 'C') {
        const pair = /^\d\d/.exec(text.slice(at, at + 2))
        if (pair !== null) offer(at + 2, set, way, [Number(pair[0])])
      } else offer(at + 1, set, way, symbolsOf(text.charCodeAt(at), set))
    }
  }
  const end = Object.values(ways[text.length] ?? {}).toSorted((a, b) => a.cost - b.cost)[0]
  return valuesOf(end)
}

function switchSets(here: Partial<Record<SetName, Way>>): void {
  const [best] = Object.values(here).toSorted((a, b) => a.cost - b.cost)
  if (best === undefined) return
  for (const set of NAMES) {
    if (best.cost + 1 < (here[set]?.cost ?? Infinity))
      here[set] = { cost: best.cost + 1, values: [SETS[set].latch], before: best }
  }
}

function valuesOf(end: Way | undefined): number[] {
  const parts: (readonly number[])[] = []
  for (let way = end; way !== undefined; way = way.before) parts.push(way.values)
  return parts.reverse().flat()
}

/** The symbols of one character in set A or B; a character that only the other set has is shifted. */
function symbolsOf(unit: number, set: 'A' | 'B'): number[] {
  const low = unit & 127
  const other = set === 'A' ? 'B' : 'A'
  const isOwn = set === 'A' ? low < 96 : low >= 32
  const prefix = unit > 127 ? [SETS[set].high] : []
  return isOwn ? [...prefix, valueIn(set, low)] : [...prefix, SHIFT, valueIn(other, low)]
}

function valueIn(set: 'A' | 'B', low: number): number {
  return set === 'A' && low < 32 ? low + 64 : low - 32
}
