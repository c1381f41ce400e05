/** A removed resource that can be restored. What belongs to it is in the trash as well, and not listed here. */
export interface TrashRow {
  uuid: string
  workspace_uuid: string
  type: string
  label: string
  trashed_at: number
}
