import type { Analytics, LiveClick } from '@waymark/sdk'
import { useEffect, useRef, useState } from 'react'
import type { Scope } from '../../api/analytics.ts'
import { useLiveClicks } from '../../api/live-clicks.ts'
import { queryClient } from '../../api/query-client.ts'
import type { HeardClick } from './live-list.tsx'

const SHOWN = 20
/** The figures are refreshed at most this often, however many clicks arrive. */
const REFRESH_MS = 2_000

type Figures = 'series' | 'breakdown'

const refresh = (what: Figures): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['analytics', what] })

const isSame = (one: LiveClick, other: LiveClick): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The latest clicks of a scope; new ones also refresh the totals on the screen. */
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
    if (isRecent) return
    refreshSoon('series')
    // The totals of a page only count views.
    if (click.kind === 'button' || click.kind === 'icon') refreshSoon('breakdown')
  })
  useEffect(() => {
    // Clicks from before the stream was open are only in the figures.
    if (!isOpen) return
    void refresh('series')
    void refresh('breakdown')
  }, [isOpen])
  return { clicks, isOpen }
}

/** When the totals have changed, the breakdowns have as well. */
export function useFreshBreakdowns(totals: Analytics['totals'] | undefined): void {
  const sum = totals === undefined ? undefined : totals.clicks + totals.bots
  const lastSum = useRef(sum)
  useEffect(() => {
    if (sum === undefined || lastSum.current === sum) return
    const isFirst = lastSum.current === undefined
    lastSum.current = sum
    if (isFirst) return
    void refresh('breakdown')
    void queryClient.invalidateQueries({ queryKey: ['links'] })
  }, [sum])
}

/** Refreshes immediately the first time, and then at most once per interval. */
function useThrottledRefresh(): (what: Figures) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const waiting = useRef(new Set<Figures>())
  const lastMs = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (what) => {
    waiting.current.add(what)
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined
        lastMs.current = Date.now()
        for (const figures of waiting.current) void refresh(figures)
        waiting.current.clear()
      },
      Math.max(0, lastMs.current + REFRESH_MS - Date.now()),
    )
  }
}
