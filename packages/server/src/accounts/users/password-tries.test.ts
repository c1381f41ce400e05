import { expect, it } from 'vitest'
import { MemoryLimits } from '../../runtime/limits/memory.ts'
import { takePasswordTry, takeSignUp } from './password-tries.ts'

const rejected = { status: 429, headers: { 'retry-after': expect.any(String) } }

it('an address can create sixty accounts a minute', async () => {
  const limits = new MemoryLimits(() => 0)
  for (let n = 0; n < 60; n++) await takeSignUp(limits, '192.0.2.1')
  await expect(takeSignUp(limits, '192.0.2.1')).rejects.toMatchObject(rejected)
  await takeSignUp(limits, '192.0.2.2')
})

it('an address has thirty tries a minute at one account, however its network numbers it', async () => {
  const limits = new MemoryLimits(() => 0)
  for (let n = 0; n < 30; n++) await takePasswordTry(limits, 'ada@example.com', `2001:db8::${n}`)
  await expect(takePasswordTry(limits, 'ada@example.com', '2001:db8::ffff')).rejects.toMatchObject(rejected)
  await takePasswordTry(limits, 'ada@example.com', '2001:db8:0:1::1')
  await takePasswordTry(limits, 'bob@example.com', '2001:db8::1')
})
