import { noPause, type Pause } from '../../work/v8/counting-pauses.ts'
import {
  BOT,
  FIRST_OF_RESOURCE,
  FIRST_OF_USER,
  KIND_BITS,
  KINDS,
  type KeptClick,
  SCANNED,
  TEXT_FIELDS,
  type TextField,
} from './kept-click.ts'
import { align, aligned, numbersAt, type PackedNumbers, type Width, widthBelow } from './packed-numbers.ts'

/** One field of all clicks: the different texts, and which of them each click has. */
export interface TextColumn {
  readonly texts: readonly string[]
  /** `undefined`: all clicks have the first text. */
  readonly indexes: PackedNumbers | undefined
}

/** Clicks of one user on one day, field by field: filters read only the fields that they are about. */
export interface Batch {
  readonly clicks: number
  /** Milliseconds since the beginning of the day. */
  readonly times: Uint32Array
  readonly flags: Uint8Array
  readonly columns: Readonly<Record<TextField, TextColumn>>
}

type PackedFields = Readonly<Record<TextField, string>> & Pick<KeptClick, 'atMs'>
type ClickFlags = Pick<KeptClick, 'kind' | 'bot' | 'scanned'> &
  Partial<Pick<KeptClick, 'firstOfResource' | 'firstOfUser'>>

const VERSION = 2
const HEADER_BYTES = 12

/**
 * Packs clicks of one day: a header (version, number of clicks, length of the texts), the texts as JSON, padding to four
 * bytes, the times, then for each field that has several texts the numbers of the texts, then the flags as the last bytes.
 * About 20 bytes a click, a tenth of what a row of its own takes.
 */
export function packBatch(
  clicks: readonly PackedFields[],
  dayMs: number,
  flagOf: (at: number) => number,
  pause: Pause = noPause,
): Buffer {
  const columns = TEXT_FIELDS.map((field) => {
    pause()
    return numbered(clicks, field)
  })
  const json = Buffer.from(JSON.stringify(columns.map(({ texts }) => texts)))
  const textBytes = align(HEADER_BYTES + json.length) - HEADER_BYTES
  const perClick = 5 + columns.reduce((sum, { texts }) => sum + widthOf(texts.length), 0)
  const padding = 4 * columns.length
  const bytes = Buffer.alloc(HEADER_BYTES + textBytes + clicks.length * perClick + padding)
  bytes.writeUInt32LE(VERSION, 0)
  bytes.writeUInt32LE(textBytes, 4)
  bytes.writeUInt32LE(clicks.length, 8)
  bytes.fill(0x20, HEADER_BYTES, HEADER_BYTES + textBytes)
  json.copy(bytes, HEADER_BYTES)
  let at = HEADER_BYTES + textBytes
  // `Buffer.alloc` gives every buffer memory of its own, so what is a multiple of four here is one there.
  const times = new Uint32Array(bytes.buffer, bytes.byteOffset + at, clicks.length)
  for (let number = 0; number < clicks.length; number++) times[number] = clicks[number]!.atMs - dayMs
  at += 4 * clicks.length
  for (const { texts, numbers } of columns) {
    const width = widthOf(texts.length)
    if (width === 0) continue
    pause()
    at = align(at)
    numbersAt(bytes.buffer, bytes.byteOffset + at, clicks.length, width).set(numbers)
    at += width * clicks.length
  }
  for (let number = 0; number < clicks.length; number++) bytes[at + number] = flagOf(number)
  return bytes.subarray(0, at + clicks.length)
}

export function packClicks(clicks: readonly KeptClick[], dayMs: number): Buffer {
  return packBatch(clicks, dayMs, (at) => flagsOf(clicks[at]!))
}

/** The clicks of a packed batch; a `RangeError` or `SyntaxError` for bytes that are none. */
export function unpackBatch(packed: Uint8Array): Batch {
  const bytes = aligned(packed)
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  if (header.getUint32(0, true) !== VERSION) throw new RangeError('Clicks of a version that is not known')
  const textBytes = header.getUint32(4, true)
  const clicks = header.getUint32(8, true)
  const json = Buffer.from(bytes.buffer, bytes.byteOffset + HEADER_BYTES, textBytes).toString()
  const texts = JSON.parse(json) as string[][]
  let at = HEADER_BYTES + textBytes
  const times = new Uint32Array(bytes.buffer, bytes.byteOffset + at, clicks)
  at += 4 * clicks
  const columns = TEXT_FIELDS.map((field, number): [TextField, TextColumn] => {
    const own = texts[number] ?? []
    const width = widthOf(own.length)
    if (width === 0) return [field, { texts: own, indexes: undefined }]
    at = align(at)
    const indexes = numbersAt(bytes.buffer, bytes.byteOffset + at, clicks, width)
    at += width * clicks
    return [field, { texts: own, indexes }]
  })
  const flags = new Uint8Array(bytes.buffer, bytes.byteOffset + at, clicks)
  return { clicks, times, flags, columns: Object.fromEntries(columns) as Record<TextField, TextColumn> }
}

/** One by one, for what needs whole clicks. */
export function* clicksOf({ clicks, times, flags, columns }: Batch, dayMs: number): Generator<KeptClick> {
  const textOf = (field: TextField, at: number): string => {
    const { texts, indexes } = columns[field]
    return texts[indexes?.[at] ?? 0] ?? ''
  }
  for (let at = 0; at < clicks; at++) {
    const flag = flags[at] ?? 0
    const texts = Object.fromEntries(TEXT_FIELDS.map((field) => [field, textOf(field, at)]))
    yield {
      ...(texts as Record<TextField, string>),
      atMs: dayMs + (times[at] ?? 0),
      kind: KINDS[flag & KIND_BITS] ?? 'link',
      bot: (flag & BOT) !== 0,
      firstOfResource: (flag & FIRST_OF_RESOURCE) !== 0,
      firstOfUser: (flag & FIRST_OF_USER) !== 0,
      scanned: (flag & SCANNED) !== 0,
    }
  }
}

function numbered(
  clicks: readonly PackedFields[],
  field: TextField,
): { texts: string[]; numbers: Uint32Array } {
  const known = new Map<string, number>()
  const numbers = new Uint32Array(clicks.length)
  let last: string | undefined
  let number = 0
  for (let at = 0; at < clicks.length; at++) {
    const text = clicks[at]![field]
    // Most fields have the same text for most clicks.
    if (text !== last) {
      last = text
      const found = known.get(text)
      number = found ?? known.size
      if (found === undefined) known.set(text, number)
    }
    numbers[at] = number
  }
  return { texts: [...known.keys()], numbers }
}

/** Everything of a click that is no text, in one byte. */
export function flagsOf({ kind, bot, firstOfResource, firstOfUser, scanned }: ClickFlags): number {
  return (
    KINDS.indexOf(kind) +
    (bot ? BOT : 0) +
    (firstOfResource === true ? FIRST_OF_RESOURCE : 0) +
    (firstOfUser === true ? FIRST_OF_USER : 0) +
    (scanned ? SCANNED : 0)
  )
}

/** Bytes of the number of a text; of one text alone there is nothing to say. */
const widthOf = (texts: number): 0 | Width => (texts <= 1 ? 0 : widthBelow(texts))
