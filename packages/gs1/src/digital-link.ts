import { padGtin } from './check-digit.ts'
import { isCompressed } from './compressed.ts'
import { combinationFault, type Element, elementsFault, missingElements } from './elements.ts'
import { identifierOf } from './identifiers.ts'
import { areQualifiers, qualifiersOf, requiredQualifier } from './keys.ts'
import { shown, unknownFault, valueFault } from './values.ts'

/** What a GS1 Digital Link identifies. */
export interface Thing {
  readonly key: string
  readonly value: string
  /** In the order of the standard. */
  readonly qualifiers: readonly Element[]
}

/** The contents of a GS1 Digital Link. */
export interface DigitalLink extends Thing {
  /** Application identifiers of the query. */
  readonly attributes: readonly Element[]
  /** The link type that is asked for. */
  readonly linkType: string | undefined
  readonly context: string | undefined
  /** The query as sent, without `linkType` and `context`: what the destination receives. */
  readonly forwarded: string
  readonly warnings: readonly string[]
}

/** Why a path is not a valid GS1 Digital Link: 404 without a key and its value, otherwise 400. */
export interface LinkFault {
  readonly status: 400 | 404
  readonly fault: string
}

/**
 * Parses the path and the query of a GS1 Digital Link, both as sent; the query without its question mark.
 * The prefix is empty or begins with a slash and does not end with one. Takes linear time.
 */
export function parseDigitalLink(path: string, query = '', prefix = ''): DigitalLink | LinkFault {
  const read = path.startsWith(`${prefix}/`) ? readPath(path.slice(prefix.length + 1)) : NO_KEY
  if ('fault' in read) return read
  const pairs = readQuery(query)
  if ('fault' in pairs) return pairs
  // The order of a path allows no combination that is wrong.
  if (pairs.attributes.length === 0) return { ...read, ...pairs }
  const elements = elementsOf({ ...read, attributes: pairs.attributes })
  const fault = combinationFault(elements) ?? misplacedFault(read, pairs.attributes)
  if (fault !== undefined) return bad(fault)
  return { ...read, ...pairs, warnings: [...read.warnings, ...missingElements(elements)] }
}

const bad = (fault: string): LinkFault => ({ status: 400, fault })

const NO_KEY: LinkFault = {
  status: 404,
  fault:
    'This is not a GS1 Digital Link: it does not begin with a primary key, such as 01 for a GTIN, and its value',
}

/** Keys and values in turns: at most four pairs are right, so that longer paths are rejected unread. */
function readPath(path: string): (Thing & { warnings: string[] }) | LinkFault {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path
  const [key = '', first, ...rest] = trimmed.split('/')
  if (qualifiersOf(key) === undefined || first === undefined)
    return isCompressed(key) ? bad('Compressed GS1 Digital Links are not supported') : NO_KEY
  const value = decoded(first)
  if (value === undefined) return bad(badEncoding(key))
  if (value === '') return bad(EMPTY_SEGMENT)
  const padded = key === '01' ? padGtin(value) : value
  const qualifiers = readQualifiers(key, rest)
  if ('fault' in qualifiers) return qualifiers
  const fault = valueFault(key, padded)
  if (fault !== undefined) return bad(fault)
  const warnings = padded === value ? [] : [`A GTIN has 14 digits: this one is ${padded}`]
  return { key, value: padded, qualifiers: qualifiers.elements, warnings }
}

const EMPTY_SEGMENT = 'Two slashes follow each other: a value is missing between them'

function readQualifiers(key: string, segments: readonly string[]): { elements: Element[] } | LinkFault {
  const elements: Element[] = []
  const names: string[] = []
  for (let at = 0; at < segments.length; at += 2) {
    const [name = '', text] = [segments[at], segments[at + 1]]
    if (name === '' || text === '') return bad(EMPTY_SEGMENT)
    names.push(name)
    const fault = qualifierFault(key, names)
    if (fault !== undefined) return bad(fault)
    if (text === undefined) return bad(`The qualifier (${name}) has no value`)
    const value = decoded(text)
    if (value === undefined) return bad(badEncoding(name))
    const wrong = valueFault(name, value)
    if (wrong !== undefined) return bad(wrong)
    elements.push([name, value])
  }
  const required = requiredQualifier(key)
  if (required !== undefined && !names.includes(required))
    return bad(`(${key}) needs the qualifier (${required}): /${key}/…/${required}/…`)
  return { elements }
}

/** The last of some qualifiers is wrong; undefined if it is not. */
function qualifierFault(key: string, names: readonly string[]): string | undefined {
  if (areQualifiers(key, names)) return undefined
  const name = names.at(-1) ?? ''
  const orders = qualifiersOf(key) ?? []
  if (names.indexOf(name) < names.length - 1) return `The qualifier (${name}) is there twice`
  if (orders.some((order) => order.includes(name)))
    return orders.some((order) => names.every((one) => order.includes(one)))
      ? `The qualifiers of (${key}) have an order: ${orders.map(inWords).join(', or ')}`
      : `(${name}) cannot be combined with (${names.slice(0, -1).join('), (')})`
  if (!/^\d+$/.test(name))
    return `"${shown(name)}" is not an application identifier: names and compressed GS1 Digital Links are not supported`
  return identifierOf(name) === undefined
    ? unknownFault(name)
    : `(${name}) is not a qualifier of (${key}): ${placeOf(name)}`
}

const placeOf = (name: string): string =>
  identifierOf(name)?.isAttribute === true ? `it belongs in the query, as ?${name}=…` : 'it cannot be here'

const inWords = (order: readonly string[]): string => order.map((name) => `(${name})`).join(', ')

type Query = Pick<DigitalLink, 'attributes' | 'linkType' | 'context' | 'forwarded'>

/** Names of digits alone are application identifiers, and held to the dictionary; others may be anything. */
function readQuery(query: string): Query | LinkFault {
  const attributes: Element[] = []
  const forwarded: string[] = []
  const asked: { linkType?: string; context?: string } = {}
  for (const pair of query === '' ? [] : query.split('&')) {
    const equals = pair.indexOf('=')
    const [rawName, rawValue] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    const name = decodedInQuery(rawName) ?? rawName
    if (name === 'linkType' || name === 'context') {
      asked[name] ??= decodedInQuery(rawValue) ?? rawValue
      continue
    }
    forwarded.push(pair)
    if (!/^\d+$/.test(name)) continue
    const value = decodedInQuery(rawValue)
    if (value === undefined) return bad(badEncoding(name))
    const fault = attributeFault(name, value)
    if (fault !== undefined) return bad(fault)
    attributes.push([name, name === '01' ? padGtin(value) : value])
  }
  return { attributes, forwarded: forwarded.join('&'), linkType: asked.linkType, context: asked.context }
}

function attributeFault(ai: string, value: string): string | undefined {
  const identifier = identifierOf(ai)
  if (identifier === undefined) return unknownFault(ai)
  if (value === '') return `(${ai}) has no value`
  if (identifier.isAttribute !== true) return `(${ai}) cannot be in the query of a GS1 Digital Link`
  return valueFault(ai, ai === '01' ? padGtin(value) : value)
}

/** An attribute that must be in the path, where it would be a qualifier of this thing. */
function misplacedFault({ key, qualifiers }: Thing, attributes: readonly Element[]): string | undefined {
  const names = qualifiers.map(([name]) => name)
  const candidates = new Set(attributes.map(([ai]) => ai))
  for (const ai of candidates)
    for (let at = 0; at <= names.length; at++)
      if (areQualifiers(key, names.toSpliced(at, 0, ai)))
        return `(${ai}) is a qualifier of (${key}): it belongs in the path, not in the query`
  return undefined
}

const badEncoding = (ai: string): string => `The value of (${ai}) is not percent-encoded UTF-8`

/** Decodes once; undefined for invalid UTF-8, including overlong forms. */
function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const decodedInQuery = (text: string): string | undefined => decoded(text.replaceAll('+', ' '))

/** Key, qualifiers and attributes, in the order of the address. */
export function elementsOf({
  key,
  value,
  qualifiers,
  attributes,
}: Thing & Pick<DigitalLink, 'attributes'>): Element[] {
  return [[key, value], ...qualifiers, ...attributes]
}

/**
 * The shortest address of a thing after its domain: prefix, key, qualifiers and, in the query, data. Values must have been found
 * right. What is not a letter, a digit or one of `-._~` is percent-encoded, as GS1's encoder does.
 */
export function buildDigitalLink(
  { key, value, qualifiers }: Thing,
  data: readonly Element[] = [],
  prefix = '',
): string {
  const path = [[key, value] as const, ...qualifiers].map(([ai, text]) => `/${ai}/${encoded(text)}`)
  const query = data.map(([ai, text]) => `${ai}=${encoded(text)}`)
  return prefix + path.join('') + (query.length === 0 ? '' : `?${query.join('&')}`)
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Elements as a thing and the data beside it: the first primary key, its qualifiers in order, and the rest. */
export function thingOf(
  elements: readonly Element[],
): { readonly thing: Thing; readonly data: readonly Element[] } | { readonly fault: string } {
  const known = elementsFault(elements)
  if (known !== undefined) return { fault: known }
  const values = new Map(elements)
  const found = [...values].find(([ai]) => qualifiersOf(ai) !== undefined)
  if (found === undefined) return { fault: 'There is no primary key here, such as (01) for a GTIN' }
  const [key, value] = found
  // The alternative of which most are there.
  const [names = []] = (qualifiersOf(key) ?? [])
    .map((order) => order.filter((name) => values.has(name)))
    .toSorted((one, other) => other.length - one.length)
  const required = requiredQualifier(key)
  if (required !== undefined && !names.includes(required))
    return { fault: `(${key}) needs the qualifier (${required})` }
  const qualifiers = names.map((name): Element => [name, values.get(name) ?? ''])
  const data = [...values].filter(([ai]) => ai !== key && !names.includes(ai))
  const misplaced = data.find(([ai]) => identifierOf(ai)?.isAttribute !== true)
  return misplaced === undefined
    ? { thing: { key, value, qualifiers }, data }
    : { fault: `(${misplaced[0]}) cannot be in a GS1 Digital Link of (${key})` }
}
