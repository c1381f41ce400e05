/** A count with all digits. */
export const whole = new Intl.NumberFormat()
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** A formatted count; large ones are shortened. */
export const count = (value: number): string => (value < 10_000 ? whole : compact).format(value)

const plurals = new Intl.PluralRules('en')

/** The singular or plural form of a noun for a count. */
export const noun = (value: number, one: string, many = `${one}s`): string =>
  plurals.select(value) === 'one' ? one : many

/** A count with its noun. */
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

/** The length of a text in code points, as the server counts it. */
export const lengthOf = (text: string): number => Array.from(text).length
