const SHAPE = /^\+?[\d\s()./-]+$/
const MIN_DIGITS = 6
const MAX_DIGITS = 15

/** The error of a phone number; null if it is valid. Numbers have at most 15 digits (ITU-T E.164). */
export const phoneFault = (text: string): string | null => {
  const digits = text.replaceAll(/\D/g, '').length
  return SHAPE.test(text) && digits >= MIN_DIGITS && digits <= MAX_DIGITS
    ? null
    : 'Enter a phone number with its country code, such as +49 30 1234567'
}
