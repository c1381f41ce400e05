/** What stands for a character the font cannot draw: visible, so that the text does not look complete. */
export const MISSING = '\u25a1'

/** Amounts of one currency, given in its smallest unit. */
export interface Money {
  /** `1,234.50` */
  plain(minor: number): string
  /** `USD 1,234.50` */
  withCode(minor: number): string
}

export function moneyIn(currency: string): Money {
  const format = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat('en-US', options)
  const withCode = format({ style: 'currency', currency, currencyDisplay: 'code' })
  // Currencies differ in how many decimals their smallest unit is.
  const digits = withCode.resolvedOptions().maximumFractionDigits ?? 2
  const plain = format({ minimumFractionDigits: digits, maximumFractionDigits: digits })
  return {
    plain: (minor) => plain.format(decimal(minor, digits)),
    withCode: (minor) => withCode.format(decimal(minor, digits)),
  }
}

/** As text, because a division would round large amounts. */
function decimal(minor: number, digits: number): Intl.StringNumericLiteral {
  const sign = minor < 0 ? '-' : ''
  const figures = String(Math.abs(minor)).padStart(digits + 1, '0')
  const split = figures.length - digits
  return `${sign}${figures.slice(0, split)}.${figures.slice(split)}0` as Intl.StringNumericLiteral
}

export function longDate(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}

/** Both ends are days of the period: its end is the moment the next one begins. */
export function dayRange(startMs: number, endMs: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  return `${format.format(startMs)} \u2013 ${format.format(Math.max(startMs, endMs - 1))}`
}

export function percent(rate: number): string {
  return `${new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 }).format(rate)}%`
}

const segmenter = new Intl.Segmenter('en')

/** The same text as far as a font can draw it; line breaks stay, other control characters become spaces. */
export function printable(text: string, canDraw: (codePoint: number) => boolean): string {
  const clean = text
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
  return [...segmenter.segment(clean)]
    .map(({ segment }) => (segment === '\n' || drawable(segment, canDraw) ? segment : MISSING))
    .join('')
}

function drawable(segment: string, canDraw: (codePoint: number) => boolean): boolean {
  return Array.from(segment).every((character) => canDraw(character.codePointAt(0) ?? 0))
}
