import { describe, expect, it } from 'vitest'
import { schemas, validate } from './index.ts'

const link = { link: 'https://example.com/' }
const to = 'https://example.com/to'
const rule = (conditions: Record<string, unknown>, url: unknown = to) => ({ if: conditions, to: url })
const create = (fields: object) => validate(schemas.generateLink.body, { ...link, ...fields })
const faultsOf = (fields: object) => {
  const result = create(fields)
  return result.ok ? {} : result.errors
}
const many = <T>(count: number, item: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => item(at))

describe('rules', () => {
  it('accept every condition, and return them in one form', () => {
    const conditions = {
      country: ['de', 'FR'],
      language: ['fr', 'fr-CA'],
      device: ['mobile', 'tablet', 'desktop'],
      os: ['ios', 'macOS'],
      browser: ['edge', 'Chrome', 'Microsoft Edge'],
      referrer: ['News.Example.com', 'bücher.example', 'example.com.'],
      query: ['a', 'b=c=d', 'ä=ö'],
      after: '2026-01-01',
      before: '2026-02-01T12:00:00+02:00',
    }
    expect(create({ rules: [rule(conditions, 'https://EXAMPLE.com')] })).toMatchObject({
      value: {
        rules: [
          {
            if: {
              ...conditions,
              country: ['DE', 'FR'],
              referrer: ['news.example.com', 'xn--bcher-kva.example', 'example.com'],
              after: '2026-01-01T00:00:00.000Z',
              before: '2026-02-01T10:00:00.000Z',
            },
            to: 'https://example.com/',
          },
        ],
      },
    })
    expect(create({ rules: many(20, () => rule({ device: ['mobile'] })) }).ok).toBe(true)
    expect(create({ rules: [] }).ok).toBe(true)
    expect(create({ rules: [rule({ browser: ['Samsung Internet'], os: ['Mac OS'] })] }).ok).toBe(true)
    expect(create({ rules: null }).ok).toBe(true)
  })

  it.each<[string, unknown, string]>([
    ['21 rules', many(21, () => rule({})), 'rules'],
    ['no list', 'x', 'rules'],
    ['an unknown condition', [rule({ weather: ['rain'] })], 'rules.0.if'],
    ['no conditions', [{ to }], 'rules.0.if'],
    ['no destination', [{ if: {} }], 'rules.0.to'],
    ['a script as destination', [rule({}, 'javascript:alert(1)')], 'rules.0.to'],
    ['country XX', [rule({ country: ['XX'] })], 'rules.0.if.country.0'],
    ['a country that is no list', [rule({ country: 'DE' })], 'rules.0.if.country'],
    ['an empty list', [rule({ country: [] })], 'rules.0.if.country'],
    ['language *', [rule({ language: ['*'] })], 'rules.0.if.language.0'],
    [
      'a language of 200 subtags',
      [rule({ language: [many(200, () => 'aa').join('-')] })],
      'rules.0.if.language.0',
    ],
    ['51 languages', [rule({ language: many(51, () => 'fr') })], 'rules.0.if.language'],
    ['an unknown device', [rule({ device: ['fridge'] })], 'rules.0.if.device.0'],
    ['an unknown system', [rule({ os: ['constructor'] })], 'rules.0.if.os.0'],
    ['an unknown browser', [rule({ browser: ['Mosaic'] })], 'rules.0.if.browser.0'],
    ['a referrer with a path', [rule({ referrer: ['example.com/a'] })], 'rules.0.if.referrer.0'],
    ['a referrer with a port', [rule({ referrer: ['example.com:80'] })], 'rules.0.if.referrer.0'],
    ['a referrer with a star', [rule({ referrer: ['*.example.com'] })], 'rules.0.if.referrer.0'],
    ['an empty referrer', [rule({ referrer: [''] })], 'rules.0.if.referrer.0'],
    ['a parameter without a name', [rule({ query: ['=x'] })], 'rules.0.if.query.0'],
    ['times in a list', [rule({ after: ['2026-01-01'] })], 'rules.0.if.after'],
    ['30 February', [rule({ before: '2026-02-30' })], 'rules.0.if.before'],
    ['times in the wrong order', [rule({ after: '2026-02-01', before: '2026-01-01' })], 'rules.0.if.before'],
    ['equal times', [rule({ after: '2026-02-01', before: '2026-02-01' })], 'rules.0.if.before'],
    [
      'more text than a process should keep',
      many(20, () => rule({ query: many(50, (at) => `${at}${'x'.repeat(200)}`) })),
      'rules',
    ],
  ])('reject %s', (_name, rules, field) => {
    expect(Object.keys(faultsOf({ rules }))).toEqual([field])
  })
})

describe('variants', () => {
  it('get weight 1 and a letter as name', () => {
    expect(
      create({ variants: [{ url: to }, { url: to, weight: 1000, name: 'New' }, { url: to }] }),
    ).toMatchObject({
      value: {
        variants: [
          { url: to, weight: 1, name: 'A' },
          { url: to, weight: 1000, name: 'New' },
          { url: to, weight: 1, name: 'C' },
        ],
      },
    })
    expect(create({ variants: [] }).ok).toBe(true)
    expect(create({ variants: many(5, () => ({ url: to })) }).ok).toBe(true)
  })

  it.each<[string, unknown[], string]>([
    ['one', [{ url: to }], 'variants'],
    ['six', many(6, () => ({ url: to })), 'variants'],
    ['a weight of 0', [{ url: to, weight: 0 }, { url: to }], 'variants.0.weight'],
    ['a weight of a billion', [{ url: to, weight: 1e9 }, { url: to }], 'variants.0.weight'],
    ['half a weight', [{ url: to, weight: 0.5 }, { url: to }], 'variants.0.weight'],
    ['two of one name', [{ url: to, name: 'B' }, { url: to }], 'variants.1.name'],
    ['an empty name', [{ url: to, name: '' }, { url: to }], 'variants.0.name'],
    ['no destination', [{ weight: 1 }, { url: to }], 'variants.0.url'],
  ])('reject %s', (_name, variants, field) => {
    expect(Object.keys(faultsOf({ variants }))).toEqual([field])
  })
})

describe('tags', () => {
  it('count each name once, up to 20', () => {
    expect(create({ tags: ['b', 'a', 'b'] })).toMatchObject({ value: { tags: ['b', 'a'] } })
    expect(create({ tags: many(20, String) }).ok).toBe(true)
    expect(faultsOf({ tags: many(21, String) })).toHaveProperty('tags')
    expect(faultsOf({ tags: ['x'.repeat(256)] })).toHaveProperty('tags.0')
    expect(faultsOf({ tags: ['a\u001fb'] })).toHaveProperty('tags.0')
    expect(faultsOf({ tags: ['a', ''] })).toHaveProperty(['tags.1'])
    expect(create({ tag: '' })).toMatchObject({ value: { tag: null } })
  })

  it.each<['create' | 'edit', object, boolean]>([
    ['create', { tag: 'a', tags: ['a', 'b'] }, true],
    ['create', { tag: 'b', tags: ['a', 'b'] }, false],
    ['create', { tag: 'a', tags: [] }, false],
    ['create', { tag: 'a', tags: null }, true],
    ['create', { tag: null, tags: ['a'] }, true],
    ['edit', { tag: 'a', tags: ['a'] }, true],
    ['edit', { tag: 'b', tags: ['a'] }, false],
    ['edit', { tag: null, tags: ['a'] }, false],
    ['edit', { tag: null, tags: [] }, true],
    ['edit', { tag: null, tags: null }, true],
    ['edit', { tag: 'a', tags: null }, false],
  ])('on %s, %o is %s', (operation, fields, isRight) => {
    const result =
      operation === 'create'
        ? create(fields)
        : validate(schemas.editLinks.body, { uuid: 'u', ...link, ...fields })
    expect(result.ok || Object.keys(result.errors)).toEqual(isRight ? true : ['tag'])
  })
})

it('a preview has texts, and a picture as file or URL', () => {
  expect(create({ preview: { title: 'x'.repeat(2048), description: null } }).ok).toBe(true)
  expect(create({ preview: { image: 'https://example.com/m/a.jpg' } }).ok).toBe(true)
  expect(create({ preview: null }).ok).toBe(true)
  expect(Object.keys(faultsOf({ preview: { title: 'x'.repeat(2049), image: 1 } }))).toEqual([
    'preview.title',
    'preview.image',
  ])
  expect(Object.keys(faultsOf({ preview: 'text' }))).toEqual(['preview'])
})

describe('dates', () => {
  it('start before they end', () => {
    expect(create({ starts_at: '2099-01-01', expire: '2099-01-01' }).ok).toBe(true)
    expect(faultsOf({ starts_at: '2099-01-02', expire: '2099-01-01' })).toEqual({
      starts_at: ['Must be before expire'],
    })
  })

  it('of an edit can be in the past', () => {
    const edit = { uuid: 'u', ...link, expire: '2020-01-01', starts_at: '2019-01-01' }
    expect(validate(schemas.editLinks.body, edit).ok).toBe(true)
  })
})
