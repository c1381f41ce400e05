import { LineCounter } from './line-counter.ts'
import { MOST_COLUMNS } from '../csv/index.ts'
import { type Column, type RawFile, type RawRow, tooWide } from './raw-row.ts'

const columns: readonly Column[] = [
  { name: 'HREF', meaning: 'link' },
  { name: 'text', meaning: 'title' },
  { name: 'ADD_DATE', meaning: 'created_at' },
  { name: 'TAGS', meaning: 'tags' },
]

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['href', 'link'],
  ['add_date', 'created_at'],
  ['time_added', 'created_at'],
  ['tags', 'tags'],
])

/** No field of a link has a longer text. Decoding one of 32 MiB takes more than a gigabyte. */
const MOST_CHARACTERS = 65_536
/** Maximum length of a title. */
const TITLE_CHARACTERS = 255

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Bookmarks of a browser (the Netscape format), and the reading list that Pocket exports. */
export function readBookmarks(text: string): RawFile {
  return {
    source: 'bookmarks',
    unit: 'Line',
    tagSeparator: /,/,
    columns: () => columns,
    rows: rowsOf(text),
  }
}

/** Every step moves forward in the text, so that a file of a million broken tags is read in linear time. */
function* rowsOf(text: string): Generator<RawRow> {
  const opening = /<a\s/gi
  const lines = new LineCounter(text)
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index
    const { attributes, end, isTooWide } = attributesAt(text, opening.lastIndex)
    if (isTooWide) throw tooWide(`Line ${lines.at(start)}`, 'attributes')
    if (end === -1) return
    const close = text.indexOf('<', end)
    const title = titleOf(text.slice(end, close === -1 ? text.length : close))
    opening.lastIndex = end
    // Bookmarks of other kinds, such as `place:` and `javascript:`, cannot be destinations.
    if (!/^https?:/i.test(attributes['link'] ?? '')) continue
    yield {
      line: lines.at(start),
      values: {
        ...attributes,
        ...(title !== '' && { title }),
      },
    }
  }
}

/** A character may be two UTF-16 units. */
const titleOf = (text: string): string => {
  const start = decoded(text)
    .trim()
    .slice(0, 2 * TITLE_CHARACTERS)
  return Array.from(start).slice(0, TITLE_CHARACTERS).join('').toWellFormed()
}

function attributesAt(text: string, from: number) {
  const attributes: Record<string, string> = {}
  const attribute = /\s*(?:>|([^\s=>]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s>"]*)))?)/y
  attribute.lastIndex = from
  for (let count = 0; count <= MOST_COLUMNS; count++) {
    const [found, name, quoted, single, plain] = attribute.exec(text) ?? []
    if (found === undefined) return { attributes, end: -1 }
    if (name === undefined) return { attributes, end: attribute.lastIndex }
    const meaning = MEANINGS.get(name.toLowerCase())
    if (meaning === undefined) continue
    const value = decoded(quoted ?? single ?? plain ?? '')
    if (value !== '') attributes[meaning] = value
  }
  return { attributes, end: -1, isTooWide: true }
}

const decoded = (text: string): string =>
  text
    .slice(0, MOST_CHARACTERS)
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, digits, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole
      const point = digits === undefined ? Number.parseInt(hex, 16) : Number(digits)
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole
    })
