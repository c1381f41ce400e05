/** Clicks of one workspace and UTC day, packed by clicks/batches/packed-batch.ts. */
export interface ClickBatchRow {
  workspace_uuid: string
  /** Its first millisecond. */
  day: number
  id: string
  /** The day until its batches are merged for the last time; null from then on. */
  open_day: number | null
  /** When the first click of the batch was. */
  first_at: number
  clicks: number
  data: Uint8Array
}

/** Sums of one workspace and UTC month, packed by clicks/statistics/sums.ts. */
export interface ClickSumsRow {
  workspace_uuid: string
  /** Its first millisecond. */
  month: number
  /** The part of the month: all rows of a part were written together. */
  id: string
  dimension: string
  /** How many clicks the part was made of. */
  clicks: number
  data: Uint8Array
}

/** Days of a month in ClickHouse that are in `click_sums` already, until the month's rows are dropped. */
export interface SummedMonthRow {
  workspace_uuid: string
  /** Its first millisecond. */
  month: number
  /** All days before this one. */
  before_day: number
}

/** Clicks of a month in ClickHouse that are in `click_batches` again, until the month's rows are dropped. */
export interface FetchedClicksRow {
  /** '' for the fetching as a whole, from its begin to its end. */
  workspace_uuid: string
  month: number
  /** All clicks before this moment. */
  before_at: number
  /** How many they are. */
  clicks: number
}

/** A workspace whose rows in ClickHouse are hidden. */
export interface ErasedClicksRow {
  workspace_uuid: string
  /** When its rows were last told to be deleted. */
  deleted_at: number | null
}

/** Clicks that could not be counted, stored by clicks/counting/set-aside.ts. */
export interface SetAsideClicksRow {
  workspace_uuid: string
  day: number
  id: string
  clicks: number
  reason: string
  /** Clicks as JSON, or a batch as it was stored. */
  data: Uint8Array
}

export interface VisitorSaltRow {
  day: number
  salt: string
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
