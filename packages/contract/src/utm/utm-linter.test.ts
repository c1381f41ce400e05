import { describe, expect, it } from 'vitest'
import { channelOf } from './analytics-channels.ts'
import { fixUtm, lintUtm, type UtmHistory } from './utm-linter.ts'
import type { UtmTags } from './utm-url.ts'

const clean: UtmTags = { source: 'newsletter', medium: 'email', campaign: 'spring-sale', content: 'button' }
const lint = (
  changes: Partial<UtmTags>,
  { url = 'https://a.example/', ...history }: Partial<UtmHistory> & { url?: string } = {},
): string[] => lintUtm(url, { ...clean, ...changes }, { isShortLink: false, used: {}, ...history })

describe('lintUtm', () => {
  it('has no warnings about a clean link', () => {
    expect(lint({})).toEqual([])
    expect(lint({ source: 'google', medium: 'cpc', term: 'red-shoes' })).toEqual([])
  })

  it.each(['source', 'medium', 'campaign', 'content', 'term'] as const)('sees capitals in %s', (field) => {
    expect(lint({ [field]: 'Email' })).toContain(
      `${field} has capital letters: analytics tools count "Email" and "email" apart`,
    )
  })

  it('sees capitals of any script', () => {
    expect(lint({ campaign: 'Ünlü' })).toHaveLength(1)
    expect(lint({ campaign: '春のセール' })).toEqual([])
  })

  it('sees spaces, also at the ends', () => {
    expect(lint({ campaign: 'spring sale' })).toEqual([
      'campaign has spaces: "spring-sale" survives copying and reads the same in every report',
    ])
    expect(lint({ content: ' button ' })).toEqual([
      'content has spaces: "button" survives copying and reads the same in every report',
    ])
    expect(lint({ content: ' ' })).toEqual(['content has spaces'])
  })

  it.each([
    ['cpc', 'google'],
    ['email', 'newsletter'],
    ['social', 'facebook'],
    ['Paid_Social', 'l.instagram.com'],
    ['referral', 'partner-site.example'],
  ])('sees that %s and %s are swapped', (source, medium) => {
    expect(lint({ source, medium }).filter((warning) => warning.includes('swapped'))).toHaveLength(1)
  })

  it.each([
    ['facebook', 'social'],
    ['email', 'email'],
    ['sms', 'sms'],
    ['google', 'facebook'],
    ['spring', 'cpc'],
  ])('takes %s and %s as they are', (source, medium) => {
    expect(lint({ source, medium }).filter((warning) => warning.includes('swapped'))).toEqual([])
  })

  it('sees an unknown medium', () => {
    expect(lint({ medium: 'qr' })).toEqual([
      'Google Analytics would file medium "qr" under "Unassigned": it knows email, social, cpc, display, affiliate, referral, video, audio and sms',
    ])
    expect(lint({ source: 'acme', medium: 'mailing' })).toEqual([
      'Google Analytics would file medium "mailing" under "Unassigned": "email" is the one it knows',
    ])
  })

  it('is not misled by names that every object has', () => {
    expect(lint({ source: 'acme', medium: 'constructor' })).toEqual([
      expect.stringContaining('it knows email'),
    ])
  })

  it('sees a value that was spelt differently before', () => {
    expect(lint({}, { used: { source: ['NewsLetter', 'newsletter', 'other'], medium: ['social'] } })).toEqual(
      ['source was written "NewsLetter" before: "newsletter" would be counted apart'],
    )
    expect(lint({}, { used: { campaign: ['Spring-Sale', 'SPRING-SALE', 'Spring-Sale'] } })).toEqual([
      'campaign was written "Spring-Sale", "SPRING-SALE" before: "spring-sale" would be counted apart',
    ])
  })

  it('sees our own short links and tags after the #', () => {
    expect(lint({}, { isShortLink: true })).toEqual([expect.stringContaining('our own short links')])
    expect(lint({}, { url: 'https://a.example/#/x?utm_source=y' })).toEqual([
      'The address has utm_source after the #, where analytics tools do not look',
    ])
  })

  it('lists UTM parameters of the address that are replaced or dropped, and not those that stay', () => {
    expect(lint({}, { url: 'https://a.example/?utm_source=old&a=1&utm%5Fid=7&utm_medium=email' })).toEqual([
      'The address already has utm_source, utm_id: UTM parameters of the address are replaced by those given here',
    ])
    expect(lint({}, { url: 'https://a.example/?utm_source=newsletter' })).toEqual([])
    expect(lint({}, { url: 'https://a.example/?utm_source=newsletter&utm_source=other' })).toHaveLength(1)
  })

  it('reports everything at once', () => {
    expect(lint({ source: 'My List', medium: 'QR' }, { isShortLink: true })).toHaveLength(5)
  })
})

describe('fixUtm', () => {
  it.each([
    [
      { source: 'News Letter', campaign: ' Spring Sale' },
      { source: 'news-letter', campaign: 'spring-sale' },
    ],
    [
      { source: 'Email', medium: 'Newsletter' },
      { source: 'newsletter', medium: 'email' },
    ],
    [
      { source: 'acme', medium: 'Mailing' },
      { source: 'acme', medium: 'email' },
    ],
    [
      { source: 'acme', medium: 'qr' },
      { source: 'acme', medium: 'qr' },
    ],
    [{ term: 'Red Shoes' }, { term: 'red-shoes' }],
  ])('turns %j into %j', (given, fixed) => {
    expect(fixUtm({ ...clean, ...given })).toEqual({ ...clean, term: null, ...fixed })
  })

  it('leaves no warning that it could fix', () => {
    const fixed = fixUtm({ ...clean, source: 'Email', medium: 'Newsletter', campaign: 'Spring Sale' })
    expect(lint(fixed)).toEqual([])
  })
})

describe('channelOf', () => {
  it.each([
    ['(direct)', '(none)', 'c', 'Direct'],
    ['google', 'cpc', 'c', 'Paid Search'],
    ['www.google.co.uk', 'ppc', 'c', 'Paid Search'],
    ['google', 'cpc', 'summer-shop', 'Paid Shopping'],
    ['google', 'cpc', 'workshop', 'Paid Search'],
    ['google', 'cpc', 'x cross-network y', 'Cross-network'],
    ['facebook', 'paid_social', 'c', 'Paid Social'],
    ['youtube', 'cpv', 'c', 'Paid Video'],
    ['acme', 'cpm', 'c', 'Display'],
    ['acme', 'Banner', 'c', 'Display'],
    ['acme', 'retargeting', 'c', 'Paid Other'],
    ['amazon.de', 'x', 'c', 'Organic Shopping'],
    ['Facebook', 'x', 'c', 'Organic Social'],
    ['acme', 'social media', 'c', 'Organic Social'],
    ['acme', 'short-video', 'c', 'Organic Video'],
    ['bing', 'x', 'c', 'Organic Search'],
    ['acme', 'organic', 'c', 'Organic Search'],
    ['acme', 'link', 'c', 'Referral'],
    ['acme', 'E-Mail', 'c', 'Email'],
    ['e mail', 'x', 'c', 'Email'],
    ['acme', 'affiliate', 'c', 'Affiliates'],
    ['acme', 'audio', 'c', 'Audio'],
    ['sms', 'x', 'c', 'SMS'],
    ['acme', 'web-push', 'c', 'Mobile Push Notifications'],
    ['firebase', 'x', 'c', 'Mobile Push Notifications'],
    ['acme', 'newsletter', 'c', 'Unassigned'],
    ['acme', 'print', 'c', 'Unassigned'],
    ['ungoogle', 'x', 'c', 'Unassigned'],
  ])('%s / %s / %s is %s', (source, medium, campaign, channel) => {
    expect(channelOf({ source, medium, campaign })).toBe(channel)
  })
})
