import type { Kysely } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { up as accounts } from './baseline/0001_accounts.ts'
import { up as links } from './baseline/0002_links.ts'
import { up as clicks } from './baseline/0003_clicks.ts'
import { up as codes } from './baseline/0004_codes.ts'
import { up as pages } from './baseline/0005_pages.ts'
import { up as utm } from './baseline/0006_utm.ts'
import { up as leases } from './baseline/0007_leases.ts'
import { up as webhooks } from './baseline/0008_webhooks.ts'
import { up as linkTitle } from './baseline/0009_link_title.ts'
import { up as shortCodes } from './baseline/0010_short_codes.ts'
import { up as confirmedAddresses } from './baseline/0020_confirmed_addresses.ts'
import { up as domainClaims } from './baseline/0021_domain_claims.ts'
import { up as qrStyles } from './baseline/0030_qr_styles.ts'
import { up as barcodeValue } from './baseline/0032_barcode_value.ts'
import { up as pageDraft } from './baseline/0035_page_draft.ts'
import { up as brandKit } from './baseline/0036_brand_kit.ts'
import { up as trash } from './baseline/0040_trash.ts'
import { up as linkTags } from './baseline/0050_link_tags.ts'
import { up as linkSchedule } from './baseline/0051_link_schedule.ts'
import { up as linkRules } from './baseline/0052_link_rules.ts'
import { up as linkHistory } from './baseline/0053_link_history.ts'
import { up as linkPreview } from './baseline/0054_link_preview.ts'
import { up as importedLinks } from './baseline/0055_imported_links.ts'
import { up as domainVersions } from './baseline/0056_domain_versions.ts'
import { up as webhookTrash } from './baseline/0057_webhook_trash.ts'
import { up as linkLists } from './baseline/0059_link_lists.ts'
import { up as anonymousClicks } from './baseline/0060_anonymous_clicks.ts'
import { up as clickBatches } from './baseline/0061_click_batches.ts'
import { up as webhookClicks } from './baseline/0070_webhook_clicks.ts'
import { up as domainSettings } from './baseline/0080_domain_settings.ts'
import { up as blocks } from './baseline/0081_blocks.ts'
import { up as keptKeys } from './baseline/0082_kept_keys.ts'
import { up as imports } from './baseline/0090_imports.ts'
import { up as keyScope } from './baseline/0091_key_scope.ts'
import { up as bulkEdits } from './baseline/0095_bulk_edits.ts'
import { up as domainUuids } from './baseline/0155_domain_uuids.ts'
import { up as waitingTotals } from './baseline/0160_waiting_totals.ts'
import { up as visitLog } from './baseline/0161_visit_log.ts'
import { up as linkSearchTexts } from './baseline/0170_link_search_texts.ts'
import { up as clickWeeks } from './baseline/0180_click_weeks.ts'
import { up as seasonLinks } from './baseline/0181_season_links.ts'
import { up as quarterParts } from './baseline/0182_quarter_parts.ts'

export const release = '1.0.0'

/** How the schema came to be before the first release, in order. Neither this list nor a step is ever changed. */
const steps = [
  accounts,
  links,
  clicks,
  codes,
  pages,
  utm,
  leases,
  webhooks,
  linkTitle,
  shortCodes,
  confirmedAddresses,
  domainClaims,
  qrStyles,
  barcodeValue,
  pageDraft,
  brandKit,
  trash,
  linkTags,
  linkSchedule,
  linkRules,
  linkHistory,
  linkPreview,
  importedLinks,
  domainVersions,
  webhookTrash,
  linkLists,
  anonymousClicks,
  clickBatches,
  webhookClicks,
  domainSettings,
  blocks,
  keptKeys,
  imports,
  keyScope,
  bulkEdits,
  domainUuids,
  waitingTotals,
  visitLog,
  linkSearchTexts,
  clickWeeks,
  seasonLinks,
  quarterParts,
]

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const step of steps) await step(db, dialect)
}
