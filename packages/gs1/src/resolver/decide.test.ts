import { describe, expect, it } from 'vitest'
import { parseDigitalLink } from '../digital-link.ts'
import { levelsOf } from '../levels.ts'
import { buildDigitalLink } from '../digital-link.ts'
import { decide, type Decision, type Level, type ThingLink, withQuery } from './decide.ts'
import { linksetOf } from './linkset.ts'

const GTIN = '09506000134352'
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const level = (
  key: string,
  qualifiers: [string, string][],
  links: ThingLink[],
  defaultLink?: string,
): Level => ({
  thing: { key, value: GTIN, qualifiers },
  title: 'Rice',
  links,
  defaultLink: defaultLink ?? links[0]?.href ?? '',
})

const PIP_EN: ThingLink = { type: 'gs1:pip', href: 'https://shop.example/en', title: 'Rice', language: 'en' }
const PIP_DE: ThingLink = { type: 'gs1:pip', href: 'https://shop.example/de', title: 'Reis', language: 'de' }
const RECALL: ThingLink = { type: 'gs1:recallStatus', href: 'https://shop.example/recall' }
const PRODUCT = level('01', [], [PIP_EN, PIP_DE])
const LOT = level('01', [['10', 'ABC']], [RECALL])

/** The answer to a request at a domain with this product and this lot. */
const answer = (
  address: string,
  headers: { accept?: string; language?: string } = {},
  stored: readonly Level[] = [PRODUCT, LOT],
): Decision | string => {
  const [path = '', query] = address.split('?')
  const parsed = parseDigitalLink(path, query)
  if ('fault' in parsed) return `${parsed.status} ${parsed.fault}`
  const byPath = new Map(stored.map((one) => [buildDigitalLink(one.thing), one]))
  const found = levelsOf(parsed).flatMap((thing) => byPath.get(buildDigitalLink(thing)) ?? [])
  return decide(found, { ...parsed, accept: headers.accept, acceptLanguage: headers.language })
}
const redirect = (location: string) => expect.objectContaining({ kind: 'redirect', location })
const UNKNOWN = { kind: 'unknown' }

describe('the examples', () => {
  it.each<[address: string, language: string | undefined, answer: unknown]>([
    [`/01/${GTIN}`, undefined, redirect(PIP_EN.href)],
    [`/01/${GTIN}/`, undefined, redirect(PIP_EN.href)],
    ['/01/09506000134353', undefined, '400 The check digit of (01) is wrong: it should be 2'],
    [`/01/${GTIN}?linkType=gs1:pip`, 'de', redirect(PIP_DE.href)],
    [`/01/${GTIN}?linkType=gs1:nosuch`, undefined, UNKNOWN],
    [`/01/${GTIN}/10/ABC?linkType=gs1:recallStatus`, undefined, redirect(RECALL.href)],
    [`/01/${GTIN}/10/XYZ/21/1?linkType=gs1:pip`, undefined, redirect(PIP_EN.href)],
    [`/01/${GTIN}/10/XYZ/21/1?linkType=gs1:pip`, 'de', redirect(PIP_DE.href)],
    [
      `/01/${GTIN}/21/1/10/ABC`,
      undefined,
      '400 The qualifiers of (01) have an order: (22), (10), (21), or (235)',
    ],
    [`/01/${GTIN}?17=261231&x=1`, undefined, redirect(`${PIP_EN.href}?17=261231&x=1`)],
    [
      `/01/${GTIN}/17/261231`,
      undefined,
      '400 (17) is not a qualifier of (01): it belongs in the query, as ?17=…',
    ],
  ])('%s for a visitor who speaks %s', (address, language, expected) => {
    expect(answer(address, language === undefined ? {} : { language })).toEqual(expected)
  })
})

describe('answers', () => {
  it.each(['gs1:pip', 'https://ref.gs1.org/voc/pip', 'https://gs1.org/voc/pip', 'http://gs1.org/voc/pip'])(
    'a link type is found by %s',
    (type) => {
      const asked = `/01/${GTIN}?linkType=${encodeURIComponent(type)}`
      expect(answer(asked, { language: 'de' })).toEqual(redirect(PIP_DE.href))
      const stored = [level('01', [], [{ ...PIP_DE, type }])]
      expect(answer(`/01/${GTIN}?linkType=gs1:pip`, {}, stored)).toEqual(redirect(PIP_DE.href))
    },
  )

  it('a type that is not of GS1 is its whole address', () => {
    const other: ThingLink = { type: 'https://schema.org/review', href: 'https://r.example/' }
    const stored = [level('01', [], [PIP_EN, other])]
    expect(answer(`/01/${GTIN}?linkType=https://schema.org/review`, {}, stored)).toEqual(redirect(other.href))
  })

  it('the nearest level answers, and the most granular one that has the type', () => {
    expect(answer(`/01/${GTIN}/10/ABC`)).toEqual(redirect(RECALL.href))
    expect(answer(`/01/${GTIN}/10/ABC/21/9`)).toEqual(redirect(RECALL.href))
    expect(answer(`/01/${GTIN}/10/ABC?linkType=gs1:pip`, { language: 'de' })).toEqual(redirect(PIP_DE.href))
    expect(answer(`/01/${GTIN}?linkType=gs1:recallStatus`)).toEqual(UNKNOWN)
    expect(answer('/01/00614141123452')).toEqual(UNKNOWN)
  })

  it('several of one type that fit as well are a choice, as a page or a linkset', () => {
    const asked = `/01/${GTIN}?linkType=gs1:pip`
    const choices = (as: string) => ({ kind: 'choices', links: [PIP_EN, PIP_DE], level: PRODUCT, as })
    expect(answer(asked, { language: 'fr' })).toEqual(choices('linkset'))
    expect(answer(asked, { language: 'fr', accept: HTML })).toEqual(choices('page'))
    expect(answer(asked, { language: 'en, de' })).toEqual(choices('linkset'))
    expect(answer(asked, { language: 'en, de;q=0.9' })).toEqual(redirect(PIP_EN.href))
    // The same language twice, and nothing else to choose by.
    const twice = [level('01', [], [PIP_EN, { ...PIP_EN, href: 'https://other.example/' }])]
    expect(answer(asked, {}, twice)).toMatchObject({ kind: 'choices' })
    expect(answer(asked, { language: 'en' }, twice)).toMatchObject({ kind: 'choices' })
  })

  it('a visitor who names no language gets the translation that is the default', () => {
    const asked = `/01/${GTIN}?linkType=gs1:pip`
    const german = [level('01', [], [PIP_EN, PIP_DE], PIP_DE.href)]
    expect(answer(asked, { language: '*' }, german)).toEqual(redirect(PIP_DE.href))
    const neither = [level('01', [], [PIP_EN, PIP_DE, RECALL], RECALL.href)]
    expect(answer(asked, {}, neither)).toMatchObject({ kind: 'choices' })
  })

  it('media types and contexts choose as well', () => {
    const pdf: ThingLink = {
      type: 'gs1:instructions',
      href: 'https://a.example/pdf',
      mediaType: 'application/pdf',
    }
    const page: ThingLink = {
      type: 'gs1:instructions',
      href: 'https://a.example/html',
      mediaType: 'text/html',
    }
    const nurse: ThingLink = { ...page, href: 'https://a.example/nurse', context: 'nurse' }
    const stored = [level('01', [], [pdf, page, nurse], pdf.href)]
    const asked = `/01/${GTIN}?linkType=gs1:instructions`
    expect(answer(asked, { accept: 'application/pdf' }, stored)).toEqual(redirect(pdf.href))
    expect(answer(asked, { accept: HTML }, stored)).toEqual(redirect(page.href))
    expect(answer(`${asked}&context=nurse`, { accept: 'application/pdf' }, stored)).toEqual(
      redirect(nurse.href),
    )
    expect(answer(`${asked}&context=doctor`, { accept: HTML }, stored)).toEqual(redirect(page.href))
  })

  it('a link for everybody is better than an unwanted one, and worse than a wanted one', () => {
    const all: ThingLink = { type: 'gs1:pip', href: 'https://shop.example/' }
    const stored = [level('01', [], [PIP_DE, all])]
    const asked = `/01/${GTIN}?linkType=gs1:pip`
    expect(answer(asked, { language: 'de' }, stored)).toEqual(redirect(PIP_DE.href))
    expect(answer(asked, { language: 'fr' }, stored)).toEqual(redirect(all.href))
    expect(answer(asked, {}, stored)).toEqual(redirect(all.href))
  })

  it('defaults by language are used where they are wanted', () => {
    const multi = (language: string): ThingLink => ({
      type: 'gs1:defaultLinkMulti',
      href: `https://shop.example/default-${language}`,
      language,
    })
    const stored = [level('01', [], [PIP_EN, multi('de'), multi('fr')])]
    expect(answer(`/01/${GTIN}`, { language: 'de-AT, en;q=0.5' }, stored)).toEqual(redirect(multi('de').href))
    expect(answer(`/01/${GTIN}`, { language: 'fr' }, stored)).toEqual(redirect(multi('fr').href))
    for (const language of ['ja', '*', undefined])
      expect(answer(`/01/${GTIN}`, language === undefined ? {} : { language }, stored)).toEqual(
        redirect(PIP_EN.href),
      )
    expect(answer(`/01/${GTIN}?linkType=gs1:defaultLink`, { language: 'ja' }, stored)).toEqual(
      redirect(PIP_EN.href),
    )
  })

  it.each<[query: string, accept: string | undefined, kind: string]>([
    ['?linkType=linkset', undefined, 'linkset'],
    ['?linkType=all', '*/*', 'linkset'],
    ['?linkType=linkset', 'application/linkset+json', 'linkset'],
    ['?linkType=linkset', 'text/html', 'page'],
    ['?linkType=linkset', HTML, 'page'],
    ['', 'application/linkset+json', 'linkset'],
    ['', 'application/json, text/html;q=0.5', 'linkset'],
    ['?linkType=gs1:pip', 'application/ld+json', 'linkset'],
    ['', 'application/json, text/plain, */*', 'redirect'],
    ['', HTML, 'redirect'],
  ])('%s with Accept: %s is a %s', (query, accept, kind) => {
    const found = answer(`/01/${GTIN}/10/ABC${query}`, accept === undefined ? {} : { accept })
    expect(found).toMatchObject({ kind })
    if (kind !== 'redirect') expect(found).toMatchObject({ levels: [LOT, PRODUCT] })
  })

  it.each<[href: string, query: string, location: string]>([
    ['https://a.example/', '', 'https://a.example/'],
    ['https://a.example/', 'x=1', 'https://a.example/?x=1'],
    ['https://a.example/?y', 'x=1', 'https://a.example/?y&x=1'],
    ['https://a.example/?', 'x=1', 'https://a.example/?x=1'],
    ['https://a.example/?y=1&', 'x=1', 'https://a.example/?y=1&x=1'],
    ['https://a.example/#a#b', 'x=1', 'https://a.example/?x=1#a#b'],
  ])('%s with %s is %s', (href, query, location) => {
    expect(withQuery(href, query)).toBe(location)
  })

  it('the query is passed on as it came, unless the link says no', () => {
    expect(answer(`/01/${GTIN}?a=%2f&linkType=gs1:pip&b&context=x`, { language: 'de' })).toEqual(
      redirect(`${PIP_DE.href}?a=%2f&b`),
    )
    const stored = [level('01', [], [{ ...PIP_EN, forwardQuery: false }])]
    expect(answer(`/01/${GTIN}?a=1`, {}, stored)).toEqual(redirect(PIP_EN.href))
  })
})

describe('a linkset', () => {
  it('has an entry for each level, with a relation for each type', () => {
    const described = { ...PRODUCT, description: 'Risotto rice' }
    const pdf: ThingLink = { ...RECALL, mediaType: 'application/pdf', context: 'shop', title: 'Recall' }
    const lot = level('01', [['10', 'A/B']], [pdf])
    expect(linksetOf('https://id.example', [lot, described])).toEqual({
      linkset: [
        {
          anchor: `https://id.example/01/${GTIN}/10/A%2FB`,
          description: 'Rice',
          itemDescription: 'Rice',
          'https://ref.gs1.org/voc/defaultLink': [{ href: pdf.href, title: 'Recall' }],
          'https://ref.gs1.org/voc/recallStatus': [
            { href: pdf.href, title: 'Recall', type: 'application/pdf', context: ['shop'] },
          ],
        },
        {
          anchor: `https://id.example/01/${GTIN}`,
          description: 'Risotto rice',
          itemDescription: 'Risotto rice',
          'https://ref.gs1.org/voc/defaultLink': [{ href: PIP_EN.href, title: 'Rice' }],
          'https://ref.gs1.org/voc/pip': [
            { href: PIP_EN.href, title: 'Rice', hreflang: ['en'] },
            { href: PIP_DE.href, title: 'Reis', hreflang: ['de'] },
          ],
        },
      ],
    })
  })
})
