import { BOT, flagsOf, KIND_BITS, KINDS, SCANNED, type StoredClick, TEXT_COLUMNS } from './stored-click.ts'

/*
 * Many clicks of one workspace and one UTC day, stored column by column and sorted by time. About 30 bytes per click.
 *
 *   "WMB1", clicks, number of columns
 *   for each column: length of its name, name, offset, length of its bytes
 *   the columns, each at a multiple of four bytes
 *
 * All numbers are little endian, all lengths u32. Columns:
 *
 *   time      u32 per click: milliseconds of the day
 *   flags     u8 per click: kind, bot, scanned
 *   visitor   u32 per click (lower bits), then u16 per click (upper bits)
 *   link      number of links, 16 bytes for each, then an index per click
 *   any text  number of texts, length and UTF-8 of each, then an index per click
 *
 * Indexes take 1, 2 or 4 bytes, depending on the number of entries, and none if there is one entry. A text column that is
 * empty for all clicks is left out, so a new dimension is one more column, and batches without it read as unknown.
 */

const MAGIC = 0x31_42_4d_57
export const UUID_BYTES = 16
/** For sorting, time and position are packed into one number: 27 bits of milliseconds, then these bits of position. */
const PLACE_BITS = 22
export const MAX_CLICKS = 2 ** PLACE_BITS
const HIGH = 2 ** 32

type Indexes = Uint8Array | Uint16Array | Uint32Array

/** One text column: the distinct texts, and the index of its text for each click. */
export interface Texts {
  readonly texts: readonly string[]
  /** `undefined`: all clicks have the first text. */
  readonly indexes: Indexes | undefined
}

export interface Links {
  /** The uuids, 16 bytes each. */
  readonly uuids: Buffer
  readonly count: number
  readonly indexes: Indexes | undefined
}

const UNKNOWN: Texts = { texts: [''], indexes: undefined }

/** A packed batch. Columns are decoded when they are used. Damaged bytes cause a `RangeError`. */
export class Batch {
  readonly clicks: number
  readonly #bytes: Buffer<ArrayBuffer>
  readonly #columns = new Map<string, { readonly offset: number; readonly length: number }>()

  constructor(packed: Uint8Array) {
    const bytes = aligned(packed)
    this.#bytes = bytes
    if (bytes.readUInt32LE(0) !== MAGIC) throw new RangeError('Not a batch of clicks')
    this.clicks = bytes.readUInt32LE(4)
    let at = 12
    for (let left = bytes.readUInt32LE(8); left > 0; left--) {
      const nameBytes = bytes.readUInt32LE(at)
      const offset = bytes.readUInt32LE(at + 4 + nameBytes)
      const length = bytes.readUInt32LE(at + 8 + nameBytes)
      if (offset + length > bytes.length) throw new RangeError('A batch of clicks is cut off')
      this.#columns.set(bytes.toString('utf8', at + 4, at + 4 + nameBytes), { offset, length })
      at += 12 + nameBytes
    }
  }

  get columns(): Iterable<string> {
    return this.#columns.keys()
  }

  /** Milliseconds since the beginning of the day, ascending. */
  get times(): Uint32Array {
    return this.#numbers(this.#start('time'), 4) as Uint32Array
  }

  get flags(): Uint8Array {
    return this.#numbers(this.#start('flags'), 1) as Uint8Array
  }

  get visitors(): { readonly low: Uint32Array; readonly high: Uint16Array } {
    const start = this.#start('visitor')
    return {
      low: this.#numbers(start, 4) as Uint32Array,
      high: this.#numbers(start + 4 * this.clicks, 2) as Uint16Array,
    }
  }

  get links(): Links {
    const start = this.#start('link')
    const count = this.#bytes.readUInt32LE(start)
    const end = start + 4 + count * UUID_BYTES
    if (end > this.#bytes.length) throw new RangeError('A batch of clicks is cut off')
    return { uuids: this.#bytes.subarray(start + 4, end), count, indexes: this.#indexes(end, count) }
  }

  texts(column: string): Texts {
    const stored = this.#columns.get(column)
    if (stored === undefined) return UNKNOWN
    let at = stored.offset + 4
    const texts: string[] = []
    for (let left = this.#bytes.readUInt32LE(stored.offset); left > 0; left--) {
      const bytes = this.#bytes.readUInt32LE(at)
      texts.push(this.#bytes.toString('utf8', at + 4, at + 4 + bytes))
      at += 4 + bytes
    }
    return { texts, indexes: this.#indexes(align(at), texts.length) }
  }

  #start(column: string): number {
    const stored = this.#columns.get(column)
    if (stored === undefined) throw new RangeError(`A batch of clicks has no column ${column}`)
    return stored.offset
  }

  #indexes(start: number, entries: number): Indexes | undefined {
    return entries <= 1 ? undefined : this.#numbers(start, widthOf(entries))
  }

  #numbers(start: number, width: Width): Indexes {
    const { buffer, byteOffset } = this.#bytes
    const at = byteOffset + start
    if (width === 1) return new Uint8Array(buffer, at, this.clicks)
    return width === 2 ? new Uint16Array(buffer, at, this.clicks) : new Uint32Array(buffer, at, this.clicks)
  }
}

/** The clicks of a batch one by one, oldest first. */
export function* clicksOf(batch: Batch, dayMs: number): Generator<StoredClick> {
  const { clicks, times, flags, visitors, links } = batch
  const uuids = Array.from({ length: links.count }, (_, link) => uuidText(links.uuids, link * UUID_BYTES))
  const columns = TEXT_COLUMNS.map((column) => [column, batch.texts(column)] as const)
  for (let at = 0; at < clicks; at++) {
    const texts: Partial<Record<(typeof TEXT_COLUMNS)[number], string>> = {}
    for (const [column, { texts: all, indexes }] of columns) texts[column] = all[indexes?.[at] ?? 0] ?? ''
    const flag = flags[at]!
    yield {
      ...(texts as Record<(typeof TEXT_COLUMNS)[number], string>),
      atMs: dayMs + times[at]!,
      kind: KINDS[flag & KIND_BITS]!,
      resourceUuid: uuids[links.indexes?.[at] ?? 0] ?? '',
      bot: (flag & BOT) !== 0,
      scanned: (flag & SCANNED) !== 0,
      visitor: visitors.high[at]! * HIGH + visitors.low[at]!,
    }
  }
}

/** Packs clicks of one day, in any order. `visitors` replaces the visitor numbers of the clicks. */
export function packBatch(clicks: readonly StoredClick[], dayMs: number, visitors?: Float64Array): Buffer {
  const columns = new Columns(clicks.length)
  for (let at = 0; at < clicks.length; at++) {
    const click = clicks[at]!
    columns.times[at] = click.atMs - dayMs
    columns.flags[at] = flagsOf(click)
    columns.setVisitor(at, visitors?.[at] ?? click.visitor)
  }
  columns.link.fill(0, clicks.length, (at) => clicks[at]!.resourceUuid, uuidKey)
  for (const column of TEXT_COLUMNS) columns.text(column).fill(0, clicks.length, (at) => clicks[at]![column])
  return columns.pack()
}

/** Merges batches of one workspace and day. Columns that this version does not know are kept. */
export function mergeBatches(batches: readonly Batch[]): Buffer {
  const columns = new Columns(batches.reduce((sum, { clicks }) => sum + clicks, 0))
  let from = 0
  for (const batch of batches) {
    const { clicks, visitors, links } = batch
    columns.times.set(batch.times, from)
    columns.flags.set(batch.flags, from)
    columns.lows.set(visitors.low, from)
    columns.highs.set(visitors.high, from)
    columns.link.renumber(from, clicks, linkKeys(links), links.indexes)
    for (const name of new Set([...batch.columns, ...columns.textNames])) {
      if (NUMBER_COLUMNS.has(name)) continue
      const { texts, indexes } = batch.texts(name)
      columns.text(name).renumber(from, clicks, texts, indexes)
    }
    from += clicks
  }
  return columns.pack()
}

/** Returns `undefined` if a column cannot be read. */
export function readableBatch(packed: Uint8Array): Batch | undefined {
  try {
    const batch = new Batch(packed)
    mergeBatches([batch])
    return batch
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const NUMBER_COLUMNS: ReadonlySet<string> = new Set(['time', 'flags', 'visitor', 'link'])

/** The columns of a batch before they are packed. */
class Columns {
  readonly times: Uint32Array
  readonly flags: Uint8Array
  readonly lows: Uint32Array
  readonly highs: Uint16Array
  readonly link: NumberedColumn
  readonly #texts = new Map<string, NumberedColumn>()
  readonly #clicks: number

  constructor(clicks: number) {
    if (clicks > MAX_CLICKS) throw new RangeError('Too many clicks for one batch')
    this.#clicks = clicks
    this.times = new Uint32Array(clicks)
    this.flags = new Uint8Array(clicks)
    this.lows = new Uint32Array(clicks)
    this.highs = new Uint16Array(clicks)
    this.link = new NumberedColumn(clicks, false)
  }

  get textNames(): Iterable<string> {
    return this.#texts.keys()
  }

  /** Gives all clicks so far '' in a new column. */
  text(name: string): NumberedColumn {
    let column = this.#texts.get(name)
    if (column === undefined) this.#texts.set(name, (column = new NumberedColumn(this.#clicks, true)))
    return column
  }

  setVisitor(at: number, visitor: number): void {
    this.lows[at] = visitor % HIGH
    this.highs[at] = Math.floor(visitor / HIGH)
  }

  pack(): Buffer {
    const order = orderOf(this.times)
    const columns: [name: string, bytes: Uint8Array][] = [
      ['time', bytesOf(ordered(this.times, order))],
      ['flags', ordered(this.flags, order)],
      ['visitor', Buffer.concat([bytesOf(ordered(this.lows, order)), bytesOf(ordered(this.highs, order))])],
    ]
    const { keys, indexes } = this.link.packed(order)
    columns.push([
      'link',
      Buffer.concat([u32(keys.length), ...keys.map((key) => Buffer.from(key, 'latin1')), indexes]),
    ])
    for (const [name, column] of this.#texts) {
      if (column.isUnknown) continue
      const texts = column.packed(order)
      columns.push([name, Buffer.concat([packTexts(texts.keys), texts.indexes])])
    }
    return assemble(this.#clicks, columns)
  }
}

/** A column with repeated values: each distinct value is stored once, and its number for every click. */
class NumberedColumn {
  readonly #numbers: Uint32Array
  readonly #keys = new Map<string, number>()

  constructor(clicks: number, hasUnknown: boolean) {
    this.#numbers = new Uint32Array(clicks)
    if (hasUnknown) this.#keys.set('', 0)
  }

  get isUnknown(): boolean {
    return this.#keys.size === 1
  }

  fill(
    from: number,
    count: number,
    valueOf: (at: number) => string,
    keyOf = (value: string): string => value,
  ): void {
    let last: string | undefined
    let number = 0
    const known = new Map<string, number>()
    for (let at = 0; at < count; at++) {
      const value = valueOf(at)
      // Most columns have the same value for most clicks.
      if (value !== last) {
        last = value
        let found = known.get(value)
        if (found === undefined) known.set(value, (found = this.#numberOf(keyOf(value))))
        number = found
      }
      this.#numbers[from + at] = number
    }
  }

  /** Adds the column of another batch. */
  renumber(from: number, count: number, keys: readonly string[], indexes: Indexes | undefined): void {
    const numbers = Uint32Array.from(keys, (key) => this.#numberOf(key))
    if (indexes === undefined) this.#numbers.fill(numbers[0] ?? 0, from, from + count)
    else for (let at = 0; at < count; at++) this.#numbers[from + at] = numbers[indexes[at]!]!
  }

  packed(order: Uint32Array | undefined): { readonly keys: readonly string[]; readonly indexes: Uint8Array } {
    const keys = [...this.#keys.keys()]
    if (keys.length <= 1) return { keys, indexes: new Uint8Array() }
    const width = widthOf(keys.length)
    const numbers = ordered(this.#numbers, order)
    return {
      keys,
      indexes:
        width === 4
          ? bytesOf(numbers)
          : bytesOf(width === 2 ? Uint16Array.from(numbers) : Uint8Array.from(numbers)),
    }
  }

  #numberOf(key: string): number {
    let number = this.#keys.get(key)
    if (number === undefined) this.#keys.set(key, (number = this.#keys.size))
    return number
  }
}

/** The order of the clicks by time; `undefined` if they are sorted already. */
function orderOf(times: Uint32Array): Uint32Array | undefined {
  let isInOrder = true
  for (let at = 1; at < times.length && isInOrder; at++) isInOrder = times[at - 1]! <= times[at]!
  if (isInOrder) return undefined
  const keys = new Float64Array(times.length)
  for (let at = 0; at < times.length; at++) keys[at] = times[at]! * MAX_CLICKS + at
  return Uint32Array.from(keys.sort(), (key) => key % MAX_CLICKS)
}

function ordered<Numbers extends Indexes>(numbers: Numbers, order: Uint32Array | undefined): Numbers {
  if (order === undefined) return numbers
  const sorted = numbers.slice() as Numbers
  for (let at = 0; at < order.length; at++) sorted[at] = numbers[order[at]!]!
  return sorted
}

function packTexts(texts: readonly string[]): Buffer {
  const parts: Buffer[] = [u32(texts.length)]
  let length = 4
  for (const text of texts) {
    const bytes = Buffer.from(text)
    parts.push(u32(bytes.length), bytes)
    length += 4 + bytes.length
  }
  return Buffer.concat(parts, align(length))
}

function assemble(clicks: number, columns: readonly (readonly [name: string, bytes: Uint8Array])[]): Buffer {
  const header = 12 + columns.reduce((sum, [name]) => sum + 12 + Buffer.byteLength(name), 0)
  const size = columns.reduce((sum, [, bytes]) => sum + align(bytes.length), align(header))
  const packed = Buffer.alloc(size)
  packed.writeUInt32LE(MAGIC, 0)
  packed.writeUInt32LE(clicks, 4)
  packed.writeUInt32LE(columns.length, 8)
  let at = 12
  let offset = align(header)
  for (const [name, bytes] of columns) {
    const nameBytes = packed.write(name, at + 4)
    packed.writeUInt32LE(nameBytes, at)
    packed.writeUInt32LE(offset, at + 4 + nameBytes)
    packed.writeUInt32LE(bytes.length, at + 8 + nameBytes)
    packed.set(bytes, offset)
    at += 12 + nameBytes
    offset += align(bytes.length)
  }
  return packed
}

/** A uuid as a string of 16 one-byte characters: a short key for maps and sets. */
export function uuidKey(uuid: string): string {
  const key = Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('latin1')
  if (key.length !== UUID_BYTES) throw new RangeError(`Not a uuid: ${uuid.slice(0, 100)}`)
  return key
}

/** The keys of a batch's links, in order. */
export function linkKeys({ uuids, count }: Links): string[] {
  return Array.from({ length: count }, (_, link) =>
    uuids.toString('latin1', link * UUID_BYTES, (link + 1) * UUID_BYTES),
  )
}

export function uuidText(bytes: Buffer, at = 0): string {
  const hex = bytes.toString('hex', at, at + UUID_BYTES)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

type Width = 1 | 2 | 4

/** Bytes that an index into this many entries needs. */
function widthOf(entries: number): Width {
  if (entries <= 256) return 1
  return entries <= 65_536 ? 2 : 4
}

const align = (at: number): number => Math.ceil(at / 4) * 4

/** Copies bytes that are not aligned to four, because typed arrays need aligned buffers. */
function aligned(bytes: Uint8Array): Buffer<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes
  if (byteOffset % 4 === 0 && buffer instanceof ArrayBuffer) return Buffer.from(buffer, byteOffset, length)
  return Buffer.from(Uint8Array.from(bytes).buffer)
}

function bytesOf(numbers: Indexes): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}
