import { modulesOf } from '#bwip'
import { parseBracketed } from '@waymark/gs1'
import { CodeError } from './code-error.ts'
import { tooLong } from './too-long.ts'
import { isGs1, symbologies, type Bars, type LoadedSymbology } from './symbology.ts'

/** Declares that the rest is UTF-8; without it decoders guess among old character sets. */
const UTF_8 = '^ECI000026'

/** Encodes text in a symbology whose encoder is loaded on demand. */
export async function encodeMatrix(text: string, symbology: LoadedSymbology): Promise<Bars> {
  if (isGs1(symbology)) rejectNotGs1(text)
  try {
    // Checked above, by a newer dictionary than the encoder's.
    if (isGs1(symbology)) return await modulesOf(text, symbology, { parsefnc: false, dontlint: true })
    // oxlint-disable-next-line no-control-regex -- all of ASCII
    const isAscii = /^[\u0000-\u007f]*$/.test(text)
    const written = isAscii ? text : UTF_8 + text.replaceAll('^', '^^')
    return await modulesOf(written, symbology, { parsefnc: !isAscii })
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    if (/TooLong|TooMuchData|NoValidSymbol/.test(reason)) throw tooLong(symbology, error)
    throw new CodeError('unencodable', `This text has no form as ${symbologies[symbology].name}`, {
      cause: error,
    })
  }
}

/** Related identifiers may be in two adjacent codes, so a missing one is not an error. */
function rejectNotGs1(text: string): void {
  const read = parseBracketed(text)
  if ('fault' in read) throw new CodeError('unencodable', read.fault)
  if (read.elements.some(([, value]) => value.includes('(')))
    throw new CodeError('unencodable', 'A value in a barcode cannot have an opening parenthesis')
}
