/** Clicks of one user on one day, packed by clicks/batches/batch.ts. */
export interface ClickBatchRow {
  /** Whose: a number made of the uuid by clicks/scope-key.ts. */
  user_key: number
  /** Its first millisecond. */
  day: number
  id: string
  /** The day until the batch is added to `click_days`; null from then on. */
  open_day: number | null
  clicks: number
  data: Uint8Array
}

/** What could not be counted, kept by clicks/counting/set-aside.ts. */
export interface SetAsideClicksRow {
  user_key: number
  day: number
  id: string
  clicks: number
  reason: string
  /** Clicks as JSON, or a batch as it was stored. */
  data: Uint8Array
}

/** A part of what a week of an account adds up to for each link and page, packed by clicks/weeks. */
export interface ClickWeekRow {
  /** Whose: a number made of the uuid by clicks/scope-key.ts. */
  user_key: number
  /** Its first millisecond. */
  week: number
  part: string
  data: Uint8Array
}

/** The links and pages of a season's weeks, numbered by clicks/weeks/season-links.ts. */
export interface SeasonLinksRow {
  user_key: number
  /** The first millisecond of its first week. */
  season: number
  /** Eight bytes for each. They stay where they are: weeks know them by their place. */
  keys: Uint8Array
}

/** A week that got clicks since it was added up last. */
export interface DueWeekRow {
  user_key: number
  week: number
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
  language: string
  utm_source: string
  utm_medium: string
  utm_campaign: string
  variant: string
  rule: string
  source: string
}

export interface VisitorSaltRow {
  day: number
  salt: string
}

/** A visitor, a resource and a day as one number, made by clicks/counting/visit-id.ts. */
export interface VisitRow {
  id: number
}

/** Visits of one day that were new, five bytes each, as clicks/counting/visit-log.ts packs them. */
export interface VisitLogRow {
  /** A number made by clicks/counting/visit-id.ts. */
  day: number
  /** Grows with every row of a day. */
  sequence: number
  visits: number
  data: Uint8Array
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

/** What a batch of clicks adds to links and pages, written by clicks/counting/waiting-totals.ts. */
export interface WaitingTotalsRow {
  id: string
  totals: string
}
