import { describe, expect, it } from 'vitest'
import type { BodyError } from './body-limits.ts'
import { UploadBudget } from './temp-folder.ts'

const full = expect.objectContaining({ code: 'no_room', status: 503 }) as BodyError

const refusal = (work: () => void): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

describe('UploadBudget', () => {
  it('limits the requests of one address together, and releases their share', () => {
    const budget = new UploadBudget({ totalBytes: 100, shareBytes: 30 })
    const [one, two] = [budget.shareOf(['address a']), budget.shareOf(['address a'])]
    one.take(20)
    two.take(10)
    expect(refusal(() => two.take(1))).toEqual(full)
    one.release()
    one.release()
    two.take(20)
    expect(refusal(() => two.take(1))).toEqual(full)
  })

  it('limits requests with one key, from any address', () => {
    const budget = new UploadBudget({ totalBytes: 100, shareBytes: 30 })
    budget.shareOf(['address a', 'key k']).take(30)
    expect(refusal(() => budget.shareOf(['address b', 'key k']).take(1))).toEqual(full)
    budget.shareOf(['address b', 'key other']).take(30)
  })

  it('counts memory and disk together; only files need room on the disk', () => {
    const disk = { isFull: false }
    const budget = new UploadBudget({ totalBytes: 100, shareBytes: 30 }, () => !disk.isFull)
    const share = budget.shareOf(['address a'])
    share.take(10)
    disk.isFull = true
    expect(refusal(() => share.take(1))).toEqual(full)
    share.hold(20)
    expect(refusal(() => share.hold(1))).toEqual(full)
    share.release()
    share.hold(30)
  })

  it('limits all together', () => {
    const budget = new UploadBudget({ totalBytes: 50, shareBytes: 30 })
    budget.shareOf(['address a']).take(30)
    budget.shareOf(['address b']).take(20)
    expect(refusal(() => budget.shareOf(['address c']).take(1))).toEqual(full)
  })
})
