import type { Analytics } from '@waymark/sdk'

/** What clicks can be filtered by; the address bar and the API use the same names. */
export const filterNames = [
  'country',
  'referrer',
  'device',
  'browser',
  'system',
  'language',
  'source',
  'variant',
  'rule',
  'utm_source',
  'utm_medium',
  'utm_campaign',
] as const satisfies readonly NonNullable<Analytics['by']>[]
export type FilterName = (typeof filterNames)[number]

/** The values that clicks must have one of, by dimension; `(none)` stands for unknown. */
export type Filters = Readonly<Partial<Record<FilterName, readonly string[]>>> & {
  readonly bot?: true | undefined
}
