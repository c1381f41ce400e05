export interface PageRow {
  uuid: string
  workspace_uuid: string
  domain: string
  slug: string
  title: string
  subtext: string | null
  config: string
  /** Changes that are not published yet, as JSON. */
  draft: string | null
  link_uuid: string | null
  qrcode_uuid: string | null
  views: number
  version: string
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: it was not. */
  trashed_at: number
}

/** Every slug that leads to a page, the names it had before too. */
export interface PageSlugRow {
  domain: string
  slug: string
  page_uuid: string
  created_at: number
}
