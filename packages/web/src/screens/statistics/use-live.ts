import type { Analytics, LiveClick } from '@waymark/sdk'
import { useEffect, useRef, useState } from 'react'
import type { Scope } from '../../api/analytics.ts'
import { useLiveClicks } from '../../api/live-clicks.ts'
import { queryClient } from '../../api/query-client.ts'
import type { HeardClick } from './live-list.tsx'

const SHOWN = 20
/** The figures are refreshed at most this often, however many clicks arrive. */
const REFRESH_MS = 2_000
/** A click this recent may have been counted after the figures were read. */
const COUNTED_MS = 10_000

const FIGURES = ['analytics']

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: FIGURES })

const isSame = (one: LiveClick, other: LiveClick): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The latest clicks of a scope; new ones also refresh the figures on the screen. */
export function useLive(scope: Scope): { readonly clicks: readonly HeardClick[]; readonly isOpen: boolean } {
  const [clicks, setClicks] = useState<readonly HeardClick[]>([])
  const nextId = useRef(0)
  const refreshSoon = useThrottledRefresh()
  const isOpen = useLiveClicks(scope, (click: LiveClick, isRecent) => {
    const id = nextId.current++
    setClicks((earlier) => {
      // A reopened stream repeats the latest clicks.
      if (isRecent && earlier.some((one) => isSame(one.click, click))) return earlier
      return [{ id, click }, ...earlier]
        .toSorted((one, other) => Date.parse(other.click.clicked_at) - Date.parse(one.click.clicked_at))
        .slice(0, SHOWN)
    })
    if (!isRecent || Date.now() - Date.parse(click.clicked_at) < COUNTED_MS) refreshSoon()
  })
  const wasOpen = useRef(false)
  useEffect(() => {
    if (!isOpen) return
    // Clicks from while the stream was interrupted are only in the figures.
    if (wasOpen.current) void refresh()
    wasOpen.current = true
  }, [isOpen])
  return { clicks, isOpen }
}

/** When the totals have changed, the clicks in lists of links have as well. */
export function useFreshLinks(totals: Analytics['totals'] | undefined): void {
  const sum = totals === undefined ? undefined : totals.clicks + totals.bots
  const lastSum = useRef(sum)
  useEffect(() => {
    if (sum === undefined || lastSum.current === sum) return
    const isFirst = lastSum.current === undefined
    lastSum.current = sum
    if (!isFirst) void queryClient.invalidateQueries({ queryKey: ['links'] })
  }, [sum])
}

/** Refreshes immediately the first time, and then at most once per interval. A running request is not repeated. */
function useThrottledRefresh(): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const lastMs = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    const run = (): void => {
      const isBusy = queryClient.isFetching({ queryKey: FIGURES }) > 0
      timer.current = isBusy ? setTimeout(run, REFRESH_MS) : undefined
      if (isBusy) return
      lastMs.current = Date.now()
      void refresh()
    }
    timer.current ??= setTimeout(run, Math.max(0, lastMs.current + REFRESH_MS - Date.now()))
  }
}
