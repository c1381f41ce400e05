import { crc32 } from 'node:zlib'
import { shortUtmQuery } from '../attributes/headers.ts'

/** What was requested: a short link, a page, or something on a page. */
export type ClickKind = 'link' | 'page' | 'button' | 'icon'

/** One request as it is spooled. Country, device and so on are derived later. */
export interface Click {
  readonly atMs: number
  readonly kind: ClickKind
  /** uuid of the link or page. */
  readonly resourceUuid: string
  /** The button or icon; empty otherwise. */
  readonly detail: string
  readonly address: string
  readonly userAgent: string
  readonly referrer: string
  /** The browser prefetched it. */
  readonly prefetch: boolean
  /** Used up a redirect of a click limit, so it counts as a click for any client. */
  readonly limited?: boolean
  /** The rule that chose the destination: its index in the list, or `ios` or `android`. */
  readonly rule?: string
  /** The name of the variant that the visitor was sent to. */
  readonly variant?: string
  /** The header as it was sent. */
  readonly acceptLanguage?: string | undefined
  /** The query of the destination, if it has UTM parameters. */
  readonly utmQuery?: string | undefined
  /** The visitor scanned a code: the short link was opened with `?qr`. */
  readonly scanned?: boolean | undefined
}

/** The first bytes of every spool file; the digit is the version of the format. */
export const FILE_HEADER = Buffer.from('WAYMARK-SPOOL 1\n', 'latin1')
export const FRAME_HEADER_BYTES = 12
const FRAME_MARK = Buffer.from('WMF1', 'latin1')
const MAX_FRAME_BYTES = 64 * 1024 * 1024

const MAX_USER_AGENT_CHARS = 512
const MAX_REFERRER_CHARS = 300
const MAX_ADDRESS_CHARS = 64
const MAX_DETAIL_CHARS = 128
const MAX_LANGUAGE_CHARS = 64
/** Longer queries are reduced to their UTM parameters. */
const MAX_QUERY_CHARS = 600
// HTTP header values cannot contain either, and the other fields do not, so nothing needs escaping.
const FIELD_END = '\x01'
const RECORD_END = '\n'
const PREFETCH_MARK = 'p'
const LIMITED_MARK = 'm'
const RULE = 'r'
const VARIANT = 'v'
const LANGUAGE = 'l'
const UTM = 'u'
const SCANNED = 'q'
const UUID = /^[0-9a-f-]{36}$/
const MAX_TIME_MS = 8_640_000_000_000_000
const NOT_PLAIN = /[^\x20-\x7e]/g

const kindLetters: Record<ClickKind, string> = { link: 'l', page: 'p', button: 'b', icon: 'i' }
const letterKinds = new Map(Object.entries(kindLetters).map(([kind, letter]) => [letter, kind as ClickKind]))

/** One record as a string with one byte per character. */
export function encodeClick(click: Click): string {
  const { userAgent, referrer, address, detail } = click
  return (
    `${click.atMs}${FIELD_END}${kindLetters[click.kind]}${markOf(click)}${FIELD_END}${click.resourceUuid}` +
    FIELD_END +
    (detail === '' ? detail : detail.slice(0, MAX_DETAIL_CHARS).replace(NOT_PLAIN, '?')) +
    FIELD_END +
    (address.length > MAX_ADDRESS_CHARS ? address.slice(0, MAX_ADDRESS_CHARS) : address) +
    FIELD_END +
    (userAgent.length > MAX_USER_AGENT_CHARS ? userAgent.slice(0, MAX_USER_AGENT_CHARS) : userAgent) +
    FIELD_END +
    (referrer.length > MAX_REFERRER_CHARS ? referrer.slice(0, MAX_REFERRER_CHARS) : referrer) +
    (click.rule === undefined ? '' : namedField(RULE, click.rule)) +
    (click.variant === undefined ? '' : namedField(VARIANT, click.variant)) +
    plainField(LANGUAGE, click.acceptLanguage?.slice(0, MAX_LANGUAGE_CHARS)) +
    plainField(UTM, utmQueryOf(click)) +
    (click.scanned === true ? FIELD_END + SCANNED : '') +
    RECORD_END
  )
}

function markOf({ limited, prefetch }: Click): string {
  if (limited === true) return LIMITED_MARK
  return prefetch ? PREFETCH_MARK : ''
}

/** Optional fields come last: a letter, then the value, URL-encoded because it can be text in any script. */
function namedField(letter: string, value: string): string {
  return `${FIELD_END}${letter}${encodeURIComponent(value)}`
}

/** Header values and normalised URLs are ASCII without control characters, so they are not encoded. */
function plainField(letter: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : FIELD_END + letter + value
}

/** Most queries are short, and parsed only by the counting thread. */
const utmQueryOf = ({ utmQuery }: Click): string | undefined =>
  utmQuery !== undefined && utmQuery.length > MAX_QUERY_CHARS ? shortUtmQuery(utmQuery) : utmQuery

function readNamed(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

type Changeable<T> = { -readonly [key in keyof T]: T[key] }

/** Reads the optional fields; the first of each kind counts. */
function readExtraFields(click: Changeable<Click>, fields: readonly string[]): void {
  for (const field of fields) {
    const [letter, text] = [field[0], field.slice(1)]
    if (letter === RULE) setOnce(click, 'rule', readNamed(text))
    else if (letter === VARIANT) setOnce(click, 'variant', readNamed(text))
    else if (letter === LANGUAGE) setOnce(click, 'acceptLanguage', text)
    else if (letter === UTM) setOnce(click, 'utmQuery', text)
    else if (field === SCANNED) click.scanned = true
  }
}

function setOnce(
  click: Changeable<Click>,
  name: 'rule' | 'variant' | 'acceptLanguage' | 'utmQuery',
  value: string | undefined,
): void {
  if (value !== undefined) click[name] ??= value
}

/**
 * Ignores further fields, so that this version can read records of later ones. Searching for the ends of the fields takes
 * half as long as splitting the line.
 */
function decodeClick(line: string): Click | undefined {
  const afterTime = endOfField(line, 0)
  const afterKind = endOfField(line, afterTime + 1)
  const afterUuid = endOfField(line, afterKind + 1)
  const afterDetail = endOfField(line, afterUuid + 1)
  const afterAddress = endOfField(line, afterDetail + 1)
  const afterAgent = endOfField(line, afterAddress + 1)
  // A required field is missing.
  if (afterAgent >= line.length) return undefined
  const afterReferrer = endOfField(line, afterAgent + 1)
  const kind = letterKinds.get(line[afterTime + 1]!)
  const mark = afterKind - afterTime > 2 ? line[afterTime + 2] : ''
  const atMs = Number(line.slice(0, afterTime))
  const resourceUuid = line.slice(afterKind + 1, afterUuid)
  if (kind === undefined || !isTime(atMs) || !UUID.test(resourceUuid)) return undefined
  const click: Changeable<Click> = {
    atMs,
    kind,
    resourceUuid,
    detail: line.slice(afterUuid + 1, afterDetail),
    address: line.slice(afterDetail + 1, afterAddress),
    userAgent: line.slice(afterAddress + 1, afterAgent),
    referrer: line.slice(afterAgent + 1, afterReferrer),
    prefetch: mark === PREFETCH_MARK,
  }
  if (mark === LIMITED_MARK) click.limited = true
  if (afterReferrer < line.length) readExtraFields(click, line.slice(afterReferrer + 1).split(FIELD_END))
  return click
}

/** True for a valid date; an empty field reads as 0. */
const isTime = (ms: number): boolean => Number.isInteger(ms) && ms > 0 && ms <= MAX_TIME_MS

/** The end of the field that begins here. */
function endOfField(line: string, from: number): number {
  const end = line.indexOf(FIELD_END, from)
  return end === -1 ? line.length : end
}

/** Writes the header of a frame whose payload begins `FRAME_HEADER_BYTES` after it. */
export function sealFrame(buffer: Buffer, payloadBytes: number): void {
  FRAME_MARK.copy(buffer, 0)
  buffer.writeUInt32BE(payloadBytes, 4)
  const payload = buffer.subarray(FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + payloadBytes)
  buffer.writeUInt32BE(crc32(payload), 8)
}

/** An empty frame marks the end of a file. */
export const END_FRAME = Buffer.alloc(FRAME_HEADER_BYTES)
sealFrame(END_FRAME, 0)

export interface Decoded {
  readonly clicks: Click[]
  /** The writer has marked the end of the file. */
  readonly ended: boolean
  /** Position up to which the bytes were decoded; the rest may still be being written. */
  readonly consumedBytes: number
  /** Bytes that are not part of a valid frame, and invalid records. */
  readonly damagedBytes: number
}

/**
 * Reads whole frames. A frame is one write, so a killed process leaves at most an incomplete last frame. Damage before that
 * is skipped up to the next valid frame.
 */
export function decodeFrames(bytes: Buffer, maxClicks: number): Decoded {
  const clicks: Click[] = []
  let offset = 0
  let damagedBytes = 0
  let ended = false
  while (clicks.length < maxClicks) {
    const end = frameEnd(bytes, offset)
    if (end !== undefined) {
      ended = end === offset + FRAME_HEADER_BYTES
      damagedBytes += readPayload(bytes.toString('latin1', offset + FRAME_HEADER_BYTES, end), clicks)
      offset = end
      continue
    }
    const next = nextSoundFrame(bytes, offset + 1)
    if (next === undefined) break
    damagedBytes += next - offset
    offset = next
  }
  return { clicks, ended, consumedBytes: offset, damagedBytes }
}

function readPayload(payload: string, clicks: Click[]): number {
  let damagedBytes = 0
  for (let from = 0; from < payload.length;) {
    const end = payload.indexOf(RECORD_END, from)
    const to = end === -1 ? payload.length : end
    const click = to === from ? undefined : decodeClick(payload.slice(from, to))
    if (click === undefined) damagedBytes += to - from
    else clicks.push(click)
    from = to + 1
  }
  return damagedBytes
}

function frameEnd(bytes: Buffer, offset: number): number | undefined {
  const start = offset + FRAME_HEADER_BYTES
  if (start > bytes.length || bytes.compare(FRAME_MARK, 0, 4, offset, offset + 4) !== 0) return undefined
  const end = start + bytes.readUInt32BE(offset + 4)
  if (end > bytes.length || end - start > MAX_FRAME_BYTES) return undefined
  return crc32(bytes.subarray(start, end)) === bytes.readUInt32BE(offset + 8) ? end : undefined
}

function nextSoundFrame(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(FRAME_MARK, from); at !== -1; at = bytes.indexOf(FRAME_MARK, at + 1)) {
    if (frameEnd(bytes, at) !== undefined) return at
  }
  return undefined
}
