import { hasControls, type OperationName, type PreparedImage, type UploadedFile } from '@waymark/contract'
import {
  acceptingStored,
  type FieldErrors,
  type JsonSchema,
  jsonSchemaOf,
  type OperationSchemas,
  schemas,
  validate,
} from '@waymark/contract/schemas'
import { prepareUploads } from '../../imaging/uploads/images.ts'
import { rejectInvalid } from '../../net/errors.ts'
import { longWork } from '../../work/turns.ts'
import { parseBody } from '../body/parse-body.ts'
import type { RawBody } from '../body/read-body.ts'
import { type Call, inLane, type RequestFields, type Step } from '../call.ts'
import type { Context, PartialContext, Routes } from '../routes.ts'
import { type RateLimits, spendPixels } from './rate-limit.ts'
import { coerceForm, MOST_NAMED, unknownFields, wantedUploads } from '../body/schema-fields.ts'

export interface FieldDependencies {
  /** Every operation; an edit uses them to read its resource. */
  readonly routes: Routes
  readonly limits: RateLimits
}

/** Parses and validates the fields. Rejections report all invalid fields at once. */
export const readFields = ({ routes, limits }: FieldDependencies): Step => {
  const readers = new Map(routes.map(({ name }) => [name, new FieldReader(schemas[name])]))
  return async (call, next) => {
    const { route, raw, request, caller, facts } = call
    const reader = readers.get(route.name)
    if (reader === undefined) throw new Error(`There are no fields of ${route.name}`)
    const { alsoInvalid } = route.handler
    call.fields = await inLane(route, () =>
      reader.read({
        raw,
        query: queryOf(call),
        strict: isStrict(request.headers.prefer),
        spendPixels: (pixels) => spendPixels(limits, caller?.workspaceUuid, pixels),
        present: presentFor(call, routes),
        alsoInvalid: async (body) => {
          const context = { caller, body, request: facts } as object as PartialContext<OperationName>
          return (await alsoInvalid?.(context)) ?? {}
        },
      }),
    )
    return next()
  }
}

/** Reads name their workspace in the query, which is not a field. */
function queryOf({ request: { query }, isWrite, operation }: Call): Fields {
  if (isWrite || operation.auth === 'none') return query as Fields
  const { workspace: _workspace, ...others } = query as Fields
  return others
}

/** Reads the resource of an edit, as its own operation returns it. */
export function presentFor({ operation, caller, facts }: Call, routes: Routes) {
  const reader = routes.find(({ name }) => name === operation.edits)
  if (reader === undefined || caller === undefined) return undefined
  return async ({ uuid, name }: Fields): Promise<Fields | undefined> => {
    const query = typeof uuid === 'string' ? { uuid } : {}
    const context = { caller, query, request: facts } as unknown as Context<OperationName>
    const { payload } = await reader.handler.run(context, await reader.handler.prepare(context))
    if (!('data' in payload)) return undefined
    const rows = [payload.data ?? []].flat() as readonly Fields[]
    // Domains are identified by name.
    return rows.find((row) => (uuid === undefined ? row['name'] === name : row['uuid'] === uuid))
  }
}

/** Larger bodies take milliseconds to parse and validate, which would block redirects. */
const SMALL_BODY_BYTES = 16 * 1024

/** Size of a picture that is decoded only to check it. */
const CHECKED_SIDE = 64

type Fields = Readonly<Record<string, unknown>>

interface RequestParts {
  readonly raw: RawBody | undefined
  readonly query: Fields
  /** Unknown fields are errors. */
  readonly strict: boolean
  /** Counts the pixels of pictures against the caller's budget; throws if it is used up. */
  readonly spendPixels: (pixels: number) => Promise<void>
  /** For an edit: the resource as responses show it, if it exists. */
  readonly present?: ((body: Fields) => Promise<Fields | undefined>) | undefined
  /** Checks fields that the schema accepts; called only if it rejects others. */
  readonly alsoInvalid?: ((body: Fields) => Promise<FieldErrors>) | undefined
}

interface Judged {
  readonly value?: unknown
  readonly errors?: FieldErrors
  readonly unknown: readonly string[]
  /** The fields as they were sent. */
  readonly fields?: Fields
  /** Valid pictures that still have to be encoded for storage. */
  readonly checked?: readonly UploadedFile[] | undefined
}

/** Reads the fields of requests to one operation; reports all invalid fields at once, and lists unknown ones. */
export class FieldReader {
  readonly #schemas: OperationSchemas
  #bodySchema: JsonSchema | undefined
  #responseFields: ReadonlySet<string> | undefined

  constructor(schemas: OperationSchemas) {
    this.#schemas = schemas
  }

  async read({
    raw,
    query,
    strict,
    spendPixels,
    present,
    alsoInvalid,
  }: RequestParts): Promise<RequestFields> {
    const body: Judged = raw === undefined ? { unknown: [] } : await this.#readBody(raw, spendPixels, present)
    const asked = this.#readQuery(query)
    const ignored = [...body.unknown, ...asked.unknown]
    // Clients choose the names of unknown fields, and an object with a prototype has a `constructor` already.
    const errors: FieldErrors = Object.assign(Object.create(null), asked.errors, body.errors)
    if (strict) for (const name of ignored) (errors[name] ??= []).push(this.#whyIgnored(name))
    if (Object.keys(errors).length > 0)
      Object.assign(errors, await alsoInvalid?.(accepted(body.fields ?? {}, errors, this.#hasOnlyLists)))
    rejectInvalid(errors)
    if (body.checked !== undefined) await prepareUploads(body.checked, { spend: spendPixels })
    return { body: body.value, query: asked.value, ignored }
  }

  /** Whether the body is lists of resources, whose items do not depend on each other. */
  get #hasOnlyLists(): boolean {
    const fields = Object.values((this.#bodySchema?.['properties'] ?? {}) as Record<string, JsonSchema>)
    return fields.every(({ type }) => type === 'array')
  }

  /** A response field that the body does not accept is read-only. */
  #whyIgnored(name: string): string {
    this.#responseFields ??= fieldsOfData(jsonSchemaOf(this.#schemas.response, 'output'))
    return this.#responseFields.has(name) ? 'This field is read only' : 'This field is not known'
  }

  #readQuery(sent: Fields): Judged {
    const { query } = this.#schemas
    const unknown = Object.keys(sent).filter(
      (name) => query === undefined || !Object.hasOwn(query.shape, name),
    )
    return { ...(query && judged(validate(query, sent))), unknown }
  }

  async #readBody(
    raw: RawBody,
    spendPixels: RequestParts['spendPixels'],
    present: RequestParts['present'],
  ): Promise<Judged> {
    const { body } = this.#schemas
    const isLarge = bytesOf(raw) > SMALL_BODY_BYTES
    const inTurn = <T>(step: () => T | Promise<T>): T | Promise<T> =>
      isLarge ? longWork.run(async () => step()) : step()
    const parsed = await inTurn(() => parseBody(raw))
    if (body === undefined) return { unknown: Object.keys(parsed) }
    const schema = (this.#bodySchema ??= jsonSchemaOf(body, 'input'))
    const isForm = raw.kind !== 'json' && raw.kind !== 'none'
    // JSON values have types, and cannot be files.
    const fields = isForm ? (coerceForm(schema, parsed) as Fields) : parsed
    const files = isForm ? wantedUploads(schema, parsed) : []
    const checked =
      files.length > 0 ? await inTurn(() => this.#prepare(files, fields, spendPixels)) : undefined
    const listed = await validateInSlices(body, schema, fields)
    const result = { ...(listed ?? judged(await inTurn(() => validate(body, fields)))), checked }
    const unknown = listed?.unknown ?? (await inTurn(() => unknownFields(schema, fields)))
    const isRight = unknown.length === 0 && result.errors === undefined
    if (isRight || present === undefined) return { ...result, unknown, fields }
    const own = await present(fields)
    return acceptingStored(textsWithControls(own), () => {
      const again = result.errors === undefined ? result : { ...judged(validate(body, fields)), checked }
      return this.#withoutSentBack(fields, { ...again, unknown, fields }, own)
    })
  }

  /**
   * Decodes pictures. If another field is invalid, pictures are only checked, because all errors are reported at once and
   * encoding takes longer than decoding; returns those to encode later.
   */
  async #prepare(
    files: readonly UploadedFile[],
    fields: Fields,
    spend: RequestParts['spendPixels'],
  ): Promise<readonly UploadedFile[] | undefined> {
    const { body } = this.#schemas
    const isRight = body === undefined || assumingWhole(files, () => validate(body, fields).ok)
    await prepareUploads(files, isRight ? { spend } : { spend, maxSide: CHECKED_SIDE })
    return isRight ? undefined : files
  }

  /**
   * Fields of the resource that are sent back unchanged: read-only fields are accepted, and the values of others need not pass
   * the rules for new values (the address of a stored file, a date that has passed).
   */
  #withoutSentBack(fields: Fields, sent: Judged, present: Fields | undefined): Judged {
    const isSame = (name: string): boolean =>
      present !== undefined && Object.hasOwn(present, name) && isUnchanged(name, fields[name], present[name])
    const unknown = sent.unknown.filter((name) => !isSame(name))
    if (sent.errors === undefined) return { ...sent, unknown }
    // An invalid value that the resource has as well, such as the null of a page without a gradient, is from a response.
    const isWhole =
      unknown.length < sent.unknown.length ||
      Object.keys(sent.errors).some((path) => path.includes('.') && isSameAt(path, fields, present))
    const isLeftOut = isWhole ? isSame : (name: string) => isSame(name) && this.#isWrongAlone(name, fields)
    const changes = Object.fromEntries(
      Object.entries(fields).filter(([name]) => name === 'uuid' || !isLeftOut(name)),
    )
    return { ...this.#judgeChanges(changes, fields), unknown, fields, checked: sent.checked }
  }

  /** Whether a field breaks its own rule, rather than one about several fields. */
  #isWrongAlone(name: string, fields: Fields): boolean {
    const { body } = this.#schemas
    const { errors = {} } = body === undefined ? {} : judged(validate(body, { [name]: fields[name] }))
    return Object.keys(errors).some((path) => path.split('.', 1)[0] === name)
  }

  /** Validates only the changes, and fields that every edit requires. */
  #judgeChanges(changes: Fields, fields: Fields): Omit<Judged, 'unknown'> {
    const { body } = this.#schemas
    if (body === undefined) return {}
    const alone = judged(validate(body, changes))
    const missing = Object.keys(alone.errors ?? {}).filter(
      (name) => Object.hasOwn(fields, name) && !Object.hasOwn(changes, name),
    )
    if (missing.length === 0) return alone
    const needed = Object.fromEntries(missing.map((name) => [name, fields[name]]))
    return judged(validate(body, { ...changes, ...needed }))
  }
}

/** Texts of a resource, also inside its fields, that are from before the rules about control characters. */
function textsWithControls(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string' && hasControls(value)) found.add(value)
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) textsWithControls(part, found)
  return found
}

/** Whether a value inside a field equals that of the resource. */
function isSameAt(path: string, fields: Fields, present: Fields | undefined): boolean {
  let [sent, own]: [unknown, unknown] = [fields, present]
  for (const name of path.split('.')) {
    if (!isInside(name, sent) || !isInside(name, own)) return false
    ;[sent, own] = [sent[name], own[name]]
  }
  return isUnchanged('', sent, own)
}

const isInside = (name: string, value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)

/** The fields without errors. Lists of resources stay, with their invalid items: the others may be invalid for other reasons. */
const accepted = (fields: Fields, errors: FieldErrors, hasOnlyLists: boolean): Fields => {
  const paths = Object.keys(errors).filter((path) => !hasOnlyLists || !path.includes('.'))
  const rejected = new Set(paths.map((path) => path.split('.', 1)[0]))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !rejected.has(name)))
}

type Described = Readonly<Record<string, unknown>> | undefined

/** The names of the fields in a response's `data`, or in each item of it. */
const fieldsOfData = (response: JsonSchema): ReadonlySet<string> => {
  const data = (response['properties'] as Described)?.['data'] as Described
  const item = (data?.['items'] ?? data) as Described
  return new Set(Object.keys((item?.['properties'] as Described) ?? {}))
}

/** Items of a long list that are validated before checking the time. */
const SLICE_ITEMS = 20

/**
 * Validates a body that is one long list, such as a thousand new links, spread over several turns of the event loop.
 * Undefined for other bodies.
 */
async function validateInSlices(
  body: NonNullable<OperationSchemas['body']>,
  schema: JsonSchema,
  fields: Fields,
): Promise<Judged | undefined> {
  const properties = Object.entries(schema['properties'] ?? {}) as [string, { maxItems?: number }][]
  const [[name, { maxItems = Infinity }] = ['', {}], ...others] = properties
  const items = fields[name]
  if (others.length > 0 || !Array.isArray(items) || items.length <= SLICE_ITEMS || items.length > maxItems)
    return undefined
  const values: unknown[] = []
  const errors: FieldErrors = Object.create(null) as FieldErrors
  const unknown: string[] = []
  for (let start = 0; start < items.length; start += SLICE_ITEMS) {
    const slice = { [name]: items.slice(start, start + SLICE_ITEMS) }
    const inWhole = (path: string): string =>
      path.replace(/\.(\d+)/, (_, at: string) => `.${start + Number(at)}`)
    const result = judged(validate(body, slice))
    values.push(...((result.value as Record<string, unknown[]> | undefined)?.[name] ?? []))
    for (const [path, texts] of Object.entries(result.errors ?? {})) errors[inWhole(path)] = texts
    if (unknown.length < MOST_NAMED) unknown.push(...unknownFields(schema, slice).map(inWhole))
    const rest = longWork.rest()
    if (rest !== undefined) await rest
  }
  unknown.push(...unknownFields(schema, { ...fields, [name]: [] }))
  const named = { unknown: unknown.slice(0, MOST_NAMED) }
  return Object.keys(errors).length > 0 ? { errors, ...named } : { value: { [name]: values }, ...named }
}

const bytesOf = (raw: RawBody): number => {
  if (raw.kind === 'none') return 0
  return raw.kind === 'multipart'
    ? raw.parts.reduce((sum, { text }) => sum + text.length, 0)
    : raw.bytes.length
}

const WHOLE: PreparedImage = {
  hash: '',
  bytes: new Uint8Array(),
  width: 1,
  height: 1,
  format: 'png',
  source: 'png',
}

/** The result of a validation that assumes that all pictures are valid. */
function assumingWhole<Verdict>(files: readonly UploadedFile[], judge: () => Verdict): Verdict {
  for (const file of files) file.image = WHOLE
  const verdict = judge()
  for (const file of files) delete file.image
  return verdict
}

const judged = (result: ReturnType<typeof validate>): { value?: unknown; errors?: FieldErrors } =>
  result.ok ? { value: result.value } : { errors: result.errors }

/** Fields that change without an edit. A client that sends a resource back has read an earlier value of them. */
const MOVING = new Set(['clicks', 'last_click_at', 'scans', 'views', 'updated_at'])

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is one that the field had before: counters and times only grow, and a first time follows null. */
const isEarlier = (sent: unknown, present: unknown): boolean => {
  if (typeof present === 'number') return Number(sent) <= present && Number(sent) >= 0 && sent !== null
  if (typeof present !== 'string') return false
  return sent === null || (typeof sent === 'string' && sent <= present && !Number.isNaN(Date.parse(sent)))
}

/** The content of a QR code as an unsigned request sees it. */
const isTypeAlone = (sent: Fields): boolean => Object.keys(sent).join() === 'type'

/** Whether a field in a request has the current value of the resource (or an earlier one, if it changes by itself). */
export const isUnchanged = (name: string, sent: unknown, present: unknown): boolean => {
  if (sent === present) return true
  if (Array.isArray(sent) && Array.isArray(present))
    return sent.length === present.length && sent.every((item, at) => isUnchanged('', item, present[at]))
  if (isObject(sent) && isObject(present)) {
    const isWhole = Object.keys(present).every((key) => Object.hasOwn(sent, key) || present[key] === null)
    return (
      (isWhole || isTypeAlone(sent)) &&
      Object.entries(sent).every(
        ([key, value]) => Object.hasOwn(present, key) && isUnchanged(key, value, present[key]),
      )
    )
  }
  if (typeof sent === 'string' && ['number', 'boolean'].includes(typeof present) && sent === String(present))
    return true
  return MOVING.has(name) && isEarlier(sent, present)
}

/** Whether a `Prefer` header (RFC 7240) requests strict handling: unknown fields are then rejected. */
export const isStrict = (header: string | readonly string[] | undefined): boolean =>
  header !== undefined &&
  [header]
    .flat()
    .join(',')
    .split(',')
    .map((preference) => preference.split(';', 1)[0] ?? '')
    .some((preference) => /^handling\s*=\s*"?strict"?$/i.test(preference.trim()))

/** The entity tags of an `If-Match` header, without quotes; undefined if any version is accepted. */
export const readIfMatch = (header: string | undefined): readonly string[] | undefined => {
  if (header === undefined) return undefined
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') ? undefined : tags.map((tag) => tag.replace(/^"(.*)"$/, '$1'))
}
