import { CodeError } from '@waymark/codes'
import { captionFault, encodedText, lengthFault, symbologies, type Symbology } from '@waymark/codes/barcodes'
import { fieldError } from '../../net/errors.ts'
import { asFieldError } from '../codes/image-urls.ts'
import type { Look } from './barcode-look.ts'
import type { BarcodeRow } from './barcodes.store.ts'

const SHORTEN = {
  url: ': shorten it, or set dynamic to true to encode a short link',
  value: ': shorten it, or choose another symbology',
} as const

/** Rejects a text that is too long for its symbology, before anything is drawn. A stored barcode keeps its text. */
export function rejectLong(
  field: keyof typeof SHORTEN,
  text: string,
  look: Pick<Look, 'symbology' | 'text'>,
  seen?: BarcodeRow,
): void {
  const symbology = look.symbology as Symbology
  const isKept = seen?.encodes === text && seen.symbology === symbology
  const fault = isKept ? undefined : lengthFault(text, symbology, field === 'url')
  if (fault !== undefined) throw fieldError(field, fault + SHORTEN[field])
  const caption = isKept && seen.text === look.text ? undefined : captionFault(text, symbology, look.text)
  if (caption !== undefined) throw fieldError(field, caption)
}

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
        `This is too long for a barcode (${symbologies[symbology].name})${SHORTEN.value}`,
      )
    return asFieldError('value')(error)
  }
