export interface BulkEditRow {
  uuid: string
  workspace_uuid: string
  /** The API key that asked for it; null: the dashboard. */
  key_uuid: string | null
  state: 'running' | 'done' | 'undoing' | 'undone' | 'failed'
  /** JSON; null if the links were named. */
  filter: string | null
  /** JSON, as validation returned it. */
  change: string
  /** Links with a smaller uuid are still to be dealt with; moves on in the same transaction as their changes. */
  position: string
  total: number
  processed: number
  changed: number
  skipped: number
  /** 0 when it is no longer known what was changed. */
  undoable: number
  error: string | null
  /** When it last had its turn: bulk edits take turns. */
  turn_at: number
  created_at: number
  updated_at: number
  finished_at: number | null
}

/** A link that a bulk edit changed. */
export interface BulkEditedLinkRow {
  bulk_edit_uuid: string
  link_uuid: string
  /** JSON: what was changed about it. */
  done: string
}
