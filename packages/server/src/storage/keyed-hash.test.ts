import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyedHash } from './keyed-hash.ts'

test('equals HMAC-SHA-256 for keys and texts of any length', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 100 }),
      fc.array(fc.string({ unit: 'grapheme', maxLength: 700 }), { minLength: 1, maxLength: 3 }),
      (bytes, texts) => {
        const key = Buffer.from(bytes)
        const keyed = keyedHash(key)
        for (const text of texts)
          expect(keyed(text)).toBe(createHmac('sha256', key).update(text).digest('hex'))
      },
    ),
  )
})
