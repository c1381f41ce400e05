import { CodeError } from './code-error.ts'
import { symbologies, type Symbology } from './symbology.ts'

/** The error for a text that does not fit into a picture of the maximum width. */
export function tooLong(symbology: Symbology, cause?: unknown): CodeError {
  return new CodeError(
    'too_long',
    `This is too long for a barcode (${symbologies[symbology].name}): shorten it, or set dynamic to true to encode a short link`,
    { cause },
  )
}
