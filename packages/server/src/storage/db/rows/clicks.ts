import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

export interface ClickRow {
  id: Generated<number>
  at: number
  kind: 'link' | 'page' | 'button' | 'icon'
  subject_uuid: string
  user_uuid: string
  detail: string
  /** Empty strings: not known. */
  country: string
  referrer: string
  device: string
  browser: string
  system: string
  bot: Flag
}

/**
 * A day of a link, of a page or of all links of a user. The texts are lists in JSON, empty for nothing: how they are
 * read and added to, clicks/day-texts.ts knows.
 */
export interface ClickDayRow {
  /** Whose: numbers made of uuids by clicks/scope-key.ts. */
  user_key: number
  /** A link or page; 0: all links of the user together. */
  scope_key: number
  /** Its first millisecond. */
  day: number
  clicks: number
  /** Visitors seen for the first time that day. */
  uniques: number
  bots: number
  hours: string
  country: string
  referrer: string
  device: string
  browser: string
  system: string
  button: string
  icon: string
}

export interface VisitorSaltRow {
  day: number
  salt: string
}

/** Somebody came to something on some day: clicks/visit-id.ts makes a number of the three. */
export interface VisitRow {
  id: number
}

/** How far a spool file is counted. */
export interface SpoolPositionRow {
  file: string
  position: number
  finished_at: number | null
}

/** Redirects given so far by a link that allows a number of them. */
export interface LimitedClickRow {
  link_uuid: string
  used: number
}
