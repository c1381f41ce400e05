import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Background } from './background.ts'

const nextTurn = (): Promise<void> => delay(0)

describe('Background', () => {
  let reported: unknown[]
  let background: Background

  beforeEach(() => {
    reported = []
    background = new Background((error) => reported.push(error))
  })

  afterEach(async () => {
    vi.useRealTimers()
    await background.close(0)
  })

  it('waits on close for work in progress', async () => {
    const work = Promise.withResolvers<void>()
    let isClosed = false
    background.start(() => work.promise)
    const closing = background.close().then(() => (isClosed = true))
    await nextTurn()
    expect(isClosed).toBe(false)
    work.resolve()
    await closing
    expect(reported).toEqual([])
  })

  it('stops waiting after the limit', async () => {
    let isEnded = false
    const work = Promise.withResolvers<void>()
    background.start(() => work.promise.finally(() => (isEnded = true)))
    await background.close(1)
    expect(isEnded).toBe(false)
    expect(background.closing.aborted).toBe(true)
    work.resolve()
  })

  it('starts nothing after close', async () => {
    vi.useFakeTimers()
    const work = vi.fn(() => Promise.resolve())
    background.every(10, work)
    await background.close()
    background.start(work)
    background.every(10, work)
    await vi.advanceTimersByTimeAsync(100)
    expect(work).not.toHaveBeenCalled()
  })

  it('never runs an interval twice at once', async () => {
    vi.useFakeTimers()
    const work = Promise.withResolvers<void>()
    const run = vi.fn(() => work.promise)
    background.every(10, run)
    await vi.advanceTimersByTimeAsync(35)
    expect(run).toHaveBeenCalledTimes(1)
    work.resolve()
    await vi.advanceTimersByTimeAsync(10)
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('reports failures, thrown or rejected, and continues', async () => {
    vi.useFakeTimers()
    const [thrown, rejected] = [new Error('thrown'), new Error('rejected')]
    background.start(() => {
      throw thrown
    })
    const run = vi.fn(() => Promise.reject(rejected))
    background.every(10, run)
    await vi.advanceTimersByTimeAsync(20)
    expect(run).toHaveBeenCalledTimes(2)
    expect(reported).toEqual([thrown, rejected, rejected])
  })
})
