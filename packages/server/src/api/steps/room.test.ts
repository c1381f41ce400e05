import { operations } from '@waymark/contract'
import { expect, it } from 'vitest'
import type { Call } from '../call.ts'
import { checkRoom } from './room.ts'

const raw = { kind: 'json', bytes: Buffer.from('{"a":1}'), digest: '', dispose: () => Promise.resolve() }
const callOf = (name: 'generateLink' | 'removeLinks'): Call =>
  ({ operation: operations[name], caller: { workspaceUuid: 'w' }, raw }) as unknown as Call
const response = { status: 200, payload: Buffer.from('') }
const next = () => Promise.resolve(response)

it('counts what an operation stores, and rejects it on a full disk', async () => {
  const charged: unknown[] = []
  const chargeStorage = async (...args: unknown[]) => void charged.push(args)
  const [open, full] = [true, false].map((hasRoom) => checkRoom({ hasRoom: () => hasRoom, chargeStorage }))
  expect(await open?.(callOf('generateLink'), next)).toBe(response)
  expect(charged).toEqual([['w', 7]])
  await expect(full?.(callOf('generateLink'), next)).rejects.toMatchObject({ code: 'disk_full' })
  expect(charged).toHaveLength(1)
})

it('an operation that frees space is never rejected', async () => {
  const step = checkRoom({ hasRoom: () => false, chargeStorage: () => Promise.reject(new Error()) })
  expect(await step(callOf('removeLinks'), next)).toBe(response)
})
