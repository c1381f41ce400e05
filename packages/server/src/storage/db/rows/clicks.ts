/** Clicks of one workspace and UTC day, packed by clicks/batches/packed-batch.ts. */
export interface ClickBatchRow {
  workspace_uuid: string
  /** First millisecond of the day. */
  day: number
  id: string
  /** The day, until its batches have been merged for the last time; then null. */
  open_day: number | null
  /** Time of the first click in the batch. */
  first_at: number
  clicks: number
  data: Uint8Array
}

/** Sums of one workspace and UTC month, packed by clicks/statistics/sums.ts. */
export interface ClickSumsRow {
  workspace_uuid: string
  /** First millisecond of the month. */
  month: number
  /** The part of the month. All rows of a part were written together. */
  id: string
  dimension: string
  /** Number of clicks in the part. */
  clicks: number
  data: Uint8Array
}

/** The days of a workspace that have clicks in ClickHouse, and no longer in `click_batches`. */
export interface SentPeriodRow {
  workspace_uuid: string
  /** First millisecond of the first day. */
  first_day: number
  /** First millisecond of the last day. */
  last_day: number
  /** 1: statistics without ClickHouse go on as if these clicks did not exist. */
  given_up: number
}

/** Days of a month in ClickHouse that are already in `click_sums`, until the rows of the month are dropped. */
export interface SummedMonthRow {
  workspace_uuid: string
  /** First millisecond of the month. */
  month: number
  /** All days before this one are summed. */
  before_day: number
}

/** Clicks of a month in ClickHouse that are back in `click_batches`, until the rows of the month are dropped. */
export interface FetchedClicksRow {
  /** '' for the whole run, from start to end. */
  workspace_uuid: string
  month: number
  /** All clicks before this moment have been fetched. */
  before_at: number
  /** Number of fetched clicks. */
  clicks: number
}

/** A workspace whose rows in ClickHouse are hidden. */
export interface ErasedClicksRow {
  workspace_uuid: string
  /** When deletion of its rows was last requested. */
  deleted_at: number | null
}

/** Clicks that could not be counted, stored by clicks/counting/set-aside.ts. */
export interface SetAsideClicksRow {
  workspace_uuid: string
  day: number
  id: string
  clicks: number
  reason: string
  /** Clicks as JSON, or a batch in its stored form. */
  data: Uint8Array
}

export interface VisitorSaltRow {
  day: number
  salt: string
}

/** Position up to which a spool file is counted. */
export interface SpoolPositionRow {
  file: string
  position: number
  finished_at: number | null
}

/** Number of redirects so far of a link with a click limit. */
export interface LimitedClickRow {
  link_uuid: string
  used: number
}
