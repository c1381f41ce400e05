import { expect, test } from 'vitest'
import { phoneFault } from './phone-number.ts'

test.each(['+49 30 1234567', '(030) 123-4567', '0030.123.4567', '+1/555/0100-200'])(
  '%s is a number',
  (text) => expect(phoneFault(text)).toBeNull(),
)

test.each(['call me maybe', '12345', '+', '+49 30 1234567 ext', '1234567890123456', '++4930123456'])(
  '%s is none',
  (text) => expect(phoneFault(text)).toMatch(/^Enter a phone number/),
)
