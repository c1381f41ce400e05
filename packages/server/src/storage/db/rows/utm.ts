export interface UtmLinkRow {
  uuid: string
  workspace_uuid: string
  url: string
  source: string | null
  medium: string | null
  campaign: string | null
  content: string | null
  term: string | null
  utm_url: string
  link_uuid: string | null
  warnings: string
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: it was not. */
  trashed_at: number
}
