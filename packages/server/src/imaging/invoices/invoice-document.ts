/** An invoice as it was issued. Times are ISO 8601, amounts in the smallest unit of the currency. */
export interface InvoiceDocument {
  readonly number: string
  readonly issued_at: string
  readonly due_at: string
  readonly period_start: string
  /** The moment the next period begins. */
  readonly period_end: string
  readonly currency: string
  readonly seller: { readonly name: string; readonly address: string | null; readonly tax_id: string | null }
  readonly buyer: { readonly name: string; readonly email: string; readonly address: string | null }
  readonly lines: readonly {
    readonly description: string
    readonly quantity: number
    readonly unit_price: number
    readonly amount: number
  }[]
  readonly subtotal: number
  /** `rate` in percent. */
  readonly tax: { readonly rate: number; readonly amount: number }
  readonly total: number
}
