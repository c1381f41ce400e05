import { z } from 'zod'

/** Resources that a plan can limit; each is a stored total of the user. */
export const quotaNames = ['links', 'qrcodes', 'barcodes', 'pages', 'utm', 'domains'] as const

export type QuotaName = (typeof quotaNames)[number]

export interface PlanTerms {
  readonly name: string
  /** In the smallest unit of the currency, without tax. */
  readonly price: number
  readonly currency: string
  readonly interval: 'month' | 'year'
  /** Percent. */
  readonly taxRate: number
  readonly limits: Readonly<Record<QuotaName, number | null>>
  /** How much a workspace can store, rows and files; null: unlimited. */
  readonly storageMb: number | null
  /** How many workspaces a user with this plan in the first one can own. */
  readonly workspaces: number | null
}

export interface Plans {
  /** The plan of a new account. */
  readonly initial: string
  find(name: string): PlanTerms | undefined
  /** The terms of an account's plan. An account whose plan is no longer offered has the terms of new accounts. */
  termsOf(name: string): PlanTerms
  /** Whether any plan limits this. */
  limits(quota: QuotaName): boolean
  /** The smallest quota of stored bytes; infinite if there is none. */
  readonly minStorageBytes: number
}

/** Default that keeps one account from filling the disk. */
const DEFAULT_STORAGE_MB = 10_240

const WORKSPACES = 5

const limit = z.number().int().min(0).nullish()

/** Strict, so that a misspelt price does not make a plan free. */
const Terms = z.strictObject({
  name: z.string().min(1).max(100),
  price: z.number().int().min(0).default(0),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/)
    .transform((value) => value.toUpperCase())
    .default('USD'),
  interval: z.enum(['month', 'year']).default('month'),
  tax_rate: z.number().min(0).max(100).default(0),
  limits: z
    .strictObject({
      ...(Object.fromEntries(quotaNames.map((name) => [name, limit])) as Record<QuotaName, typeof limit>),
      storage_mb: limit,
      workspaces: limit,
    })
    .default({}),
})

const byName = (value: unknown): unknown[] => {
  const plans = typeof value === 'object' && value !== null && 'plans' in value ? value.plans : value
  if (Array.isArray(plans)) return plans
  if (typeof plans !== 'object' || plans === null) throw new Error('it must be a list or an object of plans')
  return Object.entries(plans).map(([name, terms]: [string, unknown]) => {
    // Spreading a number would create a plan without any terms.
    if (typeof terms !== 'object' || terms === null) throw new Error(`${name}: must be an object`)
    return { name, ...terms }
  })
}

/** The plans of a PLANS_FILE: a list, or an object by name. New accounts get `free`, or the first one. */
export function parsePlans(value: unknown): Plans {
  const parsed =
    value === undefined ? [Terms.parse({ name: 'free' })] : z.array(Terms).min(1).parse(byName(value))
  const plans = new Map(
    parsed.map(({ tax_rate, limits, ...terms }): [string, PlanTerms] => [
      terms.name,
      {
        ...terms,
        taxRate: tax_rate,
        workspaces: limits.workspaces === undefined ? WORKSPACES : limits.workspaces,
        limits: Object.fromEntries(
          quotaNames.map((name) => [name, limits[name] ?? null]),
        ) as PlanTerms['limits'],
        storageMb: limits['storage_mb'] === undefined ? DEFAULT_STORAGE_MB : limits['storage_mb'],
      },
    ]),
  )
  const first = plans.get('free') ?? [...plans.values()][0]
  if (first === undefined) throw new Error('it has no plan')
  return {
    initial: first.name,
    find: (name) => plans.get(name),
    termsOf: (name) => plans.get(name) ?? first,
    minStorageBytes: Math.min(...[...plans.values()].map(({ storageMb }) => storageMb ?? Infinity)) * 2 ** 20,
    limits: (quota) => [...plans.values()].some((terms) => terms.limits[quota] !== null),
  }
}

/** One period of a plan; the end is the start of the next. */
export interface Period {
  readonly startMs: number
  readonly endMs: number
}

const monthsOf = { month: 1, year: 12 } as const

/** The same day and time this many months later; the 31st becomes the last day of a shorter month. */
const addMonths = (startMs: number, months: number): number => {
  const date = new Date(startMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}

/** Every period of a plan that has begun. Each is computed from the first, so that the 31st returns. */
export function periodsUntil(startedAtMs: number, interval: 'month' | 'year', nowMs: number): Period[] {
  const periods: Period[] = []
  const step = monthsOf[interval]
  for (let n = 0; ; n++) {
    const startMs = addMonths(startedAtMs, n * step)
    if (n > 0 && startMs > nowMs) return periods
    periods.push({ startMs, endMs: addMonths(startedAtMs, (n + 1) * step) })
  }
}
