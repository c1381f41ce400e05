import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmacWith } from './hmac.ts'

test('is the HMAC that everybody else computes, whatever the length of key and text', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 150 }),
      fc.array(fc.string({ unit: 'grapheme' })),
      (key, texts) => {
        const hmac = hmacWith(Buffer.from(key))
        for (const text of texts) {
          expect(hmac(text)).toBe(createHmac('sha256', key).update(text).digest('hex'))
        }
      },
    ),
  )
})
