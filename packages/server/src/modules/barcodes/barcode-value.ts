import { CodeError } from '@waymark/codes'
import { encodedText, symbologies, type Symbology } from '@waymark/codes/barcodes'
import { fieldError } from '../../net/errors.ts'
import { asFieldError } from '../codes/image-urls.ts'

/** The encoded text: the value with its check digit, if the symbology has one. */
export function encodedValue(value: string, symbology: Symbology): string {
  try {
    return encodedText(value, symbology)
  } catch (error) {
    return asValueError(symbology)(error)
  }
}

/** Drawing errors are errors of `value`. A short link does not help, because a value is not a destination. */
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
