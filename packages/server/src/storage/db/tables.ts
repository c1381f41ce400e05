import type {
  ApiKeyRow,
  AuditLogRow,
  BlobRefRow,
  BlobRow,
  BlockRow,
  DomainClaimRow,
  DomainRow,
  EmailConfirmationRow,
  ErasureRow,
  FeedbackRow,
  IdentityRow,
  IdempotencyRow,
  InvitationRow,
  InvoiceRow,
  JobRunRow,
  KeptKeyRow,
  LeaseRow,
  MemberRow,
  PasskeyRow,
  PasswordResetRow,
  RecoveryCodeRow,
  RemovalReasonRow,
  SchemaMigrationRow,
  SecurityEventRow,
  SequenceRow,
  SessionRow,
  SharedStatisticsRow,
  CodeTriesRow,
  SignInChallengeRow,
  TokenRow,
  TotpFactorRow,
  TombstoneRow,
  TotalRow,
  UsedChallengeRow,
  UsedSignatureRow,
  UserRow,
  WebhookClicksRow,
  WebhookDeliveryRow,
  WebhookRow,
  WorkspaceRow,
} from './rows/accounts.ts'
import type {
  ClickBatchRow,
  ClickSumsRow,
  ErasedClicksRow,
  FetchedClicksRow,
  SentPeriodRow,
  SummedMonthRow,
  LimitedClickRow,
  SetAsideClicksRow,
  SpoolPositionRow,
  VisitorSaltRow,
} from './rows/clicks.ts'
import type {
  BarcodeRow,
  BulkEditedLinkRow,
  BulkEditRow,
  ImportedLinkRow,
  ImportRow,
  LinkRow,
  LinkSearchTextRow,
  LinkTagRow,
  LinkVersionRow,
  PageRow,
  PageSlugRow,
  QrcodeRow,
  ShortCodeRow,
  TrashRow,
  UtmLinkRow,
} from './rows/links.ts'

/** Times are epoch milliseconds, flags 0 or 1, documents JSON text; the default domain is ''. */
export interface Tables {
  schema_migrations: SchemaMigrationRow
  users: UserRow
  workspaces: WorkspaceRow
  members: MemberRow
  invitations: InvitationRow
  api_keys: ApiKeyRow
  tokens: TokenRow
  shared_statistics: SharedStatisticsRow
  audit_log: AuditLogRow
  sessions: SessionRow
  security_events: SecurityEventRow
  password_resets: PasswordResetRow
  email_confirmations: EmailConfirmationRow
  totp_factors: TotpFactorRow
  recovery_codes: RecoveryCodeRow
  code_tries: CodeTriesRow
  sign_in_challenges: SignInChallengeRow
  passkeys: PasskeyRow
  identities: IdentityRow
  used_challenges: UsedChallengeRow
  feedback: FeedbackRow
  removal_reasons: RemovalReasonRow
  erasures: ErasureRow
  invoices: InvoiceRow
  sequences: SequenceRow
  used_signatures: UsedSignatureRow
  idempotency: IdempotencyRow
  totals: TotalRow
  blobs: BlobRow
  blocks: BlockRow
  kept_keys: KeptKeyRow
  blob_refs: BlobRefRow
  domains: DomainRow
  domain_claims: DomainClaimRow
  links: LinkRow
  short_codes: ShortCodeRow
  link_tags: LinkTagRow
  link_search_texts: LinkSearchTextRow
  link_versions: LinkVersionRow
  bulk_edits: BulkEditRow
  bulk_edited_links: BulkEditedLinkRow
  imports: ImportRow
  imported_links: ImportedLinkRow
  tombstones: TombstoneRow
  qrcodes: QrcodeRow
  barcodes: BarcodeRow
  utm_links: UtmLinkRow
  pages: PageRow
  page_slugs: PageSlugRow
  trash: TrashRow
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
  webhook_clicks: WebhookClicksRow
  click_batches: ClickBatchRow
  click_sums: ClickSumsRow
  sent_periods: SentPeriodRow
  summed_months: SummedMonthRow
  fetched_clicks: FetchedClicksRow
  erased_clicks: ErasedClicksRow
  set_aside_clicks: SetAsideClicksRow
  visitor_salts: VisitorSaltRow
  spool_positions: SpoolPositionRow
  limited_clicks: LimitedClickRow
  leases: LeaseRow
  job_runs: JobRunRow
}

export type * from './rows/accounts.ts'
export type * from './rows/links.ts'
export type * from './rows/clicks.ts'
export type * from './rows/links.ts'
export type * from './rows/links.ts'
export type * from './rows/links.ts'
export type * from './rows/links.ts'
export type * from './rows/accounts.ts'
export type * from './rows/links.ts'
export type * from './rows/links.ts'
export type * from './rows/accounts.ts'

/**
 * Salts that identify visitors of a day. No copy of the data includes them: with a salt in a backup, the addresses behind a
 * day's clicks could be found by brute force long after the day.
 */
export const VISITOR_TABLES = ['visitor_salts'] as const
