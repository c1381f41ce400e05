import { beforeAll, describe, expect, it } from 'vitest'
import { post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

const to = 'https://example.com/'
const rule = (conditions: object) => ({ if: conditions, to })
const variant = (fields: object = {}) => ({ url: to, ...fields })
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

/** What is wrong with a link, and the fields that the error names. */
const rejected: readonly (readonly [string, object, readonly string[]])[] = [
  ['21 rules', { rules: many(21, rule({})) }, ['rules']],
  ['6 variants', { variants: many(6, variant()) }, ['variants']],
  ['1 variant', { variants: [variant()] }, ['variants']],
  ['a weight of 0', { variants: [variant(), variant({ weight: 0 })] }, ['variants.1.weight']],
  ['a weight of 10^9', { variants: [variant({ weight: 1e9 }), variant()] }, ['variants.0.weight']],
  ['a weight of 1.5', { variants: [variant({ weight: 1.5 }), variant()] }, ['variants.0.weight']],
  ['an unknown condition', { rules: [rule({ continent: ['EU'] })] }, ['rules.0.if']],
  ['a condition of the prototype', { rules: [rule({ constructor: ['EU'] })] }, ['rules.0.if']],
  ['a condition called __proto__', { rules: [rule({ ['__proto__']: ['EU'] })] }, ['rules.0.if']],
  ['country XX', { rules: [rule({ country: ['DE', 'XX'] })] }, ['rules.0.if.country.1']],
  ['language *', { rules: [rule({ language: ['*'] })] }, ['rules.0.if.language.0']],
  [
    'a language of 200 subtags',
    { rules: [rule({ language: [['en', ...many(200, 'x')].join('-')] })] },
    ['rules.0.if.language.0'],
  ],
  [
    'an end before its beginning',
    { rules: [rule({ after: '2030-01-02T00:00:00Z', before: '2030-01-01T00:00:00Z' })] },
    ['rules.0.if.before'],
  ],
  ['an expiry before the start', { starts_at: '2098-01-02', expire: '2098-01-01' }, ['starts_at']],
]

onStack('embedded', (waymark) => {
  let account: Account
  beforeAll(async () => {
    account = await waymark().account()
  })
  const call = (path: string, fields: Record<string, unknown>) => post(waymark(), account, path, fields)
  const create = (fields: object) => call('/v1/generate-link', { link: to, ...fields })

  describe('a link with', () => {
    it.each(rejected)('%s is rejected on create and on edit', async (_name, fields, faults) => {
      const made = await create({})
      const edit = await call('/v1/edit-links', { uuid: made.body.data.uuid, link: to, ...fields })
      for (const { status, body } of [await create(fields), edit])
        expect([status, Object.keys(body.errors ?? {})]).toEqual([422, faults])
    })

    it('a rule or variant that leads to a short link of ours is rejected', async () => {
      const own = `${waymark().url}/abc1234`
      const { status, body } = await create({ rules: [{ if: {}, to: own }], variants: many(2, { url: own }) })
      expect([status, Object.keys(body.errors)]).toEqual([
        422,
        ['rules.0.to', 'variants.0.url', 'variants.1.url'],
      ])
    })

    it('dates that touch are accepted', async () => {
      const after = '2030-01-01T00:00:00Z'
      const { status } = await create({ rules: [rule({ after, before: '2030-01-01T00:00:00.001Z' })] })
      expect(status).toBe(201)
    })
  })

  describe('a visitor with', () => {
    const locationOf = async (path: string, headers: Record<string, string> = {}) => {
      const { status, headers: answered } = await fetch(`${waymark().url}/${path}`, {
        redirect: 'manual',
        headers,
      })
      return [status, answered.get('location')]
    }

    it('8 KB of Accept-Language is sent on', async () => {
      const { code } = (await create({ rules: [{ if: { language: ['fr'] }, to: `${to}fr` }] })).body.data
      const preferences = `fr-CA${',x-y;q=0.1'.repeat(810)}`
      expect(preferences.length).toBeGreaterThan(8_000)
      expect(await locationOf(code, { 'accept-language': preferences })).toEqual([302, `${to}fr`])
      const hostile = { 'accept-language': 'q='.repeat(4_000) }
      expect(await locationOf(code, hostile)).toEqual([302, to])
    })

    it('8 KB of query leaves a destination of 2,048 characters as it is', async () => {
      const link = to.padEnd(2048, 'x')
      const { code } = (await create({ link, forward_query: true })).body.data
      expect(await locationOf(`${code}?${'a'.repeat(8_000)}`)).toEqual([302, link])
      expect(await locationOf(`${code}?a=b`)).toEqual([302, `${link}?a=b`])
    })
  })
})
