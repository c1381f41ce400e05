import {
  array,
  assert,
  constantFrom,
  option,
  oneof,
  property,
  string,
  stringMatching,
  webFragments,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildUtmUrl, tagsInFragment, type UtmTags } from './utm-url.ts'

const tags: UtmTags = { source: 's', medium: 'm', campaign: 'c', content: 'x' }
const TAGS = 'utm_source=s&utm_medium=m&utm_campaign=c&utm_content=x'

describe('buildUtmUrl', () => {
  it.each([
    ['no query', 'https://a.example/', `https://a.example/?${TAGS}`],
    ['no path', 'https://a.example', `https://a.example?${TAGS}`],
    ['a query', 'https://a.example/?a=1&b=2', `https://a.example/?a=1&b=2&${TAGS}`],
    ['an empty query', 'https://a.example/?', `https://a.example/?${TAGS}`],
    ['a fragment', 'https://a.example/#top', `https://a.example/?${TAGS}#top`],
    ['an empty fragment', 'https://a.example/#', `https://a.example/?${TAGS}#`],
    ['both', 'https://a.example/?a=1#/b?c=2&d#e', `https://a.example/?a=1&${TAGS}#/b?c=2&d#e`],
    ['tags', 'https://a.example/?utm_source=old&a=1&utm_medium=old', `https://a.example/?a=1&${TAGS}`],
    ['tags alone', 'https://a.example/?utm_source=old&utm_id=7', `https://a.example/?${TAGS}`],
    ['a tag without a value', 'https://a.example/?utm_term&a', `https://a.example/?a&${TAGS}`],
    ['a tag twice', 'https://a.example/?utm_term=1&a&utm_term=2', `https://a.example/?a&${TAGS}`],
    ['a tag with a broken escape', 'https://a.example/?utm%5Fx%zz=1&a', `https://a.example/?a&${TAGS}`],
    ['an encoded tag', 'https://a.example/?utm%5Fsource=old&%75tm_medium=old', `https://a.example/?${TAGS}`],
    [
      'what only looks like a tag',
      'https://a.example/?xutm_source=1&utm=2&a=utm_source',
      `https://a.example/?xutm_source=1&utm=2&a=utm_source&${TAGS}`,
    ],
    ['odd separators', 'https://a.example/?&&a=1&&', `https://a.example/?&&a=1&&${TAGS}`],
    [
      'odd bytes',
      'https://a.example/?a=%zz&b=%C3%BC+%2B&c=[]|{}\'"',
      `https://a.example/?a=%zz&b=%C3%BC+%2B&c=[]|{}'"&${TAGS}`,
    ],
    ['a second question mark', 'https://a.example/?a?b=1', `https://a.example/?a?b=1&${TAGS}`],
    ['tags after the #', 'https://a.example/#utm_source=old', `https://a.example/?${TAGS}#utm_source=old`],
  ])('%s', (_, url, expected) => {
    expect(buildUtmUrl(url, tags)).toBe(expected)
  })

  it('adds the term when there is one', () => {
    const built = buildUtmUrl('https://a.example/', { ...tags, term: 'red shoes' })
    expect(new URL(built).searchParams.get('utm_term')).toBe('red shoes')
    expect(buildUtmUrl('https://a.example/', { ...tags, term: null })).not.toContain('utm_term')
  })

  it('encodes values unambiguously', () => {
    const source = `a&b=c#d e+f'"<>%41?/\\;,()!*~ü😀\n`
    const built = buildUtmUrl('https://a.example/', { ...tags, source })
    expect(built).toMatch(/^[\w.~:/?&=%-]+$/)
    expect(new URL(built).searchParams.get('utm_source')).toBe(source)
    expect(new URL(built).href).toBe(built)
  })
})

const typed = string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((text) => text.isWellFormed())
const parameter = oneof(
  stringMatching(/^[a-zA-Z0-9%+=._~!$'()*,;:@/?[\]|-]{0,12}$/),
  constantFrom('utm_source=old', 'utm_id=1', 'utm%5Fterm=x', 'utm_', '', 'a=1', 'utm_content'),
)
const address = property(
  array(parameter, { maxLength: 6 }),
  option(oneof(webFragments(), constantFrom('utm_source=x', '?a&b#c'))),
  typed,
  typed,
  option(typed),
  (parameters, fragment, source, content, term) => {
    const query = parameters.join('&')
    const url = `https://a.example/p?${query}${fragment === null ? '' : `#${fragment}`}`
    const given: UtmTags = { source, medium: 'm', campaign: 'c', content, term }
    const built = buildUtmUrl(url, given)
    const parsed = new URL(built).searchParams

    // A browser reads every tag exactly as it was typed, and once.
    expect(parsed.getAll('utm_source')).toEqual([source])
    expect(parsed.getAll('utm_content')).toEqual([content])
    expect(parsed.getAll('utm_term')).toEqual(term === null ? [] : [term])
    expect([...parsed.keys()].filter((name) => name.startsWith('utm_'))).toHaveLength(term === null ? 4 : 5)

    // Every other parameter is unchanged, in order, byte by byte.
    const others = [...new URL(url).searchParams].filter(([name]) => !name.startsWith('utm_'))
    expect([...parsed].filter(([name]) => !name.startsWith('utm_'))).toEqual(others)
    if (!/utm/.test(query)) expect(built.startsWith(`https://a.example/p?${query}`)).toBe(true)

    // The fragment is last and untouched.
    expect(built.slice(built.indexOf('#') + 1) === fragment).toBe(fragment !== null)
    // Tagging it again changes nothing.
    expect(buildUtmUrl(built, given)).toBe(built)
  },
)
it('holds for any query, fragment and value', () => {
  assert(address, { numRuns: 3000 })
})

describe('tagsInFragment', () => {
  it.each([
    ['https://a.example/#utm_source=x&utm_medium=y', ['utm_source', 'utm_medium']],
    ['https://a.example/#/route?a=1&utm_source=x', ['utm_source']],
    ['https://a.example/?utm_source=x#top', []],
    ['https://a.example/#utm_source', []],
    ['https://a.example/', []],
  ])('%s', (url, expected) => {
    expect(tagsInFragment(url)).toEqual(expected)
  })
})
