import {
  type Column,
  ImportFileFault,
  MOST_ROWS,
  type OwnColumns,
  type RawFile,
  type RawRow,
  squashed,
  tooMany,
} from './raw-row.ts'
import { readingOf } from './source-presets.ts'

type Item = Readonly<Record<string, unknown>>

/** Items that are looked at to tell the service, because not every item has every field. */
const SAMPLE = 50
const MOST_FIELDS = 200
/** How deep the list may lie in the response of an API, such as `shortUrls.data` of Shlink. */
const DEPTH = 3

/** The JSON response of an API: a list of objects, somewhere near the top. */
export function readJson(text: string, own: OwnColumns, named?: string): RawFile {
  const items = itemsOf(parsed(text), DEPTH)
  if (items === undefined) throw new ImportFileFault('Must hold a list of links')
  if (items.length > MOST_ROWS) throw tooMany()
  const sample = items.slice(0, SAMPLE).flatMap((item) => Object.keys(flattened(item, own)))
  const { source, tagSeparator, columnOf } = readingOf([...new Set(sample)], own, named)
  const columns = new Map<string, Column>()
  const columnFor = (name: string): Column | undefined => {
    const known = columns.get(name)
    if (known !== undefined || columns.size >= MOST_FIELDS) return known
    const column = columnOf(name)
    columns.set(name, column)
    return column
  }
  for (const name of sample) columnFor(name)
  if (![...columns.values()].some(({ meaning }) => meaning === 'link'))
    throw new ImportFileFault('There is no field with the destination of a link')
  return {
    source,
    unit: 'Item',
    tagSeparator,
    columns: () => [...columns.values()],
    rows: rowsOf(items, own, columnFor),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ImportFileFault('Must be valid JSON')
  }
}

const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first list of objects; YOURLS returns an object of objects instead of a list. */
function itemsOf(value: unknown, depth: number): readonly Item[] | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isObject) ? value : undefined
  if (!isObject(value) || depth === 0) return undefined
  const children = Object.values(value)
  for (const child of children) {
    const found = itemsOf(child, depth - 1)
    if (found !== undefined) return found
  }
  const isMap = children.length > 0 && children.every((child) => isObject(child) && 'url' in child)
  return isMap ? (children as Item[]) : undefined
}

/** Whether an object is a value of its own: fields of our own links are, but for `domain`, which is a text there. */
const staysWhole = (name: string, own: OwnColumns): boolean =>
  name !== 'domain' && own.nameOfHeader(name) !== undefined

/** Fields of fields with joined names: `domain.fullName` is `domainfullname`. */
function flattened(item: Item, own: OwnColumns): Record<string, unknown> {
  // Without a prototype: the file chooses the names.
  const flat: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(item)) {
    if (isObject(value) && !staysWhole(name, own))
      for (const [inner, child] of Object.entries(value)) flat[squashed(`${name} ${inner}`)] ??= child
    else flat[name] = value
  }
  return flat
}

function* rowsOf(
  items: readonly Item[],
  own: OwnColumns,
  columnFor: (name: string) => Column | undefined,
): Generator<RawRow> {
  for (const [at, item] of items.entries()) {
    const values: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(flattened(item, own))) {
      const meaning = columnFor(name)?.meaning
      // Of two fields that mean the same the first that says something counts.
      if (meaning === undefined || value === null || value === '') continue
      values[meaning] ??= meaning === 'tags' ? tagNames(value) : value
    }
    yield { line: at + 1, values }
  }
}

/** Tags are texts at some services, objects with a name at others. */
const tagNames = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((tag: unknown) => (isObject(tag) ? (tag['name'] ?? tag['title']) : tag))
    : value
