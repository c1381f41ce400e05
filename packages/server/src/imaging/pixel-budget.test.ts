import { describe, expect, it } from 'vitest'
import { PixelBudget } from './pixel-budget.ts'

describe('PixelBudget', () => {
  it('never lets more begin than fits, keeps the order, and lets the oversized run alone', async () => {
    const budget = new PixelBudget(10)
    const gates = [6, 5, 4, 99, 1].map((pixels) => ({
      pixels,
      gate: Promise.withResolvers<void>(),
      began: false,
    }))
    const runs = gates.map((job) =>
      budget.run(job.pixels, () => {
        job.began = true
        return job.gate.promise
      }),
    )
    const began = async () => {
      await new Promise(setImmediate)
      return gates.filter((job) => job.began).map((job) => job.pixels)
    }
    expect(await began()).toEqual([6])
    gates[0]?.gate.resolve()
    expect(await began()).toEqual([6, 5, 4])
    gates[1]?.gate.reject(new Error('failed'))
    await expect(runs[1]).rejects.toThrow('failed')
    expect(await began()).toEqual([6, 5, 4])
    gates[2]?.gate.resolve()
    expect(await began()).toEqual([6, 5, 4, 99])
    gates[3]?.gate.resolve()
    expect(await began()).toEqual([6, 5, 4, 99, 1])
    gates[4]?.gate.resolve()
    await Promise.allSettled(runs)
    expect(await budget.run(10, () => Promise.resolve('free'))).toBe('free')
  })
})
