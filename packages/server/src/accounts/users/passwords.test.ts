import { describe, expect, it } from 'vitest'
import { hashPassword, isPassword } from './passwords.ts'

describe('passwords', () => {
  it('are hashed with Argon2id, each with a salt of its own', async () => {
    const [one, two] = await Promise.all([hashPassword('Secret-1'), hashPassword('Secret-1')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
    expect([await isPassword('Secret-1', one), await isPassword('Secret-2', one)]).toEqual([true, false])
  })

  it('are never right without an account, nor for a hash that is none', async () => {
    expect(await isPassword('Secret-1', undefined)).toBe(false)
    expect(await isPassword('Secret-1', 'nonsense')).toBe(false)
  })

  it('are all judged when many come at once', async () => {
    const hash = await hashPassword('Secret-1')
    const tries = Array.from({ length: 9 }, (_, n) => isPassword(`Secret-${n}`, hash))
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
  })
})
