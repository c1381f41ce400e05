import bidiFactory, { type Bidi } from 'bidi-js'
import { joinArabic } from './arabic.ts'

// The types are those of the package's ES module, but Node loads its CommonJS one, where the factory is the module.
const bidi = (bidiFactory as unknown as () => Bidi)()

// A caption is one line: separators that would start another paragraph, with its own direction, become spaces.
// oxlint-disable-next-line no-control-regex -- these are the separators
const PARAGRAPH_SEPARATORS = /[\n\r\u001C-\u001E\u0085\u2029]/g

// UAX #9 alone would split a phone number after Arabic text at its hyphens, and elsewhere at its spaces and plus sign, and
// order the pieces from right to left. Its rule HL4 allows applications to isolate such text.
const GROUPED_NUMBER = /\+?\(?\p{Nd}[\p{Nd}() -]{5,22}\p{Nd}/gu
const MIN_GROUPED_DIGITS = 7
const LEFT_TO_RIGHT_ISOLATE = '\u2066'
const POP_ISOLATE = '\u2069'

function isolateGroupedNumbers(line: string): string {
  return line.replaceAll(GROUPED_NUMBER, (number) => {
    const digits = number.match(/\p{Nd}/gu)?.length ?? 0
    return digits < MIN_GROUPED_DIGITS ? number : LEFT_TO_RIGHT_ISOLATE + number + POP_ISOLATE
  })
}

/** The clusters of a line in visual order from left to right, by Unicode's UAX #9. */
export function visualOrder(text: string): string[] {
  const line = isolateGroupedNumbers(joinArabic(text).replaceAll(PARAGRAPH_SEPARATORS, ' '))
  const embedding = bidi.getEmbeddingLevels(line)
  const clusters: string[] = []
  // The algorithm counts UTF-16 units, but a user-perceived character must stay in one piece.
  const clusterAt: number[] = []
  for (const { segment, index } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(line)) {
    for (let unit = 0; unit < segment.length; unit++) clusterAt.push(clusters.length)
    const isRightToLeft = ((embedding.levels[index] ?? 0) & 1) === 1
    clusters.push((isRightToLeft ? bidi.getMirroredCharacter(segment) : null) ?? segment)
  }
  for (const [start = 0, end = 0] of bidi.getReorderSegments(line, embedding)) {
    const from = clusterAt[start] ?? 0
    const count = (clusterAt[end] ?? 0) - from + 1
    clusters.splice(from, count, ...clusters.slice(from, from + count).toReversed())
  }
  return clusters.filter((cluster) => cluster !== LEFT_TO_RIGHT_ISOLATE && cluster !== POP_ISOLATE)
}
