import type { Analytics, LiveClick } from '@waymark/sdk'
import { useEffect, useRef, useState } from 'react'
import type { Scope } from '../../api/analytics.ts'
import { useLiveClicks, useThrottledRefresh } from '../../api/live-clicks.ts'
import { queryClient } from '../../api/query-client.ts'
import { LiveFeed } from './live-feed.ts'

/** A click this recent may have been counted after the figures were read. */
const COUNTED_MS = 10_000

const FIGURES = ['analytics']

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: FIGURES })

/** The latest clicks of a scope; new ones also refresh the figures on the screen. */
export function useLive(scope: Scope): { readonly feed: LiveFeed; readonly isOpen: boolean } {
  const [feed] = useState(() => new LiveFeed())
  const refreshSoon = useThrottledRefresh(FIGURES)
  const isOpen = useLiveClicks(scope, (click: LiveClick, isRecent) => {
    feed.hear(click, isRecent)
    if (!isRecent || Date.now() - Date.parse(click.clicked_at) < COUNTED_MS) refreshSoon()
  })
  const wasOpen = useRef(false)
  useEffect(() => {
    if (!isOpen) return
    // Clicks from while the stream was interrupted are only in the figures.
    if (wasOpen.current) void refresh()
    wasOpen.current = true
  }, [isOpen])
  return { feed, isOpen }
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
