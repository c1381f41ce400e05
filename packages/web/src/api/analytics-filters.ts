import { visitDimensions } from '@waymark/contract'

/** The dimensions that clicks can be filtered by; the address bar and the API use the same names. */
export const filterNames = [...visitDimensions, 'source'] as const
export type FilterName = (typeof filterNames)[number]

/** The accepted values by dimension; `(none)` means unknown. */
export type Filters = Readonly<Partial<Record<FilterName, readonly string[]>>> & {
  readonly bot?: true | undefined
}
