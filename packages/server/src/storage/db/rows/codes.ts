import type { Flag } from './flag.ts'

export interface QrcodeRow {
  uuid: string
  workspace_uuid: string
  /** The last destination of the link that a code of a content may have had. */
  url: string
  /** What it says in place of `url`, as JSON. */
  content: string | null
  /** What a code of a content encodes; `encodes` is then empty. */
  payload: string | null
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
  logo_hash: string | null
  dynamic: Flag
  link_uuid: string | null
  encodes: string
  drawing: string
  warnings: string
  version: string
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: it was not. */
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
  /** What it encodes in place of `url`, which then is the last destination of the link it may have had. */
  value: string | null
  dynamic: Flag
  link_uuid: string | null
  encodes: string
  warnings: string
  version: string
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: it was not. */
  trashed_at: number
}
