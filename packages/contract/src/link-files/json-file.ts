import { MOST_COLUMNS } from '../csv/index.ts'
import { jsonItems, type ItemPlace } from './json-items.ts'
import {
  type Column,
  ImportFileFault,
  listed,
  type OwnColumns,
  type RawFile,
  type RawRow,
  type ReadingOptions,
  squashed,
  tooWide,
} from './raw-row.ts'
import { readingOf } from './source-presets.ts'

type Item = Readonly<Record<string, unknown>>

/** Reads an item; undefined: it is too large to be a link. */
type ReadItem = (place: ItemPlace) => Item | undefined

/** Number of items used to detect the service, because not every item has every field. */
const SAMPLE = 50
/** Far more than a link with a thousand earlier short codes needs. Larger items would take much memory to parse. */
const MOST_ITEM_BYTES = 1 << 20
const TOO_LARGE = 'Must be at most 1 MiB'

/** The JSON response of an API: a list of objects, near the top level. */
export function readJson(
  bytes: Uint8Array,
  decoder: TextDecoder,
  own: OwnColumns,
  options: ReadingOptions,
): RawFile {
  const items = jsonItems(bytes)
  if (items === undefined) throw new ImportFileFault('Must contain a list of links')
  const read: ReadItem = ({ from, to }) =>
    to - from > MOST_ITEM_BYTES ? undefined : parsed(decoder.decode(bytes.subarray(from, to)))
  const names = namesIn(items, read, own)
  const { source, tagSeparator, columnOf } = readingOf(names, own, options)
  const columns = new Map<string, Column>()
  const columnFor = (name: string): Column | undefined => {
    const known = columns.get(name)
    if (known !== undefined || columns.size >= MOST_COLUMNS) return known
    const column = columnOf(name)
    columns.set(name, column)
    return column
  }
  for (const name of names) columnFor(name)
  const hasLink = [...columns.values()].some(({ meaning }) => meaning === 'link')
  return {
    source,
    unit: 'Item',
    tagSeparator,
    columns: () => [...columns.values()],
    missing: hasLink ? undefined : { line: 1, message: noLink(names) },
    rows: rowsOf(items, read, own, columnFor),
  }
}

const noLink = (names: readonly string[]): string =>
  names.length === 0
    ? 'Must contain links: its items are empty, or larger than 1 MiB'
    : `There is no field with the destination of a link. Fields found: ${listed(names)}`

function parsed(text: string): Item {
  try {
    return JSON.parse(text) as Item
  } catch {
    throw new ImportFileFault('Must be valid JSON')
  }
}

/** The field names of the first items. */
function namesIn(items: Iterable<ItemPlace>, read: ReadItem, own: OwnColumns): string[] {
  const names = new Set<string>()
  let line = 0
  for (const place of items) {
    for (const name of Object.keys(flattened(read(place) ?? {}, own, ++line)))
      if (names.size < MOST_COLUMNS) names.add(name)
    if (line === SAMPLE) break
  }
  return [...names]
}

const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether an object is a single value: true for fields of our own links, except `domain`, which is a text there. */
const staysWhole = (name: string, own: OwnColumns): boolean =>
  name === 'geo' || (name !== 'domain' && own.nameOfHeader(name) !== undefined)

/** Flattens nested fields by joining their names: `domain.fullName` becomes `domainfullname`. */
function flattened(item: Item, own: OwnColumns, line: number): Record<string, unknown> {
  // Without a prototype, because the file chooses the names.
  const flat: Record<string, unknown> = Object.create(null)
  let left = MOST_COLUMNS
  for (const [name, value] of Object.entries(item)) {
    const isFlat = !isObject(value) || staysWhole(name, own)
    const inner = isFlat ? [] : Object.entries(value)
    left -= isFlat ? 1 : inner.length
    if (left < 0) throw tooWide(`Item ${line}`, 'fields')
    if (isFlat) flat[name] = value
    for (const [child, childValue] of inner) flat[squashed(`${name} ${child}`)] ??= childValue
  }
  return flat
}

function* rowsOf(
  items: Iterable<ItemPlace>,
  read: ReadItem,
  own: OwnColumns,
  columnFor: (name: string) => Column | undefined,
): Generator<RawRow> {
  let line = 0
  for (const place of items) {
    line++
    const item = read(place)
    const values: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(flattened(item ?? {}, own, line))) {
      const meaning = columnFor(name)?.meaning
      // Of two fields with the same meaning, the first one with a value counts.
      if (meaning === undefined || value === null || value === '') continue
      values[meaning] ??= meaning === 'tags' ? tagNames(value) : value
    }
    yield { line, values, ...(item === undefined && { fault: TOO_LARGE }) }
  }
}

/** Tags are texts in some services, and objects with a name in others. */
const tagNames = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((tag: unknown) => (isObject(tag) ? (tag['name'] ?? tag['title']) : tag))
    : value
