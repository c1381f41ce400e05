import { expect, it } from 'vitest'
import type { Call, Step } from './call.ts'
import { runOperation } from './pipeline.ts'

const arrived = { route: { name: 'links' } } as unknown as Call

it('each step decides whether the next one runs, and sees its response', async () => {
  const seen: string[] = []
  const response = { status: 200, payload: Buffer.from('') }
  const passing: Step = async (_call, next) => {
    seen.push('passed on')
    const made = await next()
    seen.push('responded')
    return made
  }
  const last: Step = () => Promise.resolve(response)
  expect(await runOperation([passing, last], arrived)).toBe(response)
  expect(seen).toEqual(['passed on', 'responded'])
  const rejecting: Step = () => Promise.reject(new Error('rejected'))
  await expect(runOperation([passing, rejecting, last], arrived)).rejects.toThrow('rejected')
})
