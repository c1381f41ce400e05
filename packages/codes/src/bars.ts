import { modulesOf } from '#bwip'
import { CodeError } from './code-error.ts'
import type { Bars, Symbology } from './symbology.ts'

/** Text to modules in the given symbology. */
export function encodeBars(text: string, symbology: Symbology): Bars {
  try {
    return modulesOf(text, symbology)
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    if (/TooLong|TooMuchData|NoValidSymbol/.test(reason)) throw tooLong(error)
    throw new CodeError('unencodable', `This text has no form as ${symbology}`, { cause: error })
  }
}

/** The error for a text that no picture of allowed width can hold. */
export function tooLong(cause?: unknown): CodeError {
  return new CodeError(
    'too_long',
    'This address is too long for a barcode: set dynamic to true to encode a short link',
    { cause },
  )
}
