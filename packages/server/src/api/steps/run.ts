import { Readable } from 'node:stream'
import type { OperationName } from '@waymark/contract'
import { AppError } from '../../net/errors.ts'
import { type AuditLog, entryOf, isAuditedWrite, isExport, workspacesOf } from '../audit.ts'
import { type Call, contextOf, inLane, type Step } from '../call.ts'
import type { Rights } from '../rights.ts'
import type { Context, Reply, Routes } from '../routes.ts'
import type { Memberships } from './authorise.ts'
import { presentFor } from './fields.ts'
import { inPieces, readInTurn } from './long-lists.ts'

export interface RunDependencies {
  readonly routes: Routes
  readonly audit: AuditLog
  readonly memberships: Memberships
  readonly rights: Pick<Rights, 'hold'>
  /** Runs reads on a replica if possible. */
  readonly reading: <T>(work: () => Promise<T>) => Promise<T>
  /** Runs work in a transaction. */
  readonly writing: <T>(work: () => Promise<T>) => Promise<T>
  /** Resolves when the other processes of this machine have received the changes of a write. */
  readonly changesKnown: () => Promise<void>
}

/** How often an edit starts again because another edit of the same row was faster. */
const ATTEMPTS = 10

/** The last step: runs the operation. */
export const runHandler =
  (deps: RunDependencies): Step =>
  async (call) => {
    const reply = await (call.isWrite ? runWrite(call, deps) : runRead(call, deps))
    // Every stream ends with the right that it was requested under.
    const { caller, operation, needs } = call
    if (caller !== undefined && reply.payload instanceof Readable)
      deps.rights.hold({ caller, operation, needs }, reply.payload, reply.end)
    return reply
  }

/** Runs a write with its audit log entry in one transaction. Other processes know its changes before the response is sent. */
async function runWrite(call: Call, deps: RunDependencies): Promise<Reply> {
  const context = contextOf(call)
  const { handler } = call.route
  const { transact = (run) => run() } = call
  try {
    return await inLane(call.route, async () => {
      const reply = await attempt(handler, context, (run) =>
        transact(async () => namingIgnored(await audited(call, deps, run), call.fields.ignored)),
      )
      await handler.after?.(context)
      return call.transact === undefined ? inPieces(reply) : reply
    })
  } finally {
    await deps.changesKnown()
  }
}

async function runRead(call: Call, deps: RunDependencies): Promise<Reply> {
  const { route, operation, fields } = call
  const context = contextOf(call)
  const read = (): Promise<Reply> =>
    deps.reading(() =>
      attempt(route.handler, context, async (run) => namingIgnored(await run(), fields.ignored)),
    )
  const reply = await inLane(route, () => readInTurn(context.query, read))
  if (isExport(operation, reply)) await recordExport(call, context, reply, deps)
  await route.handler.after?.(context)
  return reply
}

/** Prepares and runs; starts again if another request has changed the row meanwhile. */
async function attempt(
  { prepare, run, undo }: Call['route']['handler'],
  context: Context<OperationName>,
  within: (run: () => Promise<Reply>) => Promise<Reply>,
): Promise<Reply> {
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

/** Runs a write and stores its audit log entry in one transaction. */
function audited(call: Call, deps: RunDependencies, run: () => Promise<Reply>): Promise<Reply> {
  const { audit, writing, memberships, routes } = deps
  const { caller, operation, route } = call
  if (caller === undefined || !isAuditedWrite(operation)) return run()
  const context = contextOf(call)
  return writing(async () => {
    // Both before the change, because it changes them.
    const before = await presentFor(call, routes)?.(context.body ?? {})
    const mine = await memberships.membershipsOf(caller.userUuid)
    const reply = await run()
    // An existing resource was returned unchanged.
    if (operation.reuses === true && reply.status === 200) return reply
    const uuids = mine.map(({ workspaceUuid }) => workspaceUuid)
    const entry = entryOf(route.name, context, reply, before)
    await audit.record(
      workspacesOf(route.name, context, reply, uuids).map((uuid) => ({ ...entry, workspace_uuid: uuid })),
    )
    return reply
  })
}

/** Before the first byte is sent, so that there is no export without its entry. */
async function recordExport(
  { route, caller }: Call,
  context: Context<OperationName>,
  reply: Reply,
  { audit, writing }: RunDependencies,
): Promise<void> {
  if (caller === undefined) return
  const entry = entryOf(route.name, context, reply, undefined)
  try {
    await writing(() => audit.record([{ ...entry, workspace_uuid: caller.workspaceUuid }]))
  } catch (error) {
    if (reply.payload instanceof Readable) reply.payload.destroy()
    throw error
  }
}

/** Lists the ignored fields of the request in the response, if there are any. */
const namingIgnored = (reply: Reply, ignored: readonly string[]): Reply =>
  ignored.length === 0 || !('status' in reply.payload)
    ? reply
    : { ...reply, payload: { ...reply.payload, ignored: [...ignored, ...(reply.payload.ignored ?? [])] } }
