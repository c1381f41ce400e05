import type { Flag, JobCaller } from './accounts.ts'

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
  /** The other tags, separated by `TAG_SEPARATOR`. */
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
  /** JSON lists, or null. */
  rules: string | null
  variants: string | null
  /** JSON of a StoredPreview, or null. */
  preview: string | null
  owner_type: string | null
  owner_uuid: string | null
  clicks: number
  bot_clicks: number
  imported_clicks: number
  /** When it was imported; null: it was not imported. */
  imported_at: number | null
  last_click_at: number | null
  /** The user who created it; null: the command line or a background job. */
  created_by: string | null
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: not in the trash. */
  trashed_at: number
}

/** Every short code of a link, including earlier ones. */
export interface ShortCodeRow {
  domain: string
  short_code: string
  link_uuid: string
  created_at: number
}

/** A tag of a link, including the first. Used to filter lists and count tags. */
export interface LinkTagRow {
  workspace_uuid: string
  tag: string
  link_uuid: string
}

/** The text that link search uses, with ASCII in lower case. Maintained by triggers. */
export interface LinkSearchTextRow {
  workspace_uuid: string
  link_uuid: string
  /** Short code and destination, which are ASCII. */
  address: string
  /** Title, description and tags. */
  words: string
}

/** A version of the destinations of a link. */
export interface LinkVersionRow {
  uuid: string
  link_uuid: string
  /** JSON of the stored columns. */
  version: string
  cause: 'created' | 'import' | 'dashboard' | 'key' | 'revert' | 'restore' | 'resource'
  cause_name: string | null
  created_at: number
}

/** The preview of a link for link-preview bots. */
export interface StoredPreview {
  readonly title: string | null
  readonly description: string | null
  /** An uploaded picture; null: one is drawn. */
  readonly image: { readonly hash: string; readonly width: number; readonly height: number } | null
}

export interface QrcodeRow {
  uuid: string
  workspace_uuid: string
  /** The last destination of the link that a code with content may have had. */
  url: string
  /** Its content instead of `url`, as JSON. */
  content: string | null
  /** The encoded text of a code with content; `encodes` is then empty. */
  payload: string | null
  content_text: string | null
  description: string | null
  size: number
  color: string
  eye_color: string
  background: string
  margin: number
  pattern: string
  style: string | null
  eye_style: string | null
  frame: string | null
  frame_font: string | null
  logo_hash: string | null
  dynamic: Flag
  link_uuid: string | null
  encodes: string
  drawing: string
  warnings: string
  /** JSON; null in rows from before grades. */
  grade: string | null
  version: string
  /** The user who created it; null: the command line or a background job. */
  created_by: string | null
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: not in the trash. */
  trashed_at: number
}

export interface BarcodeRow {
  uuid: string
  workspace_uuid: string
  url: string
  description: string | null
  size: number
  color: string
  text: string | null
  text_size: number
  text_color: string
  text_position: string
  symbology: string
  /** The encoded value instead of `url`, which is then the last destination of the link it may have had. */
  value: string | null
  dynamic: Flag
  link_uuid: string | null
  encodes: string
  warnings: string
  /** JSON; null in rows from before grades. */
  grade: string | null
  version: string
  /** The user who created it; null: the command line or a background job. */
  created_by: string | null
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: not in the trash. */
  trashed_at: number
}

export interface PageRow {
  uuid: string
  workspace_uuid: string
  domain: string
  slug: string
  title: string
  subtext: string | null
  config: string
  /** Unpublished changes as JSON. */
  draft: string | null
  link_uuid: string | null
  qrcode_uuid: string | null
  views: number
  version: string
  /** The user who created it; null: the command line or a background job. */
  created_by: string | null
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: not in the trash. */
  trashed_at: number
}

/** Every slug of a page, including earlier ones. */
export interface PageSlugRow {
  domain: string
  slug: string
  page_uuid: string
  created_at: number
}

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
  /** The user who created it; null: the command line or a background job. */
  created_by: string | null
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: not in the trash. */
  trashed_at: number
}

/** A deleted resource that can be restored. Its parts are in the trash as well, but have no row here. */
export interface TrashRow {
  uuid: string
  workspace_uuid: string
  type: string
  label: string
  trashed_at: number
}

export interface ImportRow extends JobCaller {
  uuid: string
  state: 'ready' | 'running' | 'done' | 'failed' | 'undoing' | 'undone'
  source: string
  /** What a position in the file is called. */
  unit: 'Line' | 'Item'
  filename: string
  on_taken: 'skip' | 'rename' | 'fail' | null
  /** The domain for links of unknown hosts. */
  domain: string | null
  /** The links of the file, one JSON object per line, until the import ends, or for a day after it failed. */
  file_hash: string | null
  /** The sealed key of the passwords in that file. */
  file_key: string | null
  /** Processed bytes of that file; updated in the same transaction as the links. */
  read_bytes: number
  total: number
  /** Number of links in the stored file. */
  importable: number
  /** Links that cannot be created on any domain, as counted by a preview, which excludes them from importable ones. */
  unplaced: number
  /** Links whose short code is taken, as counted by a preview. */
  taken: number
  processed: number
  created: number
  skipped: number
  renamed: number
  /** JSON. */
  columns: string
  /** JSON. */
  first_rows: string
  /** Problems of the file itself. JSON. */
  problems: string
  problem_count: number
  /** Problems found in a preview or run by comparison with the database. JSON. */
  run_problems: string
  run_problem_count: number
  error: string | null
  /** When it last had its turn: imports take turns. */
  turn_at: number
  created_at: number
  updated_at: number
  finished_at: number | null
}

/** A link that an import created. */
export interface ImportedLinkRow {
  import_uuid: string
  link_uuid: string
}

export interface BulkEditRow extends JobCaller {
  uuid: string
  state: 'running' | 'done' | 'undoing' | 'undone' | 'failed'
  /** JSON; null if the links were listed. */
  filter: string | null
  /** JSON, as validation returned it. */
  change: string
  /** Links with a smaller uuid are still to be processed; updated in the same transaction as their changes. */
  position: string
  total: number
  processed: number
  changed: number
  skipped: number
  /** 0 when the data to undo it has been deleted. */
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
  /** JSON: what was changed. */
  done: string
}
