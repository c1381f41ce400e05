import { CodeError } from '@waymark/codes'
import { encodedText, symbologies, type Symbology } from '@waymark/codes/barcodes'
import { fieldError } from '../../net/errors.ts'
import { asFieldError } from '../codes/image-urls.ts'

/** What a barcode of a value says: the value with its check digit, where the kind has one. */
export function encodedValue(value: string, symbology: Symbology): string {
  try {
    return encodedText(value, symbology)
  } catch (error) {
    return asValueError(symbology)(error)
  }
}

/** What cannot be drawn is a fault of `value`. A short link is no way out, as a value is not a destination. */
export const asValueError =
  (symbology: Symbology) =>
  (error: unknown): never => {
    if (error instanceof CodeError && error.fault === 'too_long')
      throw fieldError(
        'value',
        `This is too long for a barcode (${symbologies[symbology].name}): shorten it, or choose another symbology`,
      )
    return asFieldError('value')(error)
  }
