import type { Link } from '@waymark/sdk'
import { expect, test, vi } from 'vitest'
import { newRule, ruleValuesOf, sentRules } from './rule-values.ts'

const to = 'https://example.com/de'
const linkWith = (conditions: Link['rules'][number]['if']): Link =>
  ({ rules: [{ if: conditions, to }] }) as Link

test('rules come back as they were saved, with conditions in the order of the screen', () => {
  const conditions = { device: ['mobile'], country: ['DE', 'AT'] } as Link['rules'][number]['if']
  const values = ruleValuesOf(linkWith(conditions))
  expect(values.rules[0]?.conditions.map(({ kind }) => kind)).toEqual(['country', 'device'])
  expect(sentRules(values)).toEqual([{ if: conditions, to }])
})

test('an untouched time keeps its seconds, a changed one is that of the fields', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const exact = '2030-01-01T10:20:30.456Z'
  const values = ruleValuesOf(linkWith({ after: exact }))
  expect(values.rules[0]?.conditions).toEqual([{ kind: 'after', values: ['2030-01-01T11:20'], exact }])
  expect(sentRules(values)[0]?.if).toEqual({ after: exact })
  const [rule] = values.rules
  const edited = { ...rule!, conditions: [{ kind: 'after', values: ['2030-06-01T11:20'], exact } as const] }
  expect(sentRules({ rules: [edited] })[0]?.if).toEqual({ after: '2030-06-01T09:20:00.000Z' })
  vi.unstubAllEnvs()
})

test('a day begins for "from" and ends for "until"', () => {
  vi.stubEnv('TZ', 'UTC')
  const rule = newRule([])
  const conditions = [
    { kind: 'after', values: ['2030-01-01'] },
    { kind: 'before', values: ['2030-01-02'] },
  ] as const
  expect(sentRules({ rules: [{ ...rule, conditions }] })[0]?.if).toEqual({
    after: '2030-01-01T00:00:00.000Z',
    before: '2030-01-02T23:59:59.999Z',
  })
  vi.unstubAllEnvs()
})

test('a new rule has an id that no other has, and its destination gets a scheme', () => {
  const first = newRule([])
  const second = newRule([first, { ...first, id: 7, key: 'id-7' }])
  expect([first.id, second.id, second.key]).toEqual([0, 8, 'id-8'])
  expect(sentRules({ rules: [{ ...first, to: 'example.com' }] })[0]?.to).toBe('https://example.com')
})
