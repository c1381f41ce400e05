import type { TrashType } from '@waymark/contract'
import type { Events } from './events.ts'
import type { Database } from '../../storage/db/database.ts'
import type { ListWindow } from './listing.ts'
import type { TrashStore } from './trash.store.ts'

/** The columns of every owned resource. */
export interface OwnedRow {
  readonly uuid: string
  /** Null: it belongs to the instance. No account finds such a row as its own. */
  readonly workspace_uuid: string | null
  readonly updated_at: number
  /** When it was moved to the trash; 0 or absent: it is in use. */
  readonly trashed_at?: number
}

/** The row of a resource with a trash. */
export interface RestorableRow extends OwnedRow {
  readonly workspace_uuid: string
  readonly trashed_at: number
}

/** The columns of every new row. */
export interface NewRow {
  uuid: string
  workspace_uuid: string
  created_at: number
  updated_at: number
}

/** The store functions needed here; see OwnedRows. */
export interface OwnedStore<Row, Filter> {
  find(workspaceUuid: string, uuid: string): Promise<Row | undefined>
  findMany(workspaceUuid: string, uuids: readonly string[]): Promise<Row[]>
  list(workspaceUuid: string, window: ListWindow & Filter): Promise<Row[]>
  sortValue(row: Row, sort: string): number
  count(workspaceUuid: string, filter: Filter): Promise<number>
  update(seen: Row, changes: Partial<Row>): Promise<boolean>
  remove(workspaceUuid: string, uuids: readonly string[]): Promise<number>
  someOf(workspaceUuid: string, take: number): Promise<Row[]>
}

/** See RestorableRows. */
export interface RestorableStore<Row, Filter> extends OwnedStore<Row, Filter> {
  moveToTrash(workspaceUuid: string, uuids: readonly string[], trashedAt: number): Promise<number>
}

/** The rows to remove, to the trash (if there is one) or permanently. */
export interface Removal {
  readonly uuid?: string | null | undefined
  readonly uuids?: readonly string[] | null | undefined
  readonly permanent?: boolean | null | undefined
}

/** The differences between kinds of resources. */
export interface OwnedKind<Row, Resource> {
  /** Its name in errors: "There is no such QR code". */
  readonly noun: string
  /** Null: no plan limits it, and its rows are counted. */
  readonly total: OwnedTotal | null
  /** Presents rows together, so that related rows are looked up once. */
  readonly presenterOf: (workspaceUuid: string, rows: readonly Row[]) => Promise<(row: Row) => Resource>
  /** Rejects the removal of rows that belong to another resource, or that one needs. */
  readonly rejectParts?: (rows: readonly Row[]) => void | Promise<void>
  /** Called before rows are deleted: deletes their parts, and adds tombstones for their names. */
  readonly erasing?: (workspaceUuid: string, rows: readonly Row[]) => Promise<void>
}

/** The differences between kinds of resources with a trash. */
export interface RestorableKind<Row, Resource> extends OwnedKind<Row, Resource> {
  readonly type: TrashType
  /** The name of a row in the trash. */
  readonly label: (row: Row) => string
  /** Rejects restoring rows for which there is no room. */
  readonly restoring?: (workspaceUuid: string, count: number) => Promise<void>
  /** Rows were moved into or out of the trash: moves their parts, and clears caches. */
  readonly moved?: (workspaceUuid: string, rows: readonly Row[], isTrashed: boolean) => Promise<void>
}

/** The stored totals of owned resources. */
type OwnedTotal = 'links' | 'qrcodes' | 'barcodes' | 'utm' | 'pages' | 'domains'

/** The quota functions needed here. */
interface OwnedQuotas {
  take(workspaceUuid: string, name: OwnedTotal, count?: number): Promise<void>
  adjust(workspaceUuid: string, name: OwnedTotal, count: number): Promise<void>
}

export interface OwnedDependencies {
  readonly db: Database
  readonly quotas: OwnedQuotas
  readonly now: () => number
  readonly newId: () => string
}

export interface RestorableDependencies extends OwnedDependencies {
  readonly events: Events
  readonly trash: TrashStore
}

/** What the trash needs of a resource. */
export interface Restorable {
  readonly type: TrashType
  /** Restores rows, within the plan's quota; inside the write that removes them from the list of the trash. */
  restore(workspaceUuid: string, uuids: readonly string[]): Promise<void>
  /** Deletes rows in the trash with their parts; only tombstones stay. Inside a write. */
  erase(workspaceUuid: string, uuids: readonly string[]): Promise<void>
}
