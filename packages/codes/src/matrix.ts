import { modulesOf } from '#bwip'
import { CodeError } from './code-error.ts'
import { tooLong } from './too-long.ts'
import { isGs1, symbologies, type Bars, type LoadedSymbology } from './symbology.ts'

/** Declares that the rest is UTF-8; without it decoders guess among old character sets. */
const UTF_8 = '^ECI000026'

/** Encodes text in a symbology whose encoder is loaded on demand. */
export async function encodeMatrix(text: string, symbology: LoadedSymbology): Promise<Bars> {
  // The encoder would treat a space as a code without data.
  if (isGs1(symbology) && !text.startsWith('(')) throw new CodeError('unencodable', NOT_GS1)
  try {
    // Related identifiers may be in two adjacent codes, so a missing one is not an error.
    if (isGs1(symbology)) return await modulesOf(text, symbology, { parsefnc: false, lintreqs: false })
    // oxlint-disable-next-line no-control-regex -- all of ASCII
    const isAscii = /^[\u0000-\u007f]*$/.test(text)
    const written = isAscii ? text : UTF_8 + text.replaceAll('^', '^^')
    return await modulesOf(written, symbology, { parsefnc: !isAscii })
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    if (reason.includes('GS1')) throw new CodeError('unencodable', gs1Fault(reason), { cause: error })
    if (/TooLong|TooMuchData|NoValidSymbol/.test(reason)) throw tooLong(symbology, error)
    throw new CodeError('unencodable', `This text has no form as ${symbologies[symbology].name}`, {
      cause: error,
    })
  }
}

const NOT_GS1 =
  'This is not GS1 data: write each application identifier in parentheses, such as (01)09506000134352(10)AB12'

/** Converts an encoder error about application identifiers (`bwipp.GS1badChecksum#3251: AI 01: Bad checksum`) to a sentence. */
function gs1Fault(reason: string): string {
  const at = reason.indexOf(': ')
  const [, ai, what] = /^AI ([^:]*): (.+)$/.exec(reason.slice(at + 2)) ?? []
  if (reason.includes('GS1ai')) return NOT_GS1
  if (ai === undefined || what === undefined)
    return at < 0 ? NOT_GS1 : `${reason.slice(at + 2)}: check the application identifiers`
  if (reason.includes('GS1badChecksum')) return `The check digit of (${ai}) is wrong`
  if (reason.includes('GS1unknownAI')) return `There is no application identifier (${ai})`
  const hint = ai === '01' || ai === '02' ? ': a GTIN has 14 digits here, with zeros in front' : ''
  return `(${ai}): ${what.toLowerCase()}${hint}`
}
