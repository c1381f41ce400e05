import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsFault } from './elements.ts'
import { buildBracketed, buildScanned, parseBracketed, parseScanned, SEPARATOR } from './element-strings.ts'
import { rightElement } from './values.testing.ts'

const GTIN = '09506000134352'

describe('element strings', () => {
  it.each<[bracketed: string, scanned: string]>([
    [`(01)${GTIN}(10)AB12`, `01${GTIN}10AB12`],
    [`(10)AB12(01)${GTIN}`, `10AB12${SEPARATOR}01${GTIN}`],
    [`(01)${GTIN}(17)261231(10)A)B(21)9`, `01${GTIN}1726123110A)B${SEPARATOR}219`],
    ['(10)A\\(B)(21)1', `10A(B)${SEPARATOR}211`],
    ['(3103)000100(402)12345678901234560(91)x', `310300010040212345678901234560${SEPARATOR}91x`],
  ])('%s', (bracketed, scanned) => {
    const read = parseBracketed(bracketed)
    if ('fault' in read) throw new Error(read.fault)
    expect(buildBracketed(read.elements)).toBe(bracketed)
    expect(buildScanned(read.elements)).toBe(scanned)
    for (const mark of ['', SEPARATOR, ']C1', ']d2', ']Q3', `]C1${SEPARATOR}`])
      expect(parseScanned(mark + scanned)).toEqual(read)
  })

  it('a separator after data of a fixed length or at the end does no harm', () => {
    expect(parseScanned(`01${GTIN}${SEPARATOR}10A${SEPARATOR}`)).toEqual(parseBracketed(`(01)${GTIN}(10)A`))
  })

  it.each<[text: string, fault: string]>([
    ['', 'write each application identifier in parentheses'],
    ['plain', 'write each application identifier in parentheses'],
    [' (01)1', 'write each application identifier in parentheses'],
    ['(01', 'write each application identifier in parentheses'],
    ['(10)A(', 'write each application identifier in parentheses'],
    ['(10)A(B)C', 'There is no application identifier (B)'],
    ['()A', 'There is no application identifier ()'],
    ['(9999)1', 'There is no application identifier (9999)'],
    ['(10)', '(10): too short'],
    ['(10)A(10)B', 'Repeated identifiers must have the same value: (10)'],
    ['(21)A(235)B', '(21) and (235) exclude each other'],
    ['(10)A\\B', '(10): only letters'],
  ])('%s is wrong', (text, fault) => {
    expect(parseBracketed(text)).toEqual({ fault: expect.stringContaining(fault) })
  })

  it.each<[text: string, fault: string]>([
    ['', 'There are no application identifiers here'],
    [']C1', 'There are no application identifiers here'],
    ['0', 'There is no application identifier (0)'],
    ['04123', 'There is no application identifier (0412)'],
    [`01${GTIN.slice(0, 5)}${SEPARATOR}10A`, '(01): too short'],
    [`10${'A'.repeat(21)}`, '(10): too long'],
    [SEPARATOR + SEPARATOR, 'There is no application identifier'],
  ])('%j from a scanner is wrong', (text, fault) => {
    expect(parseScanned(text)).toEqual({ fault: expect.stringContaining(fault) })
  })

  it('parsing after building is the identity, both ways', () => {
    fc.assert(
      fc.property(fc.array(rightElement, { minLength: 1, maxLength: 5 }), (elements) => {
        const expected =
          elementsFault(elements) === undefined ? { elements } : { fault: elementsFault(elements) }
        expect(parseBracketed(buildBracketed(elements))).toEqual(expected)
        expect(parseScanned(buildScanned(elements))).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })

  it('never throws', () => {
    const piece = fc.oneof(
      fc.constantFrom('(', ')', '\\', '01', GTIN, SEPARATOR, ']C1', '10', '(10)'),
      fc.string({ maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const text = pieces.join('')
        for (const read of [parseBracketed(text), parseScanned(text)])
          expect('fault' in read || read.elements.length > 0).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})
