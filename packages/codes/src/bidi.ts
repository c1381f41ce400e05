import { joinArabic } from './arabic.ts'

// One line, two directions: the part of Unicode's bidirectional algorithm that captions need. Letters have a
// direction, numbers run left to right but stand where their neighbours put them, brackets go in pairs, and what
// has no direction goes with its neighbours where they agree, else with the line.

// Hebrew, Arabic and their relatives with their presentation forms.
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]|[\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const DIGIT = /\p{Nd}/u
const LEFT_TO_RIGHT = /\p{L}/u

const OPENING = '([{«<'
const CLOSING = ')]}»>'

type Direction = 'left' | 'right'
type Kind = Direction | 'number' | 'neutral'

/** The clusters of one line in the order in which they stand from left to right. */
export function visualOrder(text: string): string[] {
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(joinArabic(text))
  const clusters = Array.from(segments, ({ segment }) => segment)
  const kinds = clusters.map(kindOf)
  if (!kinds.includes('right')) return clusters
  const base = kinds.find(isStrong) ?? 'left'
  pairBrackets(clusters, kinds, base)
  const runs = directionRuns(clusters, kinds, resolve(kinds, base))
  const placed = base === 'right' ? runs.reverse() : runs
  return placed.flatMap((run) => (run.direction === 'right' ? turned(run.clusters) : run.clusters))
}

function kindOf(cluster: string): Kind {
  if (DIGIT.test(cluster)) return 'number'
  if (RIGHT_TO_LEFT.test(cluster)) return 'right'
  return LEFT_TO_RIGHT.test(cluster) ? 'left' : 'neutral'
}

function isStrong(kind: Kind): kind is Direction {
  return kind === 'left' || kind === 'right'
}

/** A pair of brackets takes the line's direction, unless all inside and the text before it run the other way. */
function pairBrackets(clusters: readonly string[], kinds: Kind[], base: Direction): void {
  const open: number[] = []
  for (const [at, cluster] of clusters.entries()) {
    if (OPENING.includes(cluster)) open.push(at)
    if (!CLOSING.includes(cluster)) continue
    const from = open.pop()
    if (from === undefined || CLOSING.indexOf(cluster) !== OPENING.indexOf(clusters[from]!)) continue
    const inside = kinds.slice(from + 1, at).filter(isStrong)
    const before = kinds.slice(0, from).findLast(isStrong) ?? base
    const direction = inside.includes(base) || inside.length === 0 ? base : before
    kinds[from] = direction
    kinds[at] = direction
  }
}

/** The direction of the text that each cluster stands in. */
function resolve(kinds: readonly Kind[], base: Direction): Direction[] {
  let strong = base
  // A number counts as part of the text that it follows.
  const known = kinds.map((kind) => {
    if (isStrong(kind)) strong = kind
    return kind === 'neutral' ? undefined : strong
  })
  const resolved: Direction[] = []
  for (const [at, own] of known.entries()) {
    const before = resolved[at - 1] ?? base
    const after = known.slice(at).find((direction) => direction !== undefined) ?? base
    resolved.push(own ?? (before === after ? before : base))
  }
  return resolved
}

interface Run {
  direction: Direction
  clusters: string[]
}

function directionRuns(
  clusters: readonly string[],
  kinds: readonly Kind[],
  directions: readonly Direction[],
): Run[] {
  const runs: Run[] = []
  for (const [at, cluster] of clusters.entries()) {
    const direction = directions[at]!
    const last = runs.at(-1)
    if (last?.direction !== direction) runs.push({ direction, clusters: [cluster] })
    // Inside right-to-left text a number is one piece, since its digits keep their order.
    else if (direction === 'right' && continuesNumber(kinds, at))
      last.clusters.push(last.clusters.pop() + cluster)
    else last.clusters.push(cluster)
  }
  return runs
}

function continuesNumber(kinds: readonly Kind[], at: number): boolean {
  return kinds[at] === 'number' && kinds[at - 1] === 'number'
}

/** Right-to-left text as it stands from left to right: reversed, its brackets mirrored, its numbers unfolded again. */
function turned(clusters: readonly string[]): string[] {
  return clusters.toReversed().flatMap((cluster) => {
    if (DIGIT.test(cluster)) return Array.from(cluster)
    const opening = OPENING.indexOf(cluster)
    const closing = CLOSING.indexOf(cluster)
    return [opening >= 0 ? CLOSING[opening]! : closing >= 0 ? OPENING[closing]! : cluster]
  })
}
