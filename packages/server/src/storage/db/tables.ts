import type {
  ApiKeyRow,
  AuditLogRow,
  DomainClaimRow,
  DomainRow,
  ErasureRow,
  FeedbackRow,
  InvitationRow,
  InvoiceRow,
  MemberRow,
  EmailConfirmationRow,
  PasswordResetRow,
  RemovalReasonRow,
  SessionRow,
  TokenRow,
  UserRow,
  WorkspaceRow,
} from './rows/accounts.ts'
import type {
  ClickBatchRow,
  ClickSumsRow,
  LimitedClickRow,
  SetAsideClicksRow,
  SpoolPositionRow,
  VisitorSaltRow,
} from './rows/clicks.ts'
import type { BarcodeRow, QrcodeRow } from './rows/codes.ts'
import type { LinkRow, LinkSearchTextRow, LinkTagRow, LinkVersionRow, ShortCodeRow } from './rows/links.ts'
import type { BulkEditedLinkRow, BulkEditRow } from './rows/bulk-edits.ts'
import type { ImportedLinkRow, ImportRow } from './rows/imports.ts'
import type { PageRow, PageSlugRow } from './rows/pages.ts'
import type {
  BlobRefRow,
  BlockRow,
  BlobRow,
  IdempotencyRow,
  JobRunRow,
  KeptKeyRow,
  LeaseRow,
  SchemaMigrationRow,
  SequenceRow,
  TombstoneRow,
  TotalRow,
  UsedSignatureRow,
} from './rows/instance.ts'
import type { TrashRow } from './rows/trash.ts'
import type { UtmLinkRow } from './rows/utm.ts'
import type { WebhookClicksRow, WebhookDeliveryRow, WebhookRow } from './rows/webhooks.ts'

/** Times are epoch milliseconds, flags 0 or 1, documents JSON text; the default domain is ''. */
export interface Tables {
  schema_migrations: SchemaMigrationRow
  users: UserRow
  workspaces: WorkspaceRow
  members: MemberRow
  invitations: InvitationRow
  api_keys: ApiKeyRow
  tokens: TokenRow
  audit_log: AuditLogRow
  sessions: SessionRow
  password_resets: PasswordResetRow
  email_confirmations: EmailConfirmationRow
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
  set_aside_clicks: SetAsideClicksRow
  visitor_salts: VisitorSaltRow
  spool_positions: SpoolPositionRow
  limited_clicks: LimitedClickRow
  leases: LeaseRow
  job_runs: JobRunRow
}

export type * from './rows/accounts.ts'
export type * from './rows/bulk-edits.ts'
export type * from './rows/clicks.ts'
export type * from './rows/codes.ts'
export type * from './rows/imports.ts'
export type * from './rows/links.ts'
export type * from './rows/pages.ts'
export type * from './rows/instance.ts'
export type * from './rows/trash.ts'
export type * from './rows/utm.ts'
export type * from './rows/webhooks.ts'
