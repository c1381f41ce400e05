import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildDigitalLink, elementsOf, parseDigitalLink, thingOf, type DigitalLink } from './digital-link.ts'
import type { Element } from './elements.ts'
import { identifierOf } from './identifiers.ts'
import { areQualifiers, beginsWithKey, PRIMARY_KEYS, qualifiersOf, requiredQualifier } from './keys.ts'
import { levelsOf } from './levels.ts'
import { ALL_NUMBERS, rightValue } from './values.testing.ts'

const GTIN = '09506000134352'

/** The contents of an address that is right. */
const read = (path: string, query = '', prefix = ''): DigitalLink => {
  const parsed = parseDigitalLink(path, query, prefix)
  if ('fault' in parsed) throw new Error(parsed.fault)
  return parsed
}
/** Why an address is wrong. */
const faultOf = (path: string, query = '', prefix = ''): string => {
  const parsed = parseDigitalLink(path, query, prefix)
  return 'fault' in parsed ? `${parsed.status} ${parsed.fault}` : 'right'
}

describe('paths', () => {
  it.each<[path: string, elements: [string, string][]]>([
    [`/01/${GTIN}`, [['01', GTIN]]],
    [`/01/${GTIN}/`, [['01', GTIN]]],
    [
      `/01/${GTIN}/10/ABC`,
      [
        ['01', GTIN],
        ['10', 'ABC'],
      ],
    ],
    [
      `/01/${GTIN}/10/XYZ/21/1`,
      [
        ['01', GTIN],
        ['10', 'XYZ'],
        ['21', '1'],
      ],
    ],
    [
      `/01/${GTIN}/22/2A/10/ABC/21/1/`,
      [
        ['01', GTIN],
        ['22', '2A'],
        ['10', 'ABC'],
        ['21', '1'],
      ],
    ],
    [
      `/01/${GTIN}/235/X1`,
      [
        ['01', GTIN],
        ['235', 'X1'],
      ],
    ],
    [
      '/8006/095060001343520102/21/1',
      [
        ['8006', '095060001343520102'],
        ['21', '1'],
      ],
    ],
    [
      '/8010/1234A/8011/12',
      [
        ['8010', '1234A'],
        ['8011', '12'],
      ],
    ],
    [
      '/8004/1234A/7040/1ABC',
      [
        ['8004', '1234A'],
        ['7040', '1ABC'],
      ],
    ],
    [
      '/414/9506000134352/254/1',
      [
        ['414', '9506000134352'],
        ['254', '1'],
      ],
    ],
    [
      '/414/9506000134352/7040/1ABC',
      [
        ['414', '9506000134352'],
        ['7040', '1ABC'],
      ],
    ],
    [
      '/415/9506000134352/8020/REF',
      [
        ['415', '9506000134352'],
        ['8020', 'REF'],
      ],
    ],
    [
      '/417/9506000134352/7040/1ABC',
      [
        ['417', '9506000134352'],
        ['7040', '1ABC'],
      ],
    ],
    [
      '/8018/123456789012345675/8019/1',
      [
        ['8018', '123456789012345675'],
        ['8019', '1'],
      ],
    ],
    ['/00/006141411234567890', [['00', '006141411234567890']]],
    ['/253/4012345123456ABC', [['253', '4012345123456ABC']]],
    ['/8003/04012345123456ABC', [['8003', '04012345123456ABC']]],
    ['/8013/1987654Ad4X4bL5ttr2310c2K', [['8013', '1987654Ad4X4bL5ttr2310c2K']]],
    // Percent-encoding is decoded once; a plus in a path is a plus.
    [
      `/01/${GTIN}/10/A%2FB%25+C`,
      [
        ['01', GTIN],
        ['10', 'A/B%+C'],
      ],
    ],
    [
      `/01/${GTIN}/10/%2525`,
      [
        ['01', GTIN],
        ['10', '%25'],
      ],
    ],
  ])('%s', (path, elements) => {
    const { key, value, qualifiers, warnings } = read(path)
    expect([[key, value], ...qualifiers]).toEqual(elements)
    expect(warnings).toEqual([])
  })

  it.each<[path: string, fault: string]>([
    ['/01', '404 This is not a GS1 Digital Link'],
    ['/01/', '404 This is not a GS1 Digital Link'],
    ['/', '404 This is not a GS1 Digital Link'],
    ['', '404 This is not a GS1 Digital Link'],
    [`/gtin/${GTIN}`, '404 This is not a GS1 Digital Link'],
    // The lot LOT01 of GTIN 09506000134376, and the same without a right check digit.
    ['/ARFKk4XB0CDKWcnpq', '400 Compressed GS1 Digital Links are not supported'],
    ['/ARFKk4XB2CDKWcnpq', '404 This is not a GS1 Digital Link'],
    ['/ARFKk4XB0', '404 This is not a GS1 Digital Link'],
    ['/10/ABC', '404 This is not a GS1 Digital Link'],
    ['/01/09506000134353', '400 The check digit of (01) is wrong: it should be 2'],
    ['/01/0950600013435', '400 The check digit of (01) is wrong'],
    ['/01/950600013435', '400 The check digit of (01) is wrong'],
    ['/01/1234567890', '400 (01): too short'],
    [`/01/${GTIN}/21/1/10/ABC`, '400 The qualifiers of (01) have an order: (22), (10), (21), or (235)'],
    [`/01/${GTIN}/10/A/10/B`, '400 The qualifier (10) is there twice'],
    [`/01/${GTIN}/10/A/235/B`, '400 (235) cannot be combined with (10)'],
    [`/01/${GTIN}/17/261231`, '400 (17) is not a qualifier of (01): it belongs in the query, as ?17=…'],
    [`/01/${GTIN}/8200/a`, '400 (8200) is not a qualifier of (01): it cannot be here'],
    [`/01/${GTIN}/9999/1`, '400 There is no application identifier (9999)'],
    [
      `/01/${GTIN}/lot/ABC`,
      '400 "lot" is not an application identifier: names and compressed GS1 Digital Links are not supported',
    ],
    [`/01/${GTIN}/DBHKVAdpQgqrwQAAA`, '400 "DBHKVAdpQgqrwQAAA" is not an application identifier'],
    [`/01/${GTIN}/10/`, '400 The qualifier (10) has no value'],
    [`/01/${GTIN}/10`, '400 The qualifier (10) has no value'],
    [`/01/${GTIN}//`, '400 Two slashes follow each other'],
    [`/01//${GTIN}`, '400 Two slashes follow each other'],
    [`/01/${GTIN}//10/A`, '400 Two slashes follow each other'],
    [`/01/${GTIN}/10//21/1`, '400 Two slashes follow each other'],
    [`/01/${GTIN}/10/${'A'.repeat(21)}`, '400 (10): too long'],
    [`/01/${GTIN}/10/A%20B`, '400 (10): only letters'],
    ['/415/9506000134352', '400 (415) needs the qualifier (8020)'],
    ['/414/9506000134352/254/1/7040/1ABC', '400 (7040) cannot be combined with (254)'],
    // Broken, overlong, surrogates, beyond Unicode, and Latin-1 in place of UTF-8.
    ...[
      '%',
      '%4',
      '%GG',
      '%C0%AF',
      '%E0%80%AF',
      '%F0%80%80%AF',
      '%ED%A0%80',
      '%F4%90%80%80',
      '%E4',
      '%FF',
    ].map((text): [string, string] => [
      `/01/${GTIN}/10/A${text}`,
      '400 The value of (10) is not percent-encoded UTF-8',
    ]),
    [`/01/${GTIN}/10/%00`, '400 (10): only letters'],
  ])('%s is wrong', (path, fault) => {
    expect(faultOf(path)).toContain(fault)
  })

  it.each([
    ['96385074', '00000096385074'],
    ['614141123452', '00614141123452'],
    ['9506000134352', GTIN],
  ])('a GTIN %s is as if padded, with a warning', (value, padded) => {
    const parsed = read(`/01/${value}`)
    expect(parsed).toMatchObject({ value: padded, warnings: [`A GTIN has 14 digits: this one is ${padded}`] })
  })

  it('begin with the prefix, if there is one', () => {
    expect(read(`/id/p/01/${GTIN}`, '', '/id/p').value).toBe(GTIN)
    expect(faultOf(`/01/${GTIN}`, '', '/id')).toContain('404')
    expect(faultOf(`/idx/01/${GTIN}`, '', '/id')).toContain('404')
  })

  it.each<[path: string, prefix: string, begins: boolean]>([
    ...PRIMARY_KEYS.map((key): [string, string, boolean] => [`/${key}/`, '', true]),
    ['/01/x/10/y', '', true],
    ['/id/8003/1', '/id', true],
    ['/01', '', false],
    ['/1/', '', false],
    ['/10/x', '', false],
    ['/gtin/x', '', false],
    ['/010/x', '', false],
    ['/80100/x', '', false],
    ['/01/x', '/id', false],
    ['/ix/01/x', '/id', false],
    ['/id01/x', '/id', false],
    ['', '', false],
    ['/', '', false],
    ['/team/roadmap', '', false],
  ])('%s after %j begins with a key: %s', (path, prefix, begins) => {
    expect(beginsWithKey(path, prefix)).toBe(begins)
  })
})

describe('queries', () => {
  it.each<[query: string, attributes: [string, string][], forwarded: string]>([
    ['', [], ''],
    ['17=261231&x=1', [['17', '261231']], '17=261231&x=1'],
    ['x=1&linkType=gs1:pip&context=a&y', [], 'x=1&y'],
    ['linkType=gs1%3Apip', [], ''],
    ['%31%37=261231', [['17', '261231']], '%31%37=261231'],
    ['240=A%2BB', [['240', 'A+B']], '240=A%2BB'],
    // Names that are not digits alone may be anything.
    ['a17=x&17a=%FF&=&&%FF=1&x=%', [], 'a17=x&17a=%FF&=&&%FF=1&x=%'],
    [
      '17=261231&17=261231',
      [
        ['17', '261231'],
        ['17', '261231'],
      ],
      '17=261231&17=261231',
    ],
  ])('%s', (query, attributes, forwarded) => {
    expect(read(`/01/${GTIN}`, query)).toMatchObject({ attributes, forwarded })
  })

  it('say which link type is asked for, and in which context; the first counts', () => {
    expect(read(`/01/${GTIN}`, 'linkType=gs1%3Apip&context=a+b&linkType=all')).toMatchObject({
      linkType: 'gs1:pip',
      context: 'a b',
    })
    expect(read(`/01/${GTIN}`, 'LinkType=a')).toMatchObject({ linkType: undefined, forwarded: 'LinkType=a' })
  })

  it.each<[query: string, fault: string]>([
    ['9999=1', '400 There is no application identifier (9999)'],
    ['2024=1', '400 There is no application identifier (2024)'],
    ['17=', '400 (17) has no value'],
    ['17', '400 (17) has no value'],
    ['17=261331', '400 (17): invalid month'],
    ['240=A+B', '400 (240): only letters'],
    ['240=%C0%AF', '400 The value of (240) is not percent-encoded UTF-8'],
    ['17=261231&17=261230', '400 Repeated identifiers must have the same value: (17)'],
    ['37=1', '400 (01) and (37) exclude each other'],
    ['3100=000001&3101=000001', '400 (3100) and (3101) exclude each other'],
    ['21=1', '400 (21) cannot be in the query of a GS1 Digital Link'],
    ['10=A', '400 (10) is a qualifier of (01): it belongs in the path, not in the query'],
  ])('%s is wrong', (query, fault) => {
    expect(faultOf(`/01/${GTIN}`, query)).toContain(fault)
  })

  it('a qualifier of another key, or after another alternative, may be in the query', () => {
    expect(faultOf('/00/006141411234567890', '10=A')).toBe('right')
    expect(faultOf(`/01/${GTIN}/235/A`, '10=A')).toBe('right')
    expect(faultOf(`/01/${GTIN}/21/1`, '10=A')).toContain('(10) is a qualifier of (01)')
  })

  it('what is missing beside an identifier is a warning, because another code may have it', () => {
    expect(read(`/01/${GTIN}`, '3922=100').warnings).toEqual([
      '(3922) belongs to (01) with (30) or (01) with (31nn) or (01) with (32nn) or (01) with (35nn) or (01) with (36nn), which is not here',
    ])
    expect(read(`/01/${GTIN}`, '3922=100&3103=000100').warnings).toEqual([])
  })
})

describe('building', () => {
  it.each<[elements: Element[], path: string]>([
    [[['01', GTIN]], `/01/${GTIN}`],
    [
      [
        ['21', '1'],
        ['01', GTIN],
        ['17', '261231'],
        ['10', 'A/B'],
      ],
      `/01/${GTIN}/10/A%2FB/21/1?17=261231`,
    ],
    [
      [
        ['01', GTIN],
        ['10', "a!(b)*'c+"],
      ],
      `/01/${GTIN}/10/a%21%28b%29%2A%27c%2B`,
    ],
    [
      [
        ['415', '9506000134352'],
        ['8020', 'R'],
        ['3900', '100'],
      ],
      '/415/9506000134352/8020/R?3900=100',
    ],
    [
      [
        ['01', GTIN],
        ['235', 'T'],
      ],
      `/01/${GTIN}/235/T`,
    ],
  ])('%j is %s', (elements, path) => {
    const found = thingOf(elements)
    if ('fault' in found) throw new Error(found.fault)
    expect(buildDigitalLink(found.thing, found.data)).toBe(path)
    expect(buildDigitalLink(found.thing, found.data, '/id')).toBe(`/id${path}`)
  })

  it.each<[elements: Element[], fault: string]>([
    [[], 'There is no primary key here'],
    [[['10', 'A']], 'There is no primary key here'],
    [
      [
        ['01', GTIN],
        ['17', '1'],
      ],
      '(17): too short',
    ],
    [[['415', '9506000134352']], '(415) needs the qualifier (8020)'],
    [
      [
        ['01', GTIN],
        ['8200', 'x'],
      ],
      '(8200) cannot be in a GS1 Digital Link of (01)',
    ],
    [
      [
        ['01', GTIN],
        ['21', '1'],
        ['235', 'T'],
      ],
      '(21) and (235) exclude each other',
    ],
  ])('%j cannot be an address', (elements, fault) => {
    expect(thingOf(elements)).toMatchObject({ fault: expect.stringContaining(fault) })
  })

  /** Right things with data: some qualifiers of a key in their order, and attributes. */
  const things = fc.constantFrom(...PRIMARY_KEYS).chain((key) => {
    const orders = qualifiersOf(key) ?? []
    const names = (
      orders.length === 0
        ? fc.constant<string[]>([])
        : fc.constantFrom(...orders).chain((order) => fc.subarray([...order]))
    ).map((some) => (requiredQualifier(key) === undefined || some.length > 0 ? some : [...(orders[0] ?? [])]))
    return names.chain((names) => {
      const attributes = ALL_NUMBERS.filter(
        (ai) =>
          identifierOf(ai)?.isAttribute === true &&
          ai !== key &&
          !names.includes(ai) &&
          !names.some((_, at) => areQualifiers(key, names.toSpliced(at, 0, ai))) &&
          !areQualifiers(key, [...names, ai]),
      )
      const element = (ai: string) => rightValue(ai).map((value): Element => [ai, value])
      return fc.record({
        thing: fc.record({
          key: fc.constant(key),
          value: rightValue(key),
          qualifiers: fc.tuple(...names.map(element)),
        }),
        data: fc.uniqueArray(fc.constantFrom(...attributes).chain(element), {
          maxLength: 3,
          selector: ([ai]) => ai,
        }),
      })
    })
  })

  it('parsing after building is the identity', () => {
    fc.assert(
      fc.property(things, fc.constantFrom('', '/id', '/a/b'), ({ thing, data }, prefix) => {
        const address = buildDigitalLink(thing, data, prefix)
        expect(address).toMatch(/^[\w/.~%=?&-]+$/)
        const [path = '', query] = address.split('?')
        expect(beginsWithKey(path, prefix)).toBe(true)
        const parsed = parseDigitalLink(path, query, prefix)
        // Some data exclude each other; nothing else can be wrong.
        if ('fault' in parsed) {
          expect(parsed.fault).toContain('exclude each other')
          return
        }
        expect(parsed).toMatchObject({ ...thing, attributes: data, forwarded: query ?? '' })
        expect(thingOf(elementsOf(parsed))).toEqual({ thing, data })
      }),
      { numRuns: 300 },
    )
  })

  it('never throws, whatever the path and the query', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '01',
        '10',
        '21',
        '415',
        '8020',
        GTIN,
        '%2F',
        '%25',
        '%C0%AF',
        '%',
        '=',
        '&',
        '+',
        '17',
      ),
      fc.string({ maxLength: 4 }),
    )
    const hostile = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(hostile, hostile, (path, query) => {
        const parsed = parseDigitalLink(`/01/${path}`, query)
        expect('fault' in parsed ? parsed.fault : parsed.key).not.toBe('')
      }),
      { numRuns: 500 },
    )
  })
})

describe('levels', () => {
  const paths = (path: string): string[] => levelsOf(read(path)).map((level) => buildDigitalLink(level))

  it('lead from the serial number to the product', () => {
    expect(paths(`/01/${GTIN}/22/2A/10/ABC/21/1`)).toEqual([
      `/01/${GTIN}/22/2A/10/ABC/21/1`,
      `/01/${GTIN}/22/2A/10/ABC`,
      `/01/${GTIN}/22/2A`,
      `/01/${GTIN}`,
    ])
    expect(paths(`/01/${GTIN}/21/1`)).toEqual([`/01/${GTIN}/21/1`, `/01/${GTIN}`])
    expect(paths(`/01/${GTIN}`)).toEqual([`/01/${GTIN}`])
  })

  it.each([
    ['/253/4012345123456ABC', ['/253/4012345123456ABC', '/253/4012345123456']],
    ['/253/4012345123456', ['/253/4012345123456']],
    ['/255/40123451234567', ['/255/40123451234567', '/255/4012345123456']],
    ['/8003/04012345123456A', ['/8003/04012345123456A', '/8003/04012345123456']],
    ['/8004/1234ABC', ['/8004/1234ABC']],
    ['/401/1234ABC', ['/401/1234ABC']],
  ])('of %s', (path, levels) => {
    expect(paths(path)).toEqual(levels)
  })
})
