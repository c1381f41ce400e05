import { expect, test } from 'vitest'
import { causeInWords, changesOf, type Version } from './history-words.ts'

const version = {
  link: 'https://example.com/a',
  ios_url: null,
  android_url: null,
  rules: [],
  variants: [],
  expire: null,
  domain: 'go.example.com',
} as unknown as Version

test('the oldest version shows its settings, without those that are not set', () =>
  expect(changesOf(version, undefined).map(({ what }) => what)).toEqual(['Destination', 'Domain']))

test('a version shows what differs from the one before', () => {
  expect(changesOf(version, version)).toEqual([])
  const changed = { ...version, ios_url: 'https://example.com/ios' }
  expect(changesOf(changed, version)).toMatchObject([{ what: 'iOS destination', before: 'none' }])
})

test('as many rules with other conditions are a change', () => {
  const withRule = (to: string) => ({ ...version, rules: [{ if: {}, to }] }) as unknown as Version
  expect(changesOf(withRule('https://a.example/'), withRule('https://b.example/'))).toEqual([
    { what: 'Rules', before: '1 rule', after: '1 rule, edited' },
  ])
})

test('a key is named, also after it was removed', () => {
  expect(causeInWords({ type: 'key', name: 'Website' })).toContain('Website')
  expect(causeInWords({ type: 'key', name: null })).toContain('was removed')
  expect(causeInWords({ type: 'import', name: null })).toBe('Imported')
})
