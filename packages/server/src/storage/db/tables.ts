import type { Generated } from 'kysely'

/** Times are epoch milliseconds, flags 0 or 1, documents JSON text; the default domain is ''. */
export interface Tables {
  schema_migrations: SchemaMigrationRow
  users: UserRow
  api_keys: ApiKeyRow
  sessions: SessionRow
  password_resets: PasswordResetRow
  feedback: FeedbackRow
  removal_reasons: RemovalReasonRow
  erasures: ErasureRow
  invoices: InvoiceRow
  sequences: SequenceRow
  used_signatures: UsedSignatureRow
  idempotency: IdempotencyRow
  totals: TotalRow
  blobs: BlobRow
  blob_refs: BlobRefRow
  domains: DomainRow
  links: LinkRow
  codes: CodeRow
  tombstones: TombstoneRow
  qrcodes: QrcodeRow
  barcodes: BarcodeRow
  utm_links: UtmLinkRow
  pages: PageRow
  page_slugs: PageSlugRow
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
  clicks: ClickRow
  click_days: ClickDayRow
  visitor_salts: VisitorSaltRow
  visits: VisitRow
  spool_positions: SpoolPositionRow
  limited_clicks: LimitedClickRow
  leases: LeaseRow
  job_runs: JobRunRow
}

type Flag = 0 | 1

export interface SchemaMigrationRow {
  name: string
  applied_at: number
}

export interface UserRow {
  uuid: string
  email: string
  password_hash: string
  first_name: string | null
  last_name: string | null
  phone: string | null
  address: string | null
  image_hash: string | null
  plan: string
  plan_started_at: number
  created_at: number
  updated_at: number
  removed_at: number | null
}

export interface ApiKeyRow {
  uuid: string
  user_uuid: string
  api_key: string
  secret_sealed: string
  name: string | null
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
}

export interface SessionRow {
  uuid: string
  user_uuid: string
  token_hash: string
  previous_token_hash: string | null
  rotated_at: number
  user_agent: string | null
  created_at: number
  last_used_at: number
  expires_at: number
}

export interface PasswordResetRow {
  token_hash: string
  user_uuid: string
  expires_at: number
}

export interface FeedbackRow {
  uuid: string
  user_uuid: string
  feedback: string
  image_hash: string | null
  created_at: number
}

export interface RemovalReasonRow {
  uuid: string
  reason: string
  created_at: number
}

export interface ErasureRow {
  user_uuid: string
  requested_at: number
}

export interface InvoiceRow {
  uuid: string
  number: string
  /** Null once its account is removed: the law keeps the invoice, not the person. */
  user_uuid: string | null
  period_start: number
  period_end: number
  issued_at: number
  document: string
}

export interface SequenceRow {
  name: string
  value: number
}

export interface UsedSignatureRow {
  api_key: string
  signature: string
  expires_at: number
}

export interface IdempotencyRow {
  user_uuid: string
  operation: string
  key: string
  digest: string
  state: 'running' | 'done'
  status: number | null
  body: string | null
  claimed_at: number
  expires_at: number
}

export interface TotalRow {
  user_uuid: string
  resource: string
  total: number
}

export interface BlobRow {
  hash: string
  bytes: number
  width: number | null
  height: number | null
  created_at: number
}

export interface BlobRefRow {
  hash: string
  owner: string
  user_uuid: string | null
  created_at: number
}

export interface DomainRow {
  name: string
  /** Null: everyone may use it. */
  user_uuid: string | null
  token: string
  verified_at: number | null
  created_at: number
}

export interface LinkRow {
  uuid: string
  user_uuid: string
  domain: string
  code: string
  url: string
  description: string | null
  tag: string | null
  expires_at: number | null
  custom: Flag
  redirect: number
  password_hash: string | null
  max_clicks: number | null
  ios_url: string | null
  android_url: string | null
  owner_type: string | null
  owner_uuid: string | null
  clicks: number
  bot_clicks: number
  last_click_at: number | null
  created_at: number
  updated_at: number
}

/** Every code that leads to a link, the names it had before too. */
export interface CodeRow {
  domain: string
  code: string
  link_uuid: string
  created_at: number
}

/** Keyed hash of a code or slug that is gone for good: it answers 410 and is never given away. */
export interface TombstoneRow {
  hash: string
  created_at: number
}

export interface QrcodeRow {
  uuid: string
  user_uuid: string
  url: string
  description: string | null
  size: number
  color: string
  eye_color: string
  background: string
  margin: number
  pattern: string
  logo_hash: string | null
  dynamic: Flag
  link_uuid: string | null
  encodes: string
  drawing: string
  warnings: string
  version: string
  created_at: number
  updated_at: number
}

export interface BarcodeRow {
  uuid: string
  user_uuid: string
  url: string
  description: string | null
  size: number
  color: string
  text: string | null
  text_size: number
  text_color: string
  text_position: string
  symbology: string
  dynamic: Flag
  link_uuid: string | null
  encodes: string
  warnings: string
  version: string
  created_at: number
  updated_at: number
}

export interface UtmLinkRow {
  uuid: string
  user_uuid: string
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
}

export interface PageRow {
  uuid: string
  user_uuid: string
  domain: string
  slug: string
  title: string
  subtext: string | null
  config: string
  link_uuid: string | null
  qrcode_uuid: string | null
  views: number
  version: string
  created_at: number
  updated_at: number
}

/** Every slug that leads to a page, the names it had before too. */
export interface PageSlugRow {
  domain: string
  slug: string
  page_uuid: string
  created_at: number
}

export interface WebhookRow {
  uuid: string
  user_uuid: string
  url: string
  description: string | null
  /** JSON list of event types; null: all of them. */
  events: string | null
  enabled: Flag
  /** Why it was switched off, if nobody asked for that. */
  disabled_reason: string | null
  /** The first failure after which nothing has arrived. */
  failing_since: number | null
  secret_sealed: string
  created_at: number
  updated_at: number
}

/** An event on its way to one webhook; written together with the change that it reports. */
export interface WebhookDeliveryRow {
  uuid: string
  webhook_uuid: string
  user_uuid: string
  type: string
  /** What is sent and signed, byte for byte the same in every attempt. */
  body: string
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** When it is to be sent; while it is being sent, when others may conclude that its sender died. Null: ended. */
  due_at: number | null
  /** What the receiver answered last. */
  status: number | null
  error: string | null
  created_at: number
  last_attempt_at: number | null
  ended_at: number | null
}

// Clicks and what is counted from them

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
  /** Salted hash of the day. */
  visitor: number
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

/** Who does something that one process at a time may do; every beat says that the holder still lives. */
export interface LeaseRow {
  name: string
  /** Empty: nobody. */
  holder: string
  beat: number
}

export interface JobRunRow {
  name: string
  started_at: number
  /** Null while it runs, and after it failed or its process died. */
  ended_at: number | null
}
