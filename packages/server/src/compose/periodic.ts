import { sweepClicks } from '../clicks/statistics/retention.ts'
import type { InvoiceService } from '../modules/accounts/invoices.service.ts'
import type { RemovalService } from '../modules/accounts/removal.service.ts'
import type { UserStore } from '../modules/accounts/users.store.ts'
import type { SessionService } from '../modules/sessions/sessions.service.ts'
import type { WebhookService } from '../modules/webhooks/webhooks.service.ts'
import type { BlobKeeper } from '../storage/blobs/keeper.ts'
import type { Database } from '../storage/db/database.ts'
import type { Idempotency } from '../api/idempotency.ts'
import type { Job } from '../runtime/jobs/jobs.ts'

const USERS_AT_ONCE = 500

interface Worked {
  readonly db: Database
  readonly users: UserStore
  readonly invoices: InvoiceService
  readonly removal: RemovalService
  readonly sessions: SessionService
  readonly blobs: BlobKeeper
  readonly webhooks: { readonly service: WebhookService }
}

/** What has to be done without anybody asking. Minutes differ, so that not everything comes at once. */
export function periodicJobs(
  core: Worked,
  idempotency: Pick<Idempotency, 'sweep'>,
  { clickRetentionDays, now }: { clickRetentionDays: number; now: () => number },
): Job[] {
  return [
    { name: 'removals', cron: '5 * * * *', atTakeover: true, run: () => core.removal.resume() },
    { name: 'sessions', cron: '15 * * * *', run: () => core.sessions.sweep() },
    { name: 'idempotency', cron: '25 * * * *', run: () => idempotency.sweep() },
    { name: 'files', cron: '35 * * * *', run: (signal) => core.blobs.sweep(signal) },
    { name: 'webhooks', cron: '45 * * * *', run: () => core.webhooks.service.sweep() },
    { name: 'invoices', cron: '10 0 * * *', run: (signal) => issueInvoices(core, signal) },
    {
      name: 'clicks',
      cron: '40 2 * * *',
      run: () => sweepClicks(core.db, { nowMs: now(), retentionDays: clickRetentionDays }),
    },
  ]
}

async function issueInvoices({ users, invoices }: Worked, signal: AbortSignal): Promise<void> {
  for (let after = ''; ;) {
    const some = await users.listAfter(after, USERS_AT_ONCE)
    for (const user of some) {
      if (signal.aborted) return
      await invoices.issueDue(user)
    }
    const last = some.at(-1)
    if (last === undefined) return
    after = last.uuid
  }
}
