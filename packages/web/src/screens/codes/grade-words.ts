import type { QrCode } from '@waymark/sdk'

export type Grade = NonNullable<QrCode['grade']>

/** Whether a code with this grade scans reliably. */
export const isGood = ({ letter }: Grade): boolean => letter === 'A' || letter === 'B'

/** The number of conditions in which both decoders read the code. */
const READ: Readonly<Record<Grade['letter'], string>> = {
  A: 'Read in all 12 conditions',
  B: 'Read in 10 or 11 of 12 conditions',
  C: 'Read in 8 or 9 of 12 conditions',
  D: 'Read in 6 or 7 of 12 conditions',
  F: 'Read in fewer than 6 of 12 conditions',
}

export const readIn = ({ letter }: Grade): string => READ[letter]

const either = new Intl.ListFormat('en', { type: 'disjunction' })

/** What may keep a code from being read. */
export const weaknessOf = ({ reasons }: Grade): string =>
  reasons.length === 0 || reasons.includes('as it is')
    ? 'May not scan'
    : `May not scan when it is ${either.format(reasons)}`

const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

export const millimetres = (value: number): string => `${tenths.format(value)} mm`
