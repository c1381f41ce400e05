import { expect, test, vi } from 'vitest'
import { contentOf, lacksContent, localTime, shownFields, typedContent } from './content-form.ts'

test('a network has WPA and needs a password by default', () => {
  expect(lacksContent('wifi', { ssid: 'Guests' })).toBe(true)
  const typed = { ssid: 'Guests', password: 'correct-horse' }
  expect(lacksContent('wifi', typed)).toBe(false)
  expect(contentOf('wifi', typed)).toMatchObject({ security: 'WPA', password: 'correct-horse' })
  const open = { ...typed, security: 'none' }
  expect(shownFields('wifi', open).map(({ name }) => name)).toEqual(['ssid', 'security', 'hidden'])
  expect(lacksContent('wifi', open)).toBe(false)
  expect(contentOf('wifi', open)).not.toHaveProperty('password')
})

test('a saved network without security is shown with the default of the API', () => {
  expect(typedContent({ type: 'wifi', ssid: 'a' })).toMatchObject({ security: 'none' })
  expect(typedContent({ type: 'wifi', ssid: 'a', password: '12345678' })).toMatchObject({ security: 'WPA' })
  expect(typedContent({ type: 'phone', number: '112' })).toEqual({ number: '112' })
})

test('numbers may have a decimal comma, as many countries write them', () => {
  const typed = { name: 'Ada', iban: 'DE89370400440532013000', amount: '12,50' }
  expect(lacksContent('sepa', typed)).toBe(false)
  expect(contentOf('sepa', typed)).toMatchObject({ amount: 12.5 })
  expect(contentOf('location', { latitude: ' -33,8568 ', longitude: '151.2' })).toMatchObject({
    latitude: -33.8568,
    longitude: 151.2,
  })
  // Grouped digits are left to the server, which rejects them.
  expect(contentOf('sepa', { ...typed, amount: '1,234.50' })).toMatchObject({ amount: '1,234.50' })
})

test('the time of an event is shown in the time zone of the browser, and is UTC without an offset', () => {
  vi.stubEnv('TZ', 'America/New_York')
  for (const time of ['2027-06-01T20:00', '2027-06-01T20:00:00Z', '2027-06-01T22:00:00+0200'])
    expect(localTime(time)).toBe('2027-06-01T16:00')
  expect(localTime('')).toBe('')
  vi.unstubAllEnvs()
})
