import type { Data } from '@waymark/contract/schemas'
import type { InvoiceDocument } from '../../imaging/invoices/invoice-sheet.ts'
import { renderInvoicePdf } from '../../imaging/invoices/invoice-pdf.ts'
import { type Listed, type ListRequest, listWindow, toListed } from '../../modules/owned/listing.ts'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import { bumpTotal, readTotal } from '../../storage/db/totals.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { isoTime } from '../../work/times.ts'
import type { InvoiceStore } from './invoices.store.ts'
import type { WorkspaceRow, WorkspaceStore } from './workspaces.store.ts'
import { type Period, periodsUntil, type Plans, type PlanTerms } from './plans.ts'
import type { UserRow } from './users.store.ts'

const WORKSPACES_AT_ONCE = 500

export type Invoice = Data<'downloadInvoice'>

const PDF_LINK_MS = 15 * 60 * 1000
const PURPOSE = 'invoice link'

export interface InvoiceDependencies {
  readonly db: Database
  readonly store: InvoiceStore
  readonly workspaces: WorkspaceStore
  readonly plans: Plans
  readonly seller: { readonly name: string; readonly address: string | null; readonly taxId: string | null }
  readonly secrets: Secrets
  readonly baseUrl: string
  readonly invoicePath: string
  readonly now: () => number
  readonly newId: () => string
}

type InvoiceRow = Awaited<ReturnType<InvoiceStore['list']>>[number]

const documentOf = (
  owner: UserRow | undefined,
  terms: PlanTerms,
  period: Period,
  number: string,
  issuedAtMs: number,
  seller: InvoiceDependencies['seller'],
): InvoiceDocument => {
  const taxAmount = Math.round((terms.price * terms.taxRate) / 100)
  const { first_name = null, last_name = null, email = '', address = null } = owner ?? {}
  const name = [first_name, last_name].filter((part) => part !== null && part !== '').join(' ')
  return {
    number,
    issued_at: isoTime(issuedAtMs),
    due_at: isoTime(issuedAtMs),
    period_start: isoTime(period.startMs),
    period_end: isoTime(period.endMs),
    currency: terms.currency,
    seller: { name: seller.name, address: seller.address, tax_id: seller.taxId },
    buyer: { name: name === '' ? email : name, email, address },
    lines: [
      {
        description: `Plan ${terms.name}, one ${terms.interval}`,
        quantity: 1,
        unit_price: terms.price,
        amount: terms.price,
      },
    ],
    subtotal: terms.price,
    tax: { rate: terms.taxRate, amount: taxAmount },
    total: terms.price + taxAmount,
  }
}

/** Invoices: one per period of a plan, numbered without gaps. */
export class InvoiceService {
  readonly #deps: InvoiceDependencies

  constructor(deps: InvoiceDependencies) {
    this.#deps = deps
  }

  /** Issues due invoices; called when a workspace reads its invoices, and daily for all of them. */
  async issueDue(workspace: WorkspaceRow): Promise<void> {
    const { db, store, plans, now } = this.#deps
    const terms = plans.termsOf(workspace.plan)
    const periods = periodsUntil(workspace.plan_started_at, terms.interval, now())
    const last = (await store.lastPeriodStart(workspace.uuid)) ?? Number.NEGATIVE_INFINITY
    for (const period of periods.filter(({ startMs }) => startMs > last))
      await db.write(() => this.#issue(workspace, terms, period)).catch(ifInvoiced)
  }

  /** Issues due invoices of every workspace. */
  async issueAllDue(signal: AbortSignal): Promise<void> {
    for (let after = ''; ;) {
      const some = await this.#deps.workspaces.listAfter(after, WORKSPACES_AT_ONCE)
      for (const workspace of some) {
        if (signal.aborted) return
        await this.issueDue(workspace)
      }
      const last = some.at(-1)
      if (last === undefined) return
      after = last.uuid
    }
  }

  async #issue({ uuid }: WorkspaceRow, terms: PlanTerms, period: Period): Promise<void> {
    const { db, store, workspaces, seller, now, newId } = this.#deps
    // The number is taken first, which locks the sequence, so that two requests cannot invoice the same period.
    const number = `INV-${String(await store.nextNumber()).padStart(6, '0')}`
    if (await store.exists(uuid, period.startMs)) throw new PeriodInvoiced()
    const issuedAtMs = now()
    const owner = await workspaces.oldestOwner(uuid)
    await store.insert({
      uuid: newId(),
      number,
      workspace_uuid: uuid,
      period_start: period.startMs,
      period_end: period.endMs,
      issued_at: issuedAtMs,
      document: JSON.stringify(documentOf(owner, terms, period, number, issuedAtMs, seller)),
    })
    await bumpTotal(db, uuid, 'invoices', 1)
  }

  async get(workspaceUuid: string, number: string | undefined): Promise<Invoice> {
    return this.#present(await this.#find(workspaceUuid, number))
  }

  async pdf(workspaceUuid: string, number: string | undefined): Promise<Buffer> {
    return renderInvoicePdf(JSON.parse((await this.#find(workspaceUuid, number)).document) as InvoiceDocument)
  }

  async list(workspaceUuid: string, request: ListRequest): Promise<Listed<Invoice>> {
    const { db, store } = this.#deps
    await this.#issueDueOf(workspaceUuid)
    const window = listWindow(request)
    const rows = await store.list(workspaceUuid, window)
    return toListed(rows, window, await readTotal(db, workspaceUuid, 'invoices'), (row) => this.#present(row))
  }

  /** The PDF at a signed link, or undefined if the link is forged or expired. */
  async pdfByLink(number: string, expires: string, signature: string): Promise<Buffer | undefined> {
    const { secrets, store, now } = this.#deps
    if (!secrets.verify(PURPOSE, `${number}\n${expires}`, signature) || Number(expires) < now())
      return undefined
    const row = await store.findAnyByNumber(number)
    return row && renderInvoicePdf(JSON.parse(row.document) as InvoiceDocument)
  }

  async #issueDueOf(workspaceUuid: string): Promise<void> {
    const workspace = await this.#deps.workspaces.find(workspaceUuid)
    if (workspace === undefined) throw new AppError('not_found')
    await this.issueDue(workspace)
  }

  async #find(workspaceUuid: string, number: string | undefined): Promise<InvoiceRow> {
    const { store } = this.#deps
    await this.#issueDueOf(workspaceUuid)
    const row = await (number === undefined
      ? store.findNewest(workspaceUuid)
      : store.findByNumber(workspaceUuid, number))
    if (row === undefined)
      throw new AppError('not_found', { message: 'There is no invoice with this number' })
    return row
  }

  #present(row: InvoiceRow): Invoice {
    const { secrets, baseUrl, invoicePath, now } = this.#deps
    const expires = String(now() + PDF_LINK_MS)
    const signature = secrets.hash(PURPOSE, `${row.number}\n${expires}`)
    const pdf_url = `${baseUrl}${invoicePath}/${row.number}.pdf?expires=${expires}&signature=${signature}`
    return { ...(JSON.parse(row.document) as Omit<Invoice, 'pdf_url'>), pdf_url }
  }
}

/** Another request was faster. Rolling the number back keeps the sequence without gaps. */
class PeriodInvoiced extends Error {}

const ifInvoiced = (error: unknown): void => {
  if (!(error instanceof PeriodInvoiced)) throw error
}
