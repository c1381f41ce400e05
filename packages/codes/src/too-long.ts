import { CodeError } from './code-error.ts'
import { SYMBOLOGY_NAMES, type Symbology } from './symbology.ts'

/** The error for a text that no picture of allowed width can hold. */
export function tooLong(symbology: Symbology, cause?: unknown): CodeError {
  return new CodeError(
    'too_long',
    `This is too long for a barcode (${SYMBOLOGY_NAMES[symbology]}): shorten it, or set dynamic to true to encode a short link`,
    { cause },
  )
}
