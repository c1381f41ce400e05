import type { LiveClick } from '@waymark/sdk'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { LiveFeed } from './live-feed.ts'

const clickAt = (second: number): LiveClick =>
  ({ code: 'spring', clicked_at: new Date(second * 1000).toISOString() }) as LiveClick

describe('the latest clicks', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  const secondsOf = (feed: LiveFeed): number[] =>
    feed.latest().map(({ click }) => Date.parse(click.clicked_at) / 1000)

  test('notify once for many that arrive together, and keep 20', () => {
    const feed = new LiveFeed()
    const notified = vi.fn()
    const unsubscribe = feed.subscribe(notified)
    for (let second = 0; second < 100; second++) feed.hear(clickAt(second), false)
    expect(feed.latest()).toEqual([])
    vi.runAllTimers()
    expect(notified).toHaveBeenCalledTimes(1)
    expect(secondsOf(feed)).toEqual(Array.from({ length: 20 }, (_, index) => 99 - index))
    unsubscribe()
    feed.hear(clickAt(200), false)
    vi.runAllTimers()
    expect(notified).toHaveBeenCalledTimes(1)
  })

  test('are sorted by time, and repeated only by a reopened stream', () => {
    const feed = new LiveFeed()
    for (const second of [3, 1, 2]) feed.hear(clickAt(second), true)
    vi.runAllTimers()
    for (const second of [3, 1, 2]) feed.hear(clickAt(second), true)
    // Another click with the same values.
    feed.hear(clickAt(2), false)
    vi.runAllTimers()
    expect(secondsOf(feed)).toEqual([3, 2, 2, 1])
    expect(new Set(feed.latest().map(({ id }) => id)).size).toBe(4)
  })
})
