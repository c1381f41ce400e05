import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type CsvColumn, toCsv } from '@waymark/contract/csv'
import type { Data, Query } from '@waymark/contract/schemas'
import type { Logger } from 'pino'
import { type Listed, listWindow, toListed } from '../../modules/owned/listing.ts'
import { asDownload } from '../../net/admission/lanes.ts'
import type { Database } from '../../storage/db/database.ts'
import { DAY_MS, HOUR_MS, isoTime } from '../../work/times.ts'
import { nextTurn } from '../../work/turns.ts'
import type { AuditFilter, AuditLogRow, AuditStore } from './audit.store.ts'

type Entry = Data<'auditLog'>[number]

/** An entry without its time, which the service adds. */
export type AuditEntry = Omit<AuditLogRow, 'uuid' | 'created_at' | 'rejected'>

export interface AuditDependencies {
  readonly db: Database
  readonly store: AuditStore
  readonly retentionDays: number
  /** With LOG_AUDIT: every entry is also logged. */
  readonly log: Pick<Logger, 'info'> | undefined
  readonly now: () => number
  readonly newId: () => string
}

/** Maximum number of resources that an entry lists. */
const MAX_RESOURCES = 20
/** Rows read or deleted at once. */
const ROWS_AT_ONCE = 500
/** Counters waiting to be stored; above this number, rejected requests are not counted. */
const MAX_COUNTERS = 1_000

/** A workspace can have the same uuid as its first user: the operation shows which of them is meant. */
const ABOUT_WORKSPACE = /^(?:create|edit|leave)Workspace$|^acceptInvitation$|^user (?:suspend|resume)$/

/** The columns of the file, in order. Identifiers are generated here, and those of requests may begin with a hyphen. */
const CSV_COLUMNS: Readonly<Record<string, CsvColumn>> = {
  created_at: 'generated',
  actor: 'generated',
  user_uuid: 'generated',
  user_name: 'text',
  credential_uuid: 'generated',
  operation: 'generated',
  resources: 'generated',
  resource_count: 'generated',
  fields: 'text',
  details: 'text',
  rejected: 'generated',
  address: 'generated',
  request_id: 'generated',
}

/** The audit log: records changes in a workspace and who made them. */
export class AuditService {
  readonly #deps: AuditDependencies
  /** Rejected requests since the last time they were stored. */
  readonly #rejected = new Map<string, AuditLogRow>()

  constructor(deps: AuditDependencies) {
    this.#deps = deps
  }

  /** Stores entries in the current transaction, which makes the change. */
  async record(entries: readonly AuditEntry[]): Promise<void> {
    const { db, store, log, now, newId } = this.#deps
    const rows = entries.map((entry) => ({ ...entry, uuid: newId(), created_at: now(), rejected: 0 }))
    await store.insert(rows)
    if (log !== undefined)
      db.afterCommit(() => rows.forEach((row) => log.info({ audit: lineOf(row) }, 'audit')))
  }

  /** Stores an entry of a change without a caller, usually by the server itself, in the transaction of the change. */
  recordOwn = (
    workspace_uuid: string,
    operation: string,
    uuids: readonly string[],
    by: Partial<AuditEntry> = {},
  ): Promise<void> =>
    this.record([
      {
        workspace_uuid,
        actor: 'system',
        credential_uuid: null,
        user_uuid: null,
        operation,
        resources: JSON.stringify(uuids.slice(0, MAX_RESOURCES)),
        resource_count: uuids.length,
        fields: '[]',
        details: null,
        address: null,
        request_id: null,
        ...by,
      },
    ])

  /** Counts a request rejected because of a missing role or scope. It is stored some seconds later. */
  noteRejected(entry: AuditEntry): void {
    const hour = Math.floor(this.#deps.now() / HOUR_MS) * HOUR_MS
    const { workspace_uuid, user_uuid, credential_uuid, operation } = entry
    const uuid = hourId(hour, [workspace_uuid, user_uuid, credential_uuid, operation])
    const counted = this.#rejected.get(uuid)
    if (counted === undefined && this.#rejected.size >= MAX_COUNTERS) return
    this.#rejected.set(uuid, {
      ...entry,
      uuid,
      created_at: hour,
      address: null,
      request_id: null,
      rejected: (counted?.rejected ?? 0) + 1,
    })
  }

  /** Stores the counters of rejected requests. */
  async storeRejected(): Promise<void> {
    if (this.#rejected.size === 0) return
    const { db, store } = this.#deps
    const rows = [...this.#rejected.values()]
    this.#rejected.clear()
    // One at a time: a workspace that was deleted meanwhile must not discard the counters of others.
    for (const row of rows) await db.write(() => store.addRejected([row])).catch(() => undefined)
  }

  async list(workspaceUuid: string, query: Query<'auditLog'>): Promise<Listed<Entry>> {
    const { store } = this.#deps
    const { limit, cursor, ...filter } = query
    const window = listWindow({ limit, cursor })
    const rows = await store.list(workspaceUuid, window, filter)
    const total = await store.count(workspaceUuid, filter)
    const uuids = [...new Set(rows.flatMap(({ resources }) => listOf(resources)))]
    const users = await store.userNames([...usersOf(rows), ...uuids])
    const credentials = await store.resourceNames(workspaceUuid, credentialsOf(rows), ['api_keys', 'tokens'])
    const names = await store.resourceNames(workspaceUuid, uuids)
    const workspaces = await store.workspaceNames(uuids.filter((uuid) => uuid === workspaceUuid))
    const namesIn = (operation: string, uuid: string) =>
      ABOUT_WORKSPACE.test(operation) ? workspaces : names.has(uuid) ? names : users
    return toListed(rows, window, total, (row) => ({
      uuid: row.uuid,
      created_at: isoTime(row.created_at),
      actor: row.actor,
      user: row.user_uuid === null ? null : named(row.user_uuid, users),
      credential: row.credential_uuid === null ? null : named(row.credential_uuid, credentials),
      operation: row.operation,
      resources: listOf(row.resources).map((uuid) => named(uuid, namesIn(row.operation, uuid))),
      resource_count: row.resource_count,
      fields: listOf(row.fields),
      details: detailsOf(row),
      rejected: row.rejected,
      address: row.address,
      request_id: row.request_id,
    }))
  }

  /** Every matching entry, newest first. The first ones are read before the response begins. */
  async export(workspaceUuid: string, filter: AuditFilter): Promise<Readable> {
    const first = await this.#rows(workspaceUuid, filter, undefined)
    return asDownload(Readable.from(this.#pieces(workspaceUuid, filter, first), { objectMode: false }))
  }

  async *#pieces(workspaceUuid: string, filter: AuditFilter, first: AuditLogRow[]): AsyncGenerator<Buffer> {
    yield Buffer.from(toCsv([Object.keys(CSV_COLUMNS)]))
    for (let rows = first; rows.length > 0;) {
      const users = await this.#deps.store.userNames(usersOf(rows))
      yield Buffer.from(
        toCsv(
          rows.map((row) => cellsOf(row, users)),
          Object.values(CSV_COLUMNS),
        ),
      )
      const last = rows.at(-1)
      if (last === undefined || rows.length < ROWS_AT_ONCE) return
      await nextTurn()
      rows = await this.#rows(workspaceUuid, filter, last)
    }
  }

  #rows(workspaceUuid: string, filter: AuditFilter, last: AuditLogRow | undefined): Promise<AuditLogRow[]> {
    const { db, store } = this.#deps
    const after = last && { value: 0, uuid: last.uuid }
    const window = { ...listWindow({}), take: ROWS_AT_ONCE, after }
    return db.read(() => store.list(workspaceUuid, window, filter))
  }

  /** Deletes entries that are older than the retention. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { db, store, retentionDays, now } = this.#deps
    const before = now() - retentionDays * DAY_MS
    for (let isLeft = true; isLeft;) {
      if (signal?.aborted === true) return
      isLeft = await db.write(() => store.removeBefore(before, ROWS_AT_ONCE), 'background')
    }
  }

  /** Deletes a batch of entries of a deleted workspace; false when none is left. */
  erase(workspaceUuid: string): Promise<boolean> {
    return this.#deps.store.removeSome(workspaceUuid, ROWS_AT_ONCE)
  }
}

/** The same id in every process. It begins with the hour, so that lists sort it by time. */
const hourId = (hourMs: number, parts: readonly (string | null)[]): string => {
  const time = hourMs.toString(16).padStart(12, '0')
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

const listOf = (json: string): string[] => JSON.parse(json) as string[]

const detailsOf = ({ details }: AuditLogRow) =>
  details === null ? null : (JSON.parse(details) as Record<string, unknown>)

/** The log line of an entry. */
const lineOf = (row: AuditLogRow) => ({
  ...row,
  created_at: isoTime(row.created_at),
  resources: listOf(row.resources),
  fields: listOf(row.fields),
  details: detailsOf(row),
})

const named = (uuid: string, names: ReadonlyMap<string, string | null>) => ({
  uuid,
  name: names.get(uuid) ?? null,
})

const usersOf = (rows: readonly AuditLogRow[]): string[] => [
  ...new Set(rows.flatMap(({ user_uuid }) => user_uuid ?? [])),
]

const credentialsOf = (rows: readonly AuditLogRow[]): string[] => [
  ...new Set(rows.flatMap(({ credential_uuid }) => credential_uuid ?? [])),
]

const cellsOf = (row: AuditLogRow, users: ReadonlyMap<string, string | null>) => [
  isoTime(row.created_at),
  row.actor,
  row.user_uuid,
  users.get(row.user_uuid ?? '') ?? null,
  row.credential_uuid,
  row.operation,
  listOf(row.resources).join(' '),
  row.resource_count,
  listOf(row.fields).join(' '),
  row.details,
  row.rejected,
  row.address,
  row.request_id,
]
