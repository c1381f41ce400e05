import { describe, expect, it } from 'vitest'
import { createAdmission } from './admission.ts'
import { actingFor, currentParty } from './party.ts'

const rules = { capacity: 2, share: 1, queue: 4, waitMs: 1_000 }

describe('createAdmission', () => {
  it('keeps the lanes of each kind apart, and counts them', async () => {
    const admission = createAdmission({ drawing: { ...rules, capacity: 1 }, hashing: rules })
    const { promise, resolve } = Promise.withResolvers<string>()
    const drawing = admission.run('drawing', () => promise)
    expect(admission.tryEnter('drawing')).toBeUndefined()
    expect(await admission.run('hashing', () => Promise.resolve('hashed'))).toBe('hashed')
    expect(admission.counts()).toEqual({
      drawing: { running: 1, waiting: 0, rejected: 0 },
      hashing: { running: 0, waiting: 0, rejected: 0 },
    })
    resolve('drawn')
    expect(await drawing).toBe('drawn')
  })

  it('counts work against the party that the request acts for, unless another is named', async () => {
    const admission = createAdmission({ hashing: rules })
    await actingFor({ address: 'a' }, async () => {
      await Promise.resolve()
      expect(currentParty()).toEqual({ address: 'a' })
      expect(admission.tryEnter('hashing')).toBeTypeOf('function')
      expect(admission.tryEnter('hashing')).toBeUndefined()
      expect(admission.tryEnter('hashing', { party: { address: 'b' } })).toBeTypeOf('function')
    })
    expect(currentParty()).toEqual({})
  })
})
