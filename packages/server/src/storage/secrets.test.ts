import { createHmac } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createSecrets, storedSecretKey, keyedHash } from './secrets.ts'

const secrets = createSecrets('the secret of this instance')

describe('sealing', () => {
  it('opens what it sealed, with a different result each time', () => {
    const [one, two] = [secrets.seal('wms_ünï', 'wm_a'), secrets.seal('wms_ünï', 'wm_a')]
    expect(one).not.toBe(two)
    expect(one).not.toContain('wms')
    expect(secrets.open(one, 'wm_a')).toBe('wms_ünï')
    expect(createSecrets('the secret of this instance').open(two, 'wm_a')).toBe('wms_ünï')
  })

  it('does not open text that was changed, moved, or sealed with another secret', () => {
    const sealed = secrets.seal('wms_secret', 'wm_a')
    const bytes = Buffer.from(sealed, 'base64url')
    for (const at of [0, 12, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => secrets.open(changed.toString('base64url'), 'wm_a')).toThrow()
    }
    expect(() => secrets.open(sealed, 'wm_b')).toThrow()
    expect(() => createSecrets('another secret').open(sealed, 'wm_a')).toThrow()
    expect(() => secrets.open('', 'wm_a')).toThrow()
    // A shortened tag would be easy to guess.
    expect(() => secrets.open(bytes.subarray(0, -12).toString('base64url'), 'wm_a')).toThrow()
  })
})

describe('keyed hashes', () => {
  it('differ by purpose, text and secret', () => {
    const hash = secrets.hash('link', 'text')
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(secrets.verify('link', 'text', hash)).toBe(true)
    for (const [purpose, text] of [
      ['other', 'text'],
      ['link', 'Text'],
    ] as const)
      expect(secrets.verify(purpose, text, hash)).toBe(false)
    expect(createSecrets('another secret').verify('link', 'text', hash)).toBe(false)
    for (const given of ['', hash.slice(1), hash.toUpperCase(), `${hash}0`])
      expect(secrets.verify('link', 'text', given)).toBe(false)
  })
})

describe('the secret created at the first start', () => {
  it('is the same for concurrent starts, and readable only by its owner', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-secret-'))
    const found = await Promise.all(Array.from({ length: 10 }, () => storedSecretKey(folder)))
    expect(new Set(found).size).toBe(1)
    expect(found[0]).toMatch(/^[\w-]{43}$/)
    expect(await storedSecretKey(folder)).toBe(found[0])
    expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
    await rm(folder, { recursive: true })
  })
})

describe('a changed secret', () => {
  const [before, after] = ['the secret of last year', 'the secret of this year']
  const old = createSecrets(before)
  const both = createSecrets(after, before)

  it('opens and verifies what the previous secret has sealed and signed', () => {
    expect(both.open(old.seal('text', 'context'), 'context')).toBe('text')
    expect(both.verify('purpose', 'text', old.hash('purpose', 'text'))).toBe(true)
    expect(both.verify('purpose', 'other', old.hash('purpose', 'text'))).toBe(false)
    expect(() => both.open(old.seal('text', 'context'), 'other')).toThrow(/./)
    expect(() => createSecrets(after).open(old.seal('text', 'context'), 'context')).toThrow(/./)
  })

  it('reseals text of the previous secret, and nothing else', () => {
    const anew = both.reseal(old.seal('text', 'context'), 'context') ?? ''
    expect(createSecrets(after).open(anew, 'context')).toBe('text')
    expect(both.reseal(anew, 'context')).toBeUndefined()
  })
})

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
