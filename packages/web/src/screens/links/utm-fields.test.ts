import { expect, test } from 'vitest'
import { utmTagsOf, withUtmTags } from './utm-fields.tsx'

const none = { source: '', medium: '', campaign: '', term: '', content: '' }

test('parameters are read from and written to the destination', () => {
  const address = withUtmTags('example.com/a?b=1#c', { ...none, source: 'mail', campaign: 'spring sale' })
  expect(address).toBe('https://example.com/a?b=1&utm_source=mail&utm_campaign=spring%20sale#c')
  expect(utmTagsOf(address)).toEqual({ ...none, source: 'mail', campaign: 'spring sale' })
})

test.each(['https://example.com/a', 'https://example.com/a?b=1', 'https://example.com/a?b=1#c'])(
  'emptied, they leave %s as it was',
  (address) => {
    expect(withUtmTags(withUtmTags(address, { ...none, source: 'mail' }), none)).toBe(address)
  },
)
