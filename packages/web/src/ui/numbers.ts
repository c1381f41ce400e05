/** Every digit of a count. */
export const whole = new Intl.NumberFormat()
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** A count as people write it; long ones shortened. */
export const count = (value: number): string => (value < 10_000 ? whole : compact).format(value)

const plurals = new Intl.PluralRules('en')

/** The form of a noun that goes with a count. */
export const noun = (value: number, one: string, many = `${one}s`): string =>
  plurals.select(value) === 'one' ? one : many

/** A count and what is counted. */
export const counted = (value: number, one: string, many?: string): string =>
  `${whole.format(value)} ${noun(value, one, many)}`

const money = new Map<string, Intl.NumberFormat>()

/** An amount in the smallest unit of its currency. */
export const price = (amount: number, currency: string): string => {
  let format = money.get(currency)
  if (format === undefined) {
    format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
    money.set(currency, format)
  }
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}

/** The length of a text as the server counts it: in code points. */
export const lengthOf = (text: string): number => Array.from(text).length
