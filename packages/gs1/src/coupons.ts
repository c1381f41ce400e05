import { dayFault } from './dates.ts'

/*
 * Coupon codes of North America: fields of digits, many of which begin with a digit that says how many follow.
 */

/** A field that is not as the format says; caught by `couponFault`. */
class BadField extends Error {}

class Digits {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.at === this.text.length
  }

  take(count: number, name: string): string {
    if (this.at + count > this.text.length)
      throw new BadField(`the coupon ends before the end of its ${name}`)
    const taken = this.text.slice(this.at, this.at + count)
    this.at += count
    return taken
  }

  /** A digit out of some. */
  oneOf(allowed: string, name: string): string {
    const digit = this.take(1, name)
    if (!allowed.includes(digit)) throw new BadField(`the coupon's ${name} is wrong`)
    return digit
  }

  /** A digit that says how many follow, and these. */
  counted(allowed: string, more: number, name: string): void {
    this.take(Number(this.oneOf(allowed, `length of the ${name}`)) + more, name)
  }

  /** Skips the number of an optional field; false if another one follows. */
  opens(field: string): boolean {
    if (this.text[this.at] !== field) return false
    this.at++
    return true
  }
}

const PURCHASE_CODES = '012349'

function skipPurchase(digits: Digits, place: string): void {
  digits.counted('12345', 0, `${place} purchase requirement`)
  digits.oneOf(PURCHASE_CODES, `${place} purchase requirement code`)
  digits.take(3, `${place} purchase family code`)
}

/** A company prefix that may be left out. */
function skipPurchasePrefix(digits: Digits, place: string): void {
  const name = `${place} purchase company prefix`
  const length = digits.oneOf('01234569', `length of the ${name}`)
  if (length !== '9') digits.take(Number(length) + 6, name)
}

function takeDate(digits: Digits, name: string): string {
  const date = digits.take(6, name)
  const fault = dayFault(date)
  if (fault !== undefined) throw new BadField(`${fault} in the coupon's ${name}`)
  return date
}

function readCoupon(digits: Digits): void {
  digits.counted('0123456', 6, 'company prefix')
  digits.take(6, 'offer code')
  digits.counted('12345', 0, 'save value')
  skipPurchase(digits, 'first')
  if (digits.opens('1')) {
    digits.oneOf('0123', 'additional purchase rules code')
    skipPurchase(digits, 'second')
    skipPurchasePrefix(digits, 'second')
  }
  if (digits.opens('2')) {
    skipPurchase(digits, 'third')
    skipPurchasePrefix(digits, 'third')
  }
  const end = digits.opens('3') ? takeDate(digits, 'expiration date') : undefined
  const start = digits.opens('4') ? takeDate(digits, 'start date') : undefined
  if (end !== undefined && start !== undefined && end < start)
    throw new BadField('the coupon expires before it starts')
  if (digits.opens('5')) digits.counted('0123456789', 6, 'serial number')
  if (digits.opens('6')) digits.counted('1234567', 6, 'retailer')
  if (digits.opens('9')) {
    digits.oneOf('01256', 'save value code')
    digits.oneOf('012', 'save value applies to item')
    digits.take(1, 'store coupon flag')
    digits.oneOf('01', "don't multiply flag")
  }
}

function readOffer(digits: Digits): void {
  digits.oneOf('01', 'format code')
  digits.counted('0123456', 6, 'funder')
  digits.take(6, 'offer code')
  digits.counted('0123456789', 6, 'serial number')
}

const faultOf =
  (read: (digits: Digits) => void) =>
  (text: string): string | undefined => {
    if (!/^\d*$/.test(text)) return 'a coupon has digits only'
    const digits = new Digits(text)
    try {
      read(digits)
    } catch (error) {
      if (error instanceof BadField) return error.message
      throw error
    }
    return digits.isAtEnd ? undefined : 'the coupon has fields that its format does not know'
  }

/** What is wrong with a coupon code (8110). */
export const couponFault = faultOf(readCoupon)

/** What is wrong with a positive offer (8112). */
export const offerFault = faultOf(readOffer)
