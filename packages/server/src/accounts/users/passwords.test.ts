import { describe, expect, it } from 'vitest'
import { MemoryLimits } from '../../net/limits/limits.ts'
import { HOUR_MS } from '../../work/times.ts'
import { hashPassword, isPassword, takePasswordTry, takeSignUp } from './passwords.ts'

describe('passwords', () => {
  it('are hashed with Argon2id, each with its own salt', async () => {
    const [one, two] = await Promise.all([hashPassword('Secret-1'), hashPassword('Secret-1')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
    expect([await isPassword('Secret-1', one), await isPassword('Secret-2', one)]).toEqual([true, false])
  })

  it('never match without an account, or with an invalid hash', async () => {
    expect(await isPassword('Secret-1', undefined)).toBe(false)
    expect(await isPassword('Secret-1', 'nonsense')).toBe(false)
  })

  it('are all verified when many arrive at once', async () => {
    const hash = await hashPassword('Secret-1')
    const tries = Array.from({ length: 9 }, (_, n) => isPassword(`Secret-${n}`, hash))
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
  })
})

const rejected = { status: 429, headers: { 'retry-after': expect.any(String) } }
const ada = 'ada@example.com'

it('an address can create sixty accounts a minute', async () => {
  const limits = new MemoryLimits(() => 0)
  for (let n = 0; n < 60; n++) await takeSignUp(limits, '192.0.2.1')
  await expect(takeSignUp(limits, '192.0.2.1')).rejects.toMatchObject(rejected)
  await takeSignUp(limits, '192.0.2.2')
})

it('an address, or IPv6 network, has thirty tries a minute at one account', async () => {
  const limits = new MemoryLimits(() => 0)
  for (let n = 0; n < 30; n++) await takePasswordTry(limits, { account: ada, address: `2001:db8::${n}` })
  const next = takePasswordTry(limits, { account: ada, address: '2001:db8::ffff' })
  await expect(next).rejects.toMatchObject(rejected)
  await takePasswordTry(limits, { account: ada, address: '2001:db8:0:1::1' })
  await takePasswordTry(limits, { account: 'bob@example.com', address: '2001:db8::1' })
})

it('all unknown browsers share a hundred wrong tries an hour at one account; known ones have their own', async () => {
  const clock = { ms: 0 }
  const limits = new MemoryLimits(() => clock.ms)
  const tryFrom = (n: number) =>
    takePasswordTry(limits, { account: ada, address: `2001:db8:0:${n.toString(16)}::1` }).then(
      () => true,
      () => false,
    )
  const outcomes: boolean[] = []
  for (let n = 0; n < 200; n++) outcomes.push(await tryFrom(n))
  expect(outcomes.filter(Boolean)).toHaveLength(100)
  clock.ms = 30 * 60_000
  expect(await tryFrom(201)).toBe(false)
  await takePasswordTry(limits, { known: 'the browser of the owner' })
  clock.ms = HOUR_MS
  expect(await tryFrom(201)).toBe(true)
})

it('a right password does not count against the hourly limit', async () => {
  const clock = { ms: 0 }
  const limits = new MemoryLimits(() => clock.ms)
  for (let n = 0; n < 59 * 5; n++) {
    clock.ms = Math.floor(n / 5) * 60_000
    await (
      await takePasswordTry(limits, { account: ada, address: '192.0.2.1' })
    )()
  }
})
