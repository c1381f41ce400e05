import type { Flag } from './flag.ts'

export interface LinkRow {
  uuid: string
  workspace_uuid: string
  domain: string
  short_code: string
  url: string
  title: string | null
  description: string | null
  /** The first tag. */
  tag: string | null
  /** The other tags, with `TAG_SEPARATOR` between them. */
  more_tags: string | null
  archived: Flag
  starts_at: number | null
  expires_at: number | null
  custom: Flag
  redirect: number
  password_hash: string | null
  max_clicks: number | null
  ios_url: string | null
  android_url: string | null
  forward_query: Flag
  forward_path: Flag
  /** JSON lists; null for none. */
  rules: string | null
  variants: string | null
  /** JSON of a StoredPreview; null for none. */
  preview: string | null
  owner_type: string | null
  owner_uuid: string | null
  clicks: number
  bot_clicks: number
  imported_clicks: number
  /** When it was imported; null: it was not. */
  imported_at: number | null
  last_click_at: number | null
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: it was not. */
  trashed_at: number
}

/** Every short code that leads to a link, those it had before too. */
export interface ShortCodeRow {
  domain: string
  short_code: string
  link_uuid: string
  created_at: number
}

/** A tag of a link, the first one too: what lists are filtered and tags counted by. */
export interface LinkTagRow {
  workspace_uuid: string
  tag: string
  link_uuid: string
}

/** What a search of links looks into, with ASCII in lower case; kept by triggers, and only read. */
export interface LinkSearchTextRow {
  workspace_uuid: string
  link_uuid: string
  /** Short code and destination, which are ASCII. */
  address: string
  /** Title, description and tags. */
  words: string
}

/** Where a link led from a change on. */
export interface LinkVersionRow {
  uuid: string
  link_uuid: string
  /** JSON of the columns that are kept. */
  version: string
  cause: 'created' | 'import' | 'dashboard' | 'key' | 'revert' | 'restore' | 'resource'
  cause_name: string | null
  created_at: number
}

/** What preview fetchers are shown of a link. */
export interface StoredPreview {
  readonly title: string | null
  readonly description: string | null
  /** An uploaded picture; null: one is drawn. */
  readonly image: { readonly hash: string; readonly width: number; readonly height: number } | null
}
