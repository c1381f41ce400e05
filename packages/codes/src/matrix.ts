import { modulesOf } from '#bwip'
import { CodeError } from './code-error.ts'
import { tooLong } from './too-long.ts'
import { SYMBOLOGY_NAMES, type Bars, type MatrixSymbology } from './symbology.ts'

/** Says that what follows is UTF-8; without it decoders guess among old character sets. */
const UTF_8 = '^ECI000026'

/** Text to modules in a two-dimensional symbology. */
export async function encodeMatrix(text: string, symbology: MatrixSymbology): Promise<Bars> {
  try {
    // oxlint-disable-next-line no-control-regex -- all of ASCII
    const isAscii = /^[\u0000-\u007f]*$/.test(text)
    const written = isAscii ? text : UTF_8 + text.replaceAll('^', '^^')
    return await modulesOf(written, symbology, { parsefnc: !isAscii })
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    if (/TooLong|TooMuchData|NoValidSymbol/.test(reason)) throw tooLong(symbology, error)
    throw new CodeError('unencodable', `This text has no form as ${SYMBOLOGY_NAMES[symbology]}`, {
      cause: error,
    })
  }
}
