import type { TrashType } from '@waymark/contract'
import type { Events } from './events.ts'
import type { Database } from '../../storage/db/database.ts'
import type { ListWindow } from './listing.ts'
import type { TrashStore } from './trash.store.ts'

/** What every owned resource has. */
export interface OwnedRow {
  readonly uuid: string
  /** Null: it belongs to the instance. No account finds such a row as its own. */
  readonly workspace_uuid: string | null
  readonly updated_at: number
  /** When it was moved to the trash; 0 or absent: it is in use. */
  readonly trashed_at?: number
}

/** What a resource has that is removed by way of the trash. */
export interface RestorableRow extends OwnedRow {
  readonly workspace_uuid: string
  readonly trashed_at: number
}

/** The columns that every new row has. */
export interface NewRow {
  uuid: string
  workspace_uuid: string
  created_at: number
  updated_at: number
}

/** What this needs of a store; see OwnedRows. */
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

/** What to remove: one or many, to the trash (where there is one) or for good. */
export interface Removal {
  readonly uuid?: string | null | undefined
  readonly uuids?: readonly string[] | null | undefined
  readonly permanent?: boolean | null | undefined
}

/** In what a resource differs from the others. */
export interface OwnedKind<Row, Resource> {
  /** What errors call it: "There is no such QR code". */
  readonly noun: string
  /** Null: no plan limits it, and its rows are counted. */
  readonly total: OwnedTotal | null
  /** Rows are presented together, so that what they show of others is looked up once. */
  readonly presenterOf: (workspaceUuid: string, rows: readonly Row[]) => Promise<(row: Row) => Resource>
  /** Rejects the removal of rows that are part of something else, or that something else needs. */
  readonly rejectParts?: (rows: readonly Row[]) => void | Promise<void>
  /** Rows are about to be deleted: what belongs to them goes first, and their names get tombstones. */
  readonly erasing?: (workspaceUuid: string, rows: readonly Row[]) => Promise<void>
}

/** In what a resource differs from the others that are removed by way of the trash. */
export interface RestorableKind<Row, Resource> extends OwnedKind<Row, Resource> {
  readonly type: TrashType
  /** What the trash calls a row. */
  readonly label: (row: Row) => string
  /** Rejects the return of rows for which there is no room. */
  readonly restoring?: (workspaceUuid: string, count: number) => Promise<void>
  /** Rows came into the trash or out of it: what belongs to them follows, and caches forget them. */
  readonly moved?: (workspaceUuid: string, rows: readonly Row[], isTrashed: boolean) => Promise<void>
}

/** The kept totals of owned resources. */
type OwnedTotal = 'links' | 'qrcodes' | 'barcodes' | 'utm' | 'pages' | 'domains'

/** What this needs of the quotas of accounts. */
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
  /** Puts rows back, within the plan's quota; inside the write that takes them out of the trash's list. */
  restore(workspaceUuid: string, uuids: readonly string[]): Promise<void>
  /** Deletes rows that are out of use, with what belongs to them; only tombstones stay. Inside a write. */
  erase(workspaceUuid: string, uuids: readonly string[]): Promise<void>
}
