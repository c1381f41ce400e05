const whole = new Intl.NumberFormat()
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** A count as people write it; long ones shortened. */
export const count = (value: number): string => (value < 10_000 ? whole : compact).format(value)

/** A count and what is counted. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${whole.format(value)} ${value === 1 ? one : many}`

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
