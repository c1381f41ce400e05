import { describe, expect, test } from 'vitest'
import { lintUtm, utmUrl } from './utm-url.ts'

const parts = { source: 'mail', medium: 'email', campaign: 'spring sale', content: '', term: '' }

describe('utmUrl', () => {
  test('adds what is given', () =>
    expect(utmUrl('https://a.b/c', parts)).toBe(
      'https://a.b/c?utm_source=mail&utm_medium=email&utm_campaign=spring+sale',
    ))
  test('replaces what was there and keeps every other byte', () =>
    expect(utmUrl('https://a.b/?x=%2F&utm_source=old&y#top?z', { ...parts, campaign: '' })).toBe(
      'https://a.b/?x=%2F&y&utm_source=mail&utm_medium=email#top?z',
    ))
  test('nothing of nothing', () => expect(utmUrl('', parts)).toBe(''))
})

describe('lintUtm', () => {
  test('a tidy campaign has no remarks', () =>
    expect(lintUtm({ ...parts, campaign: 'spring-sale' }, {})).toEqual({}))
  test('spaces, case and earlier spellings are pointed out at their field', () => {
    const found = lintUtm({ ...parts, source: 'Mail', campaign: 'spring sale' }, { source: ['mail'] })
    expect(Object.keys(found)).toEqual(['source', 'campaign'])
    expect(found['source']).toHaveLength(2)
  })
})
