/**
 * The properties of a visit that statistics can be filtered and broken down by. Stored clicks have them in this order: add
 * new ones at the end.
 */
export const visitDimensions = [
  'country',
  'referrer',
  'device',
  'browser',
  'system',
  'language',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'variant',
  'rule',
] as const

export type VisitDimension = (typeof visitDimensions)[number]

/** The dimensions of daily sums, each with its own column. */
export const countedDimensions = [...visitDimensions, 'source', 'button', 'icon'] as const

export type CountedDimension = (typeof countedDimensions)[number]

/** Everything that clicks can be broken down by. */
export const dimensions = [...countedDimensions, 'hour_of_week', 'link'] as const
