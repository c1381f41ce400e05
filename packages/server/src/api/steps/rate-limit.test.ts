import { type OperationName, operations } from '@waymark/contract'
import { expect, it } from 'vitest'
import type { Caller } from '../../net/caller.ts'
import type { Call } from '../call.ts'
import { limitAddress, limitCaller } from './rate-limit.ts'

const deps = {
  limits: { take: () => Promise.reject(new Error('Counted by the meter')) },
  rates: { read: 60, write: 600, session: 601 },
}
const response = { status: 200, payload: Buffer.from('') }

/** What a request counts against: the bucket and its limit. */
const counted = async (name: OperationName, caller?: Partial<Caller>): Promise<unknown[]> => {
  const buckets: unknown[] = []
  const operation = operations[name]
  const call = {
    operation,
    isWrite: operation.method === 'POST',
    caller,
    facts: { address: '203.0.113.7' },
    meter: { take: async (...args: unknown[]) => void buckets.push(args) },
  } as unknown as Call
  await limitAddress(deps)(call, () => limitCaller(deps)(call, () => Promise.resolve(response)))
  return buckets
}

it('counts a request once: against its address, key or session', async () => {
  expect(await counted('signIn')).toEqual([['address:203.0.113.7:POST', 600]])
  expect(await counted('links', { kind: 'key', uuid: 'k' })).toEqual([['key:k:GET', 60]])
  expect(await counted('removeLinks', { kind: 'token', uuid: 't' })).toEqual([['token:t:POST', 600]])
  expect(await counted('links', { kind: 'session', uuid: 's' })).toEqual([['session:s', 601]])
})

it('an unsigned request does not use up the limit of the key for others', async () => {
  expect(await counted('links', { kind: 'key', uuid: 'k', unsigned: true })).toEqual([
    ['key:k:203.0.113.7:GET', 60],
  ])
})
