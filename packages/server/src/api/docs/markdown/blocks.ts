/** One block of a Markdown text. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly title: string; readonly text: string }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }

const FENCE = '```'
const HEADING = /^(#{1,4}) (.*)$/
const BULLET = /^(?:[-*]|\d{1,3}\.) /
const RULER = /^\|[-:| ]+\|$/

/** Lines that are read one after another. */
class Lines {
  readonly #lines: readonly string[]
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  get next(): string | undefined {
    return this.#lines[this.#at]
  }

  get afterNext(): string | undefined {
    return this.#lines[this.#at + 1]
  }

  take(): string {
    return this.#lines[this.#at++] ?? ''
  }

  takeWhile(holds: (line: string) => boolean): string[] {
    const taken: string[] = []
    while (this.next !== undefined && holds(this.next)) taken.push(this.take())
    return taken
  }
}

/** Cells of a row; a bar that is escaped, or that stands in code, divides nothing. */
const cellsOf = (row: string): string[] => {
  const cells: string[] = ['']
  let isCode = false
  for (let at = 1; at < row.trimEnd().length - 1; at++) {
    const char = row.charAt(at)
    if (char === '\\' && row[at + 1] === '|') cells[cells.length - 1] += `\\${row.charAt(++at)}`
    else if (char === '|' && !isCode) cells.push('')
    else {
      if (char === '`') isCode = !isCode
      cells[cells.length - 1] += char
    }
  }
  return cells.map((cell) => cell.trim())
}

const readCode = (lines: Lines): Block => {
  const [language = '', ...words] = lines.take().slice(FENCE.length).trim().split(' ')
  const text = lines.takeWhile((line) => line.trimEnd() !== FENCE).join('\n')
  lines.take()
  const title = words.join(' ')
  return { kind: 'code', language, title: title.startsWith('title=') ? title.slice(6) : '', text }
}

const readTable = (lines: Lines): Block => {
  const head = cellsOf(lines.take())
  lines.take()
  const rows = lines.takeWhile((line) => line.startsWith('|')).map(cellsOf)
  return { kind: 'table', head, rows }
}

const indentOf = (line: string): number => line.length - line.trimStart().length

const readList = (lines: Lines): Block => {
  const isOrdered = /^\d/.test(lines.next ?? '')
  const items: Block[][] = []
  while (lines.next !== undefined && BULLET.test(lines.next) && /^\d/.test(lines.next) === isOrdered) {
    const first = lines.take()
    const width = first.indexOf(' ') + 1
    const rest = lines.takeWhile((line) => line.trim() !== '' && indentOf(line) > 0)
    items.push(
      blocksOf([first.slice(width), ...rest.map((line) => line.slice(Math.min(width, indentOf(line))))]),
    )
    const isBetween = lines.next?.trim() === '' && BULLET.test(lines.afterNext ?? '')
    if (isBetween) lines.take()
  }
  return { kind: 'list', isOrdered, items }
}

const startsTable = (line: string, after: string | undefined): boolean =>
  line.startsWith('|') && RULER.test(after?.trimEnd() ?? '')

const startsBlock = (line: string): boolean =>
  line.startsWith(FENCE) || HEADING.test(line) || BULLET.test(line) || line.startsWith('|')

const readBlock = (lines: Lines, line: string): Block => {
  if (line.startsWith(FENCE)) return readCode(lines)
  const heading = HEADING.exec(line)
  if (heading !== null) {
    lines.take()
    return { kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' }
  }
  if (startsTable(line, lines.afterNext)) return readTable(lines)
  if (BULLET.test(line)) return readList(lines)
  const [first, ...rest] = [
    lines.take(),
    ...lines.takeWhile((each) => each.trim() !== '' && !startsBlock(each)),
  ]
  return { kind: 'paragraph', text: [first, ...rest].join('\n').trim() }
}

const blocksOf = (all: readonly string[]): Block[] => {
  const lines = new Lines(all)
  const blocks: Block[] = []
  while (lines.next !== undefined) {
    if (lines.next.trim() === '') lines.take()
    else blocks.push(readBlock(lines, lines.next))
  }
  return blocks
}

/**
 * The blocks of a Markdown text, as far as our guides use Markdown: headings, paragraphs, code, tables and lists.
 * A test compares what it reads with the texts, so that a guide that uses more is noticed.
 */
export const readBlocks = (text: string): Block[] => blocksOf(text.split('\n'))
