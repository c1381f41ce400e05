import { visitDimensions } from '@waymark/contract'

/** What clicks can be filtered by; the address bar and the API use the same names. */
export const filterNames = [...visitDimensions, 'source'] as const
export type FilterName = (typeof filterNames)[number]

/** The values that clicks must have one of, by dimension; `(none)` stands for unknown. */
export type Filters = Readonly<Partial<Record<FilterName, readonly string[]>>> & {
  readonly bot?: true | undefined
}
