import { isChecked, withCheckDigit } from './check-digit.ts'
import { encodeCode128 } from './linear/code128.ts'
import { encodeCode39 } from './linear/code39.ts'
import { encodeEan13, encodeEan8, encodeUpca } from './linear/ean.ts'
import { encodeItf14 } from './linear/itf14.ts'
import { isBuiltIn, type Bars, type LinearSymbology, type Symbology } from './symbology.ts'

const ENCODERS: Record<LinearSymbology, (text: string) => Bars> = {
  code128: encodeCode128,
  code39: encodeCode39,
  ean13: encodeEan13,
  ean8: encodeEan8,
  upca: encodeUpca,
  itf14: encodeItf14,
}

/** The text that a scanner will read: the text itself, or a number with its check digit. */
export function encodedText(text: string, symbology: Symbology): string {
  return isChecked(symbology) ? withCheckDigit(text, symbology) : text
}

/** Text to bars in a linear symbology. */
export function encodeLinear(text: string, symbology: LinearSymbology): Bars {
  return ENCODERS[symbology](encodedText(text, symbology))
}

/** Text to modules in any symbology; a large encoder is loaded when it is first needed. */
export async function encodeBars(text: string, symbology: Symbology): Promise<Bars> {
  if (isBuiltIn(symbology)) return encodeLinear(text, symbology)
  const { encodeMatrix } = await import('./matrix.ts')
  return encodeMatrix(text, symbology)
}
