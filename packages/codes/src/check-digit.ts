import { CodeError } from './code-error.ts'
import { symbologies, type Symbology } from './symbology.ts'

/** Symbologies for numbers of a fixed length whose last digit is a check digit. */
const NAMES = {
  ean13: 'An EAN-13',
  ean8: 'An EAN-8',
  upca: 'A UPC-A',
  itf14: 'An ITF-14',
} as const satisfies Partial<Record<Symbology, string>>

type CheckedSymbology = keyof typeof NAMES

/** Whether a symbology has a check digit. */
export function isChecked(symbology: Symbology): symbology is CheckedSymbology {
  return symbology in NAMES
}

/** The GS1 check digit: from the right, digits count three times and once alternately. */
export function checkDigit(digits: string): string {
  let sum = 0
  for (let at = 0; at < digits.length; at++)
    sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 3 : 1)
  return String((10 - (sum % 10)) % 10)
}

/** The complete number: adds a missing check digit and rejects a wrong one. */
export function withCheckDigit(value: string, symbology: CheckedSymbology): string {
  const length = symbologies[symbology].longest
  const digits = value.trim()
  if (!/^\d+$/.test(digits) || (digits.length !== length && digits.length !== length - 1))
    throw new CodeError(
      'unencodable',
      `${NAMES[symbology]} code has ${length} digits; the last may be left out and is then added`,
    )
  const data = digits.slice(0, length - 1)
  const check = checkDigit(data)
  if (digits.length === length && digits.at(-1) !== check)
    throw new CodeError('unencodable', `The check digit of ${digits} is wrong: it should be ${check}`)
  return data + check
}
