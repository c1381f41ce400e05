import { Readable } from 'node:stream'
import { type Operation, type OperationName, operations } from '@waymark/contract'
import { type FieldErrors, type OperationSchemas, schemas } from '@waymark/contract/schemas'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { admission } from '../net/admission/lanes.ts'
import { actingFor, currentRequester } from '../net/admission/gate.ts'
import { type Caller, isProved } from '../net/caller.ts'
import { type AuditLog, entryOf, isAuditedWrite, isExport, rejectedEntry, workspacesOf } from './audit.ts'
import { authorise, checkRole, checkScope, type Memberships, noSuchWorkspace } from './authorise.ts'
import { addressBucket } from '../net/client-address.ts'
import { AppError } from '../net/errors.ts'
import { toAppError } from './app-errors.ts'
import {
  type Callers,
  checkHeaders,
  checkNotForeign,
  checkSameOrigin,
  checkSignature,
  type Replay,
} from './authenticate.ts'
import { BODY_LIMITS, STRANGER_LIMITS } from './body/body-limits.ts'
import { type RawBody, readBody } from './body/read-body.ts'
import { bodiesIn, type UploadBudget } from './body/temp-folder.ts'
import {
  type Idempotency,
  type IdempotentRequest,
  type StoredResponse,
  readIdempotencyKey,
} from './idempotency.ts'
import { inPieces, jsonInTurns, readInTurn } from './long-lists.ts'
import { type RateLimits, type RateMeter, spendPixels } from './rate-meter.ts'
import { FieldReader, isStrict } from './request-fields.ts'
import type { Context, PartialContext, Payload, Reply, RequestFacts, Route, Routes } from './routes.ts'

export interface RunnerDependencies {
  /** Every operation; an edit uses them to read its resource. */
  readonly routes: Routes
  readonly callers: Callers
  readonly replay: Replay
  readonly limits: RateLimits
  readonly rates: { readonly read: number; readonly write: number; readonly session: number }
  readonly idempotency: Idempotency
  readonly factsOf: (request: FastifyRequest) => RequestFacts
  /** Runs reads on a replica or in a thread if possible; large reads separately from those for visitors. */
  readonly reading: <T>(work: () => Promise<T>, isLarge: boolean) => Promise<T>
  /** Whether an account has so many rows that reading all of them would delay visitors. */
  readonly isLarge: (workspaceUuid: string) => Promise<boolean>
  /** Resolves when the other processes of this machine have received the changes of a write. */
  readonly changesKnown: () => Promise<void>
  /** Runs work in a transaction. */
  readonly writing: <T>(work: () => Promise<T>) => Promise<T>
  /** Memberships of users, and suspended workspaces. */
  readonly memberships: Memberships
  readonly audit: AuditLog
  /** False after an account was deleted. */
  readonly workspaceExists: (workspaceUuid: string) => Promise<boolean>
  /** Called with every authenticated key and token. */
  readonly noteUse: (caller: Caller) => void
  /** Whether the disk has room for more rows; false below the reserve for clicks, sessions and deletions. */
  readonly hasRoom: () => boolean
  /** Rejects writes of a workspace that stores more than its plan allows. */
  readonly chargeStorage: (workspaceUuid: string, bytes: number) => Promise<void>
  /** The disk budget for bodies that are not verified yet. */
  readonly uploads: UploadBudget
  readonly ownOrigin: string
  readonly dataDir: string
  readonly log: Logger
  readonly now: () => number
}

interface ReadRequest {
  readonly context: Context<OperationName>
  readonly ignored: readonly string[]
}

const EMPTY_DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Query parameters that do not require reading every row. */
const PAGE_PARAMETERS = new Set(['limit', 'cursor', 'uuid', 'order'])

const DISK_RETRY_SECONDS = '60'

const sentBytes = (raw: RawBody): number => {
  if (raw.kind === 'none') return 0
  return raw.kind === 'multipart' ? raw.parts.reduce((sum, { size }) => sum + size, 0) : raw.bytes.length
}

/** How often an edit starts again because another edit of the same row was faster. */
const ATTEMPTS = 10

/** Runs one operation in this order: caller, body, signature, fields, handler. */
export class OperationRunner {
  readonly #route: Route
  readonly #operation: Operation
  readonly #fields: FieldReader
  readonly #isWrite: boolean
  readonly #deps: RunnerDependencies
  readonly #tempDir: string

  constructor(route: Route, deps: RunnerDependencies) {
    this.#route = route
    this.#operation = operations[route.name]
    this.#fields = new FieldReader(schemas[route.name])
    this.#isWrite = this.#operation.method === 'POST'
    this.#deps = deps
    this.#tempDir = bodiesIn(deps.dataDir)
  }

  async run(request: FastifyRequest, reply: FastifyReply, meter: RateMeter): Promise<Reply> {
    const facts = this.#deps.factsOf(request)
    const { caller, raw } = await this.#authenticate(request, reply, facts, meter)
    const account = caller?.unsigned === true ? undefined : caller?.userUuid
    const requester = { ...currentRequester(), account, user: caller?.userUuid }
    return actingFor(requester, () => this.#respond(request, reply, meter, facts, caller, raw))
  }

  /** A request in progress when its workspace is deleted fails, because its rows would have no owner. */
  async #isGone(error: unknown, { workspaceUuid }: Caller): Promise<boolean> {
    const { code } = toAppError(error)
    return ['internal', 'not_found'].includes(code) && !(await this.#deps.workspaceExists(workspaceUuid))
  }

  async #respond(
    request: FastifyRequest,
    reply: FastifyReply,
    meter: RateMeter,
    facts: RequestFacts,
    identity: Caller | undefined,
    raw: RawBody | undefined,
  ): Promise<Reply> {
    let caller: Caller | undefined
    try {
      // On the reply itself, so that an error response has it as well: the old token is used up.
      if (identity?.setCookie !== undefined) reply.header('set-cookie', identity.setCookie)
      if (identity !== undefined) await this.#countCaller(meter, identity, facts)
      caller = identity && (await this.#authorise(request, identity))
      if (this.#operation.proof === true && caller !== undefined && !isProved(caller, this.#deps.now()))
        throw new AppError('reauthenticate', { extra: { reauthenticate: true } })
      if (this.#operation.grows === true && !this.#deps.hasRoom())
        throw new AppError('disk_full', { headers: { 'retry-after': DISK_RETRY_SECONDS } })
      if (this.#operation.grows === true && caller !== undefined && raw !== undefined)
        await this.#deps.chargeStorage(caller.workspaceUuid, sentBytes(raw))
      const readContext = async (): Promise<ReadRequest> => {
        const fields = await this.#fields.read({
          raw,
          query: this.#queryOf(request),
          strict: isStrict(request.headers.prefer),
          spendPixels: (pixels) => spendPixels(this.#deps.limits, caller?.workspaceUuid, pixels),
          present: caller && this.#presentFor(caller, facts),
          alsoInvalid: (body) => this.#alsoInvalid({ caller, body, request: facts }),
        })
        const { body, query, ignored } = fields
        const context = { caller, body, query, request: facts } as Context<OperationName>
        await this.#checkNeeds(context)
        return { context, ignored }
      }
      const key = this.#isWrite ? readIdempotencyKey(request.headers['idempotency-key']) : undefined
      if (key === undefined || caller === undefined)
        return await this.#inLane(async () => inPieces(await this.#runOnce(await readContext())))
      const digest = raw?.digest ?? EMPTY_DIGEST
      const { workspaceUuid, userUuid, unsigned = false } = caller
      return await this.#runIdempotently({ workspaceUuid, userUuid, unsigned, key, digest }, readContext)
    } catch (error) {
      // `authorise` counts its rejections itself; some rights depend on the fields.
      if (caller !== undefined && isForbidden(error)) this.#noteRejected(caller, caller.workspaceUuid)
      throw caller !== undefined && (await this.#isGone(error, caller)) ? goneError(caller) : error
    } finally {
      await raw?.dispose()
      if (this.#isWrite) await this.#deps.changesKnown()
    }
  }

  async #authorise({ headers, query }: FastifyRequest, identity: Caller): Promise<Caller> {
    const params = query as { readonly workspace?: string | string[] }
    const named = headers['x-workspace'] ?? (this.#isWrite ? undefined : params.workspace)
    // A list, of a parameter that is repeated, names no workspace.
    const asked = typeof named === 'string' ? named : JSON.stringify(named)
    const wanted = asked === '' ? undefined : asked
    const caller = await authorise(this.#operation, identity, wanted, {
      ...this.#deps.memberships,
      noteRejected: (workspaceUuid) => this.#noteRejected(identity, workspaceUuid),
    })
    if (caller.kind !== 'session') this.#deps.noteUse(caller)
    return caller
  }

  #noteRejected(caller: Caller, workspaceUuid: string): void {
    this.#deps.audit.noteRejected(rejectedEntry(this.#route.name, caller, workspaceUuid))
  }

  /** Checks the rights that depend on the fields. */
  async #checkNeeds(context: Context<OperationName>): Promise<void> {
    const needs = await this.#route.handler.needs?.(context)
    if (needs === undefined || context.caller === undefined) return
    if (needs.role !== undefined) checkRole(context.caller.role, needs.role)
    for (const scope of needs.scopes) checkScope(context.caller, scope)
  }

  /** Reads name their workspace in the query, because a link in a browser cannot send a header. */
  #queryOf({ query }: FastifyRequest): Query {
    if (this.#isWrite || this.#operation.auth === 'none') return query as Query
    const { workspace: _workspace, ...others } = query as Query
    return others
  }

  /** Until this is done the caller is unknown, so failures count against the address. */
  async #authenticate(request: FastifyRequest, reply: FastifyReply, facts: RequestFacts, meter: RateMeter) {
    if (this.#operation.auth === 'none') await this.#countAddress(meter, facts)
    let raw: RawBody | undefined
    try {
      const { caller, proof } = await this.#checkHeaders(request, facts)
      const isStranger = caller === undefined || caller.unsigned === true
      if (this.#isWrite) raw = await this.#readBody(request, reply, facts, isStranger, proof?.apiKey)
      const { method = '', url = '' } = request.raw
      if (proof !== undefined)
        await checkSignature(proof, method, url, raw?.digest ?? EMPTY_DIGEST, this.#deps.replay)
      return { caller, raw }
    } catch (error) {
      await raw?.dispose()
      if (!meter.counted) await this.#countAddress(meter, facts)
      throw error
    }
  }

  async #checkHeaders(request: FastifyRequest, facts: RequestFacts) {
    const { callers, now, ownOrigin } = this.#deps
    const credentials = await checkHeaders(this.#operation, request.raw, facts, callers, now())
    if (this.#isWrite && credentials.caller?.kind === 'session') checkSameOrigin(request.raw, ownOrigin)
    if (this.#isWrite && this.#operation.auth === 'none') checkNotForeign(request.raw, ownOrigin)
    return credentials
  }

  /** A client without credentials can send a small form. Other bodies count against the disk budget until verified. */
  #readBody(
    request: FastifyRequest,
    reply: FastifyReply,
    { address }: RequestFacts,
    isStranger: boolean,
    apiKey: string | undefined,
  ): Promise<RawBody> {
    // Send 100 Continue only after the headers have been validated.
    const goAhead = (): void => {
      if (/100-continue/i.test(request.headers.expect ?? '')) reply.raw.writeContinue()
    }
    const { fileBytes } = this.#operation
    const largest = fileBytes === undefined ? BODY_LIMITS : { ...BODY_LIMITS, fileBytes: fileBytes + 1 }
    const limits = isStranger ? STRANGER_LIMITS : largest
    const names = [`address ${addressBucket(address)}`, ...(apiKey === undefined ? [] : [`key ${apiKey}`])]
    const share = this.#deps.uploads.shareOf(names)
    return readBody(request.raw, request.headers, limits, this.#tempDir, goAhead, share)
  }

  #countAddress(meter: RateMeter, { address }: RequestFacts): Promise<void> {
    return meter.take(`address:${addressBucket(address)}:${this.#operation.method}`, this.#limit)
  }

  /** A key is public: unsigned requests have a limit per address, separate from that of signed requests. */
  #countCaller(meter: RateMeter, { kind, uuid, unsigned }: Caller, { address }: RequestFacts): Promise<void> {
    if (kind === 'session') return meter.take(`session:${uuid}`, this.#deps.rates.session)
    const key = unsigned === true ? `${uuid}:${addressBucket(address)}` : uuid
    return meter.take(`${kind}:${key}:${this.#operation.method}`, this.#limit)
  }

  get #limit(): number {
    return this.#isWrite ? this.#deps.rates.write : this.#deps.rates.read
  }

  async #alsoInvalid(context: object): Promise<FieldErrors> {
    return (await this.#route.handler.alsoInvalid?.(context as PartialContext<OperationName>)) ?? {}
  }

  /** Reads the resource of an edit, as its own operation returns it. */
  #presentFor(caller: Caller, request: RequestFacts) {
    const reader = this.#deps.routes.find(({ name }) => name === this.#operation.edits)
    if (reader === undefined) return undefined
    return async ({ uuid, name }: Readonly<Record<string, unknown>>) => {
      const query = typeof uuid === 'string' ? { uuid } : {}
      const context = { caller, query, request } as unknown as Context<OperationName>
      const { payload } = await reader.handler.run(context, await reader.handler.prepare(context))
      if (!('data' in payload)) return undefined
      const rows = [payload.data ?? []].flat() as readonly Row[]
      // Domains are identified by name.
      return rows.find((row) => (uuid === undefined ? row['name'] === name : row['uuid'] === uuid))
    }
  }

  #inLane<T>(work: () => Promise<T>): Promise<T> {
    const { lane } = this.#route.handler
    return lane === undefined ? work() : admission.run(lane, work)
  }

  /** A page of an unfiltered list is read by its index; filters may read every row. */
  async #read({ caller, query }: Context<OperationName>, handle: () => Promise<Reply>): Promise<Reply> {
    const { reading, isLarge } = this.#deps
    const { query: asked }: OperationSchemas = schemas[this.#route.name]
    const isPage = 'limit' in (asked?.shape ?? {})
    const isNarrowed = Object.entries(query ?? {}).some(
      ([name, value]) => value !== undefined && !PAGE_PARAMETERS.has(name),
    )
    const mayScan = this.#operation.scans === true && (isNarrowed || !isPage)
    if (caller === undefined || !mayScan || !(await isLarge(caller.workspaceUuid)))
      return reading(handle, false)
    return admission.run('largeReads', () => reading(handle, true))
  }

  /** Runs a write and stores its audit log entry in one transaction. */
  #audited(context: Context<OperationName>, run: () => Promise<Reply>): Promise<Reply> {
    const { audit, writing, memberships } = this.#deps
    const { caller, body, request } = context
    if (caller === undefined || !isAuditedWrite(this.#operation)) return run()
    return writing(async () => {
      // Both before the change, because it changes them.
      const before = await this.#presentFor(caller, request)?.(body ?? {})
      const mine = await memberships.membershipsOf(caller.userUuid)
      const reply = await run()
      // An existing resource was returned unchanged.
      if (this.#operation.reuses === true && reply.status === 200) return reply
      const uuids = mine.map(({ workspaceUuid }) => workspaceUuid)
      const entry = entryOf(this.#route.name, context, reply, before)
      await audit.record(
        workspacesOf(this.#route.name, context, reply, uuids).map((uuid) => ({
          ...entry,
          workspace_uuid: uuid,
        })),
      )
      return reply
    })
  }

  /** Before the first byte is sent, so that there is no export without its entry. */
  async #recordExport(context: Context<OperationName>, reply: Reply): Promise<void> {
    const { caller } = context
    if (caller === undefined) return
    const entry = entryOf(this.#route.name, context, reply, undefined)
    try {
      await this.#deps.writing(() =>
        this.#deps.audit.record([{ ...entry, workspace_uuid: caller.workspaceUuid }]),
      )
    } catch (error) {
      if (reply.payload instanceof Readable) reply.payload.destroy()
      throw error
    }
  }

  async #runOnce({ context, ignored }: ReadRequest): Promise<Reply> {
    const { handler } = this.#route
    const handle = (): Promise<Reply> =>
      attempt(handler, context, async (run) => namingIgnored(await this.#audited(context, run), ignored))
    const read = (): Promise<Reply> => this.#read(context, handle)
    const reply = await (this.#isWrite ? handle() : readInTurn(context.query, read))
    if (!this.#isWrite && isExport(this.#operation, reply)) await this.#recordExport(context, reply)
    await handler.after?.(context)
    return reply
  }

  /** Everything after the signature is part of the stored response: an invalid field stays invalid. */
  async #runIdempotently(
    request: Omit<IdempotentRequest, 'operation'>,
    readContext: () => Promise<ReadRequest>,
  ): Promise<Reply> {
    const { handler, name } = this.#route
    let headers: NonNullable<Reply['headers']> = {}
    const kept = await this.#deps.idempotency.once(
      { ...request, operation: name },
      (transact) =>
        this.#inLane(async () => {
          const { context, ignored } = await readContext()
          const result = await attempt(handler, context, (run) =>
            transact(async () => {
              const reply = namingIgnored(await this.#audited(context, run), ignored)
              headers = reply.headers ?? {}
              return { response: await toStored(reply), keep: this.#operation.repeatable !== false }
            }),
          )
          await handler.after?.(context)
          return result
        }),
      (error) => {
        const { status, body } = toAppError(error)
        return {
          response: { status, body: JSON.stringify(body) },
          keep: status < 500 && ![401, 412, 429].includes(status),
        }
      },
    )
    if (kept.replayed) headers = { 'idempotent-replayed': 'true' }
    return { status: kept.status, payload: Buffer.from(kept.body), headers }
  }
}

/** Prepares and runs; starts again if another request has changed the row meanwhile. */
const attempt = async <T>(
  { prepare, run, undo }: Route['handler'],
  context: Context<OperationName>,
  within: (run: () => Promise<Reply>) => Promise<T>,
): Promise<T> => {
  for (let left = ATTEMPTS - 1; ; left--) {
    const prepared = await prepare(context)
    try {
      return await within(() => run(context, prepared))
    } catch (error) {
      await undo?.(prepared)
      if (left === 0 || !(error instanceof AppError) || error.code !== 'conflict') throw error
    }
  }
}

const isForbidden = (error: unknown): boolean =>
  error instanceof AppError && ['role_missing', 'scope_missing'].includes(error.code)

/** Keys and tokens are deleted with their workspace, and a user with the first one. */
const goneError = ({ kind, workspaceUuid, userUuid }: Caller): AppError => {
  if (kind === 'key') return new AppError('key_invalid')
  if (kind === 'token') return new AppError('token_unknown')
  return workspaceUuid === userUuid ? new AppError('session_missing') : noSuchWorkspace()
}

const toStored = async ({ status, payload }: Reply): Promise<StoredResponse> => ({
  status,
  body: Buffer.isBuffer(payload) ? payload.toString() : await jsonInTurns(payload as Payload<unknown>),
})

type Row = Readonly<Record<string, unknown>>

type Query = Readonly<Record<string, unknown>>

/** Lists the ignored fields of the request in the response, if there are any. */
const namingIgnored = (reply: Reply, ignored: readonly string[]): Reply =>
  ignored.length === 0 || !('status' in reply.payload)
    ? reply
    : { ...reply, payload: { ...reply.payload, ignored: [...ignored, ...(reply.payload.ignored ?? [])] } }
