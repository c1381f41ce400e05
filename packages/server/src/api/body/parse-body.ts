import { UploadedFile } from '@waymark/contract'
import { BODY_LIMITS, BodyError, MAX_LEVELS, MAX_VALUES } from './body-limits.ts'
import type { RawPart } from './multipart.ts'
import type { RawBody } from './read-body.ts'

/** Violates every string rule, so that the schema rejects the field by name. */
const UNREADABLE = '\ud800'

const formText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a body of any kind into an object. Call it only after the signature has been verified. */
export function parseBody(raw: RawBody): Record<string, unknown> {
  if (raw.kind === 'json') return parseJsonBody(raw.bytes)
  if (raw.kind === 'urlencoded') return parseUrlencoded(raw.bytes)
  return parseMultipart(raw.kind === 'multipart' ? raw.parts : [])
}

function parseMultipart(parts: readonly RawPart[]): Record<string, unknown> {
  const fields = new FormFields()
  for (const part of parts) {
    if (part.filename === undefined) fields.add(part.name, textOf(part))
    else if (part.filename !== '' || part.size > 0)
      fields.add(part.name, new UploadedFile({ ...part, filename: part.filename }))
    // A browser sends an empty file for an unused file input: skip it in a list, and read it as null for a single field.
    else if (!part.name.endsWith('[]')) fields.add(part.name, null)
  }
  return fields.toObject()
}

function textOf(part: RawPart): string | null {
  if (part.dropped) return UNREADABLE
  return decode(part.text, part.size > part.text.length)
}

function parseUrlencoded(bytes: Buffer): Record<string, unknown> {
  const fields = new FormFields()
  let pairs = 0
  for (let start = 0; start < bytes.length;) {
    const ampersand = bytes.indexOf('&', start)
    const end = ampersand === -1 ? bytes.length : ampersand
    if (end > start) {
      if (++pairs > BODY_LIMITS.fields) {
        throw new BodyError('too_many_parts', `More than ${BODY_LIMITS.fields} fields`)
      }
      const pair = bytes.subarray(start, end)
      const equals = pair.indexOf('=')
      const name = unescapeForm(equals === -1 ? pair : pair.subarray(0, equals))
      const value = equals === -1 ? Buffer.alloc(0) : unescapeForm(pair.subarray(equals + 1))
      fields.add(name.toString('utf8'), decode(value, false))
    }
    start = end + 1
  }
  return fields.toObject()
}

/** `+` is a space, `%41` a byte, and a percent sign without two digits stays as it is. */
function unescapeForm(text: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    let byte = text[at] ?? 0
    if (byte === 0x2b) byte = 0x20
    else if (byte === 0x25) {
      const value = hexDigit(text[at + 1]) * 16 + hexDigit(text[at + 2])
      if (!Number.isNaN(value)) {
        byte = value
        at += 2
      }
    }
    bytes[length++] = byte
  }
  return bytes.subarray(0, length)
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}

/** Text of a form: empty is null. In truncated text the last character may be incomplete. */
function decode(bytes: Buffer, cut: boolean): string | null {
  if (bytes.length === 0) return null
  try {
    return cut
      ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
      : formText.decode(bytes)
  } catch {
    return UNREADABLE
  }
}

type FormValue = string | null | UploadedFile

/**
 * Combines fields with bracket names into one object, in the order sent:
 *
 * - `a[]` adds an item; `a[][k]` fills the last item, and starts the next one if that already has `k`;
 *   with nested lists (`a[][][k]`) the innermost continues.
 * - `a[k]` is a property. If every key is a number, the result is a list in that order without gaps, so that an
 *   index is never a size; items sent as `a[]` as well come after.
 * - If names contradict each other (`a` and `a[b]`, `a[]` and `a[b]`, `a` and `a`), the last one counts; inside a
 *   list, the contradiction starts the next item.
 * - Unpaired brackets (`a[b`, `a]`, `[a]`, `a[b]c`) are ordinary characters of a plain name.
 * - An empty name is ignored, because no field has it.
 */
export class FormFields {
  readonly #root = new Branch()

  add(name: string, value: FormValue): void {
    const path = pathOf(name)
    if (path.length > MAX_LEVELS) throw new BodyError('too_deep', `More than ${MAX_LEVELS} levels of nesting`)
    if (name === '') return
    let branch = this.#root
    for (const [index, step] of path.entries()) {
      const rest = path.slice(index + 1)
      branch.admit(step)
      if (rest.length === 0) {
        branch.put(step, value)
        return
      }
      const child = branch.get(step)
      const goesOn = child instanceof Branch && (step !== ITEM || accepts(child, rest))
      branch = goesOn ? child : branch.put(step, new Branch())
    }
  }

  toObject(): Record<string, unknown> {
    return this.#root.toObject()
  }
}

/** The name of the step `[]`: keys are never empty, because an empty pair of brackets is this step. */
const ITEM = ''

type Node = FormValue | Branch

class Branch {
  readonly #keyed = new Map<string, Node>()
  readonly #items: Node[] = []
  #numbered = true

  /** Drops what contradicts the next step. */
  admit(step: string): void {
    if (step === ITEM && !this.#numbered) {
      this.#keyed.clear()
      this.#numbered = true
    }
    if (step !== ITEM && !/^\d+$/.test(step)) {
      this.#items.length = 0
      this.#numbered = false
    }
  }

  has(step: string): boolean {
    return step === ITEM ? this.#items.length > 0 : this.#keyed.has(step)
  }

  /** Whether a step does not contradict earlier ones. */
  agrees(step: string): boolean {
    if (step === ITEM) return this.#numbered
    return this.#items.length === 0 || /^\d+$/.test(step)
  }

  get(step: string): Node | undefined {
    return step === ITEM ? this.#items.at(-1) : this.#keyed.get(step)
  }

  put<N extends Node>(step: string, node: N): N {
    if (step === ITEM) this.#items.push(node)
    else this.#keyed.set(step, node)
    return node
  }

  toValue(): unknown {
    return this.#numbered ? this.#toList() : this.toObject()
  }

  toObject(): Record<string, unknown> {
    const object: Record<string, unknown> = Object.create(null)
    for (const [key, node] of this.#keyed) object[key] = valueOf(node)
    return object
  }

  #toList(): unknown[] {
    const numbered = [...this.#keyed].map(([key, node]) => ({ index: key.replace(/^0+(\d)/, '$1'), node }))
    // Compared as text, because an index may have more digits than a number can represent.
    numbered.sort(
      (a, b) => a.index.length - b.index.length || (a.index < b.index ? -1 : Number(a.index > b.index)),
    )
    return [...numbered.map(({ node }) => node), ...this.#items].map(valueOf)
  }
}

function valueOf(node: Node): unknown {
  return node instanceof Branch ? node.toValue() : node
}

/** Whether an item of a list can take a value at that path; otherwise the value belongs to the next item. */
function accepts(item: Branch, path: readonly string[]): boolean {
  const [step, ...rest] = path
  if (step === undefined) return false
  if (!item.agrees(step)) return false
  if (step === ITEM || !item.has(step)) return true
  const child = item.get(step)
  return child instanceof Branch && accepts(child, rest)
}

/** Stops at too many steps, because a name can be as long as a body. */
function pathOf(name: string): string[] {
  const open = name.indexOf('[')
  const base = name.slice(0, open)
  if (open < 1 || base.includes(']')) return [name]
  const path = [base]
  for (let at = open; at < name.length && path.length <= MAX_LEVELS;) {
    const close = name.indexOf(']', at)
    const step = name.slice(at + 1, close)
    if (name[at] !== '[' || close === -1 || step.includes('[')) return [name]
    path.push(step)
    at = close + 1
  }
  return path
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const OPEN_BRACE = 0x7b
const CLOSE_BRACKET = 0x5d
const CLOSE_BRACE = 0x7d
const COMMA = 0x2c

const jsonText = new TextDecoder('utf-8', { fatal: true })

function parseJsonBody(bytes: Buffer): Record<string, unknown> {
  rejectExcess(bytes)
  let value: unknown
  try {
    value = JSON.parse(jsonText.decode(bytes))
  } catch (error) {
    throw new BodyError('malformed', 'The body is not JSON', { cause: error })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BodyError('not_an_object', 'The body is not a JSON object')
  }
  // A field called `__proto__` is an own property here and unknown to every schema: validation reports and removes it. Until
  // then fields are copied by spreading or into objects without a prototype, never assigned to `{}`.
  return value as Record<string, unknown>
}

/** Before JSON.parse: deep nesting attacks its recursion, and a million objects of two bytes block the thread. */
function rejectExcess(bytes: Buffer): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === COMMA) values++
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      values++
      if (++depth > MAX_LEVELS) throw new BodyError('too_deep', `More than ${MAX_LEVELS} levels of nesting`)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
    if (values > MAX_VALUES) throw new BodyError('too_many_values', `More than ${MAX_VALUES} values`)
  }
}

function endOfString(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) return at
    if (bytes[at] === BACKSLASH) at++
  }
  return bytes.length
}
