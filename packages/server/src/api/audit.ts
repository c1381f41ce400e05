import { isIPv4 } from 'node:net'
import { type Operation, type OperationName, operations } from '@waymark/contract'
import { type Caller, personOf } from '../net/caller.ts'
import { addressBucket } from '../net/client-address.ts'
import type { AuditLogRow } from '../storage/db/tables.ts'
import type { Context, Reply } from './routes.ts'

/** An entry without its time, which the audit log adds. */
type AuditEntry = Omit<AuditLogRow, 'uuid' | 'created_at' | 'rejected'>

/** Where entries are stored. */
export interface AuditLog {
  /** Stores entries in the current transaction, which makes the change. */
  readonly record: (entries: readonly AuditEntry[]) => Promise<void>
  /** Counts a request rejected because of a missing role or scope. */
  readonly noteRejected: (entry: AuditEntry) => void
}

type Fields = Readonly<Record<string, unknown>>

const MAX_RESOURCES = 20
/** The only fields whose values an entry includes. */
const SHOWN = ['role', 'scope', 'scopes'] as const
/** These fields identify the resource, not the change. */
const NAMING = new Set(['uuid', 'uuids'])

/** Whether the operation's success is a change: true for all writes of callers unless the table says otherwise. */
export const isAuditedWrite = ({ method, auth, audited }: Operation): boolean =>
  method === 'POST' && auth !== 'none' && audited !== false

/** Whether a read is an export: its response is a file with the workspace's data. */
export const isExport = ({ returns, alsoReturns }: Operation, { payload }: Reply): boolean =>
  returns === 'csv' ||
  returns === 'archive' ||
  returns === 'zip' ||
  (alsoReturns === 'csv' && !('status' in payload))

/** The entry of a successful operation. `before` is the resource before an edit. */
export function entryOf(
  name: OperationName,
  { caller, body, request }: Context<OperationName>,
  { payload }: Reply,
  before: Fields | undefined,
): Omit<AuditEntry, 'workspace_uuid'> {
  const sent = (body ?? {}) as Fields
  const response = ('data' in payload ? payload : {}) as { data?: unknown; import?: Fields }
  const after = rowsOf(response.data)
  const named = uuidsIn([sent])
  const created = uuidsIn([...(response.import === undefined ? [] : [response.import]), ...after])
  // Of what the request names, the response may hold a by-product, such as the delivery of a tested webhook.
  const resources = named.length > 0 ? named : created
  const details: Record<string, unknown> = {}
  for (const key of SHOWN) if (sent[key] != null) details[key] = sent[key]
  if (before?.['role'] !== undefined) details['previous_role'] = before['role']
  return {
    ...actorOf(caller),
    operation: name,
    resources: JSON.stringify(resources.slice(0, MAX_RESOURCES)),
    resource_count: resources.length,
    fields: JSON.stringify(changedFields(sent, before, after[0])),
    details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
    address: networkOf(request.address),
    request_id: request.requestId,
  }
}

/** The entry that counts rejected requests of a caller. */
export const rejectedEntry = (name: string, caller: Caller, workspaceUuid: string): AuditEntry => ({
  ...actorOf(caller),
  workspace_uuid: workspaceUuid,
  operation: name,
  resources: '[]',
  resource_count: 0,
  fields: '[]',
  details: null,
  address: null,
  request_id: null,
})

/**
 * The workspaces that an operation changed: usually the caller's. Operations on members can affect workspaces that the
 * request did not name.
 */
export function workspacesOf(
  name: OperationName,
  { caller, body }: Context<OperationName>,
  { payload }: Reply,
  memberships: readonly string[],
): readonly string[] {
  if (caller === undefined) return []
  if (name === 'leaveWorkspace') return [(body as unknown as { uuid: string }).uuid]
  if (name === 'createWorkspace' || name === 'acceptInvitation')
    return uuidsIn('data' in payload ? [payload.data as Fields] : [])
  if (name === 'removeAccount') return memberships
  const { role }: Operation = operations[name]
  // An operation on the user alone: a session then has no workspace.
  if (role === undefined && caller.kind === 'session') return memberships.slice(0, 1)
  return [caller.workspaceUuid]
}

const actorOf = (caller: Caller | undefined) => ({
  actor:
    caller === undefined ? ('system' as const) : caller.kind === 'session' ? ('user' as const) : caller.kind,
  credential_uuid: caller === undefined || caller.kind === 'session' ? null : caller.uuid,
  user_uuid: (caller && personOf(caller)) ?? null,
})

/** The rows of a response: one, a list, or lists by kind, as of `generate-codes`. */
const rowsOf = (data: unknown): readonly Fields[] => {
  if (data === undefined || data === null) return []
  if (Array.isArray(data)) return data as readonly Fields[]
  const row = data as Fields
  return 'uuid' in row ? [row] : [row, ...(Object.values(row).filter(Array.isArray).flat() as Fields[])]
}

const uuidsIn = (rows: readonly Fields[]): string[] => [
  ...new Set(
    rows
      .flatMap(({ uuid, uuids }) => [uuid, ...(Array.isArray(uuids) ? (uuids as unknown[]) : [])])
      .filter((uuid) => typeof uuid === 'string'),
  ),
]

/** Requests must include some fields that they do not change: the entry of an edit leaves those out. */
const changedFields = (sent: Fields, before: Fields | undefined, after: Fields | undefined): string[] =>
  Object.keys(sent).filter((name) => {
    if (NAMING.has(name) || sent[name] === undefined) return false
    if (before === undefined || after === undefined || !(name in after)) return sent[name] !== null
    return JSON.stringify(before[name]) !== JSON.stringify(after[name])
  })

/** The first 24 bits of an IPv4 address, 48 of an IPv6 address: enough to distinguish an office from a stranger. */
const networkOf = (address: string): string | null => {
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  if (!address.includes(':')) return null
  const network = addressBucket(address).split(':').slice(0, 3).join(':')
  return `${new URL(`http://[${network}::]`).hostname.slice(1, -1)}/48`
}
