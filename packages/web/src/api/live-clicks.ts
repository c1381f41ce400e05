import { calls } from '@waymark/sdk/calls'
import type { LiveClick } from '@waymark/sdk'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Scope } from './analytics.ts'
import { inWorkspace } from './chosen-workspace.ts'
import { pollEvery, queryClient } from './query-client.ts'

/** Delay after the server has rejected the stream: too many are open, or it is busy. */
const RETRY_MS = 30_000

/**
 * Listens to clicks of one link, code or page, of a tag, a domain or the account. A hidden tab does not listen, because browsers
 * have only a few connections for all tabs. A stream begins with the latest clicks. Returns whether it is open.
 */
export function useLiveClicks(scope: Scope, onClick: (click: LiveClick, isRecent: boolean) => void): boolean {
  const [isOpen, setIsOpen] = useState(false)
  const query = String(
    new URLSearchParams(
      Object.entries({ ...scope, recent: '20' }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
  )
  const hear = useEffectEvent(onClick)
  useEffect(() => {
    let source: EventSource | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    const close = (): void => {
      clearTimeout(retry)
      source?.close()
      source = undefined
      setIsOpen(false)
    }
    const open = (): void => {
      close()
      if (document.visibilityState === 'hidden') return
      const { path } = calls.live
      source = new EventSource(inWorkspace(`${path}?${query}`))
      source.addEventListener('open', () => setIsOpen(true))
      for (const name of ['click', 'recent'])
        source.addEventListener(name, ({ data }: MessageEvent<string>) =>
          hear(JSON.parse(data) as LiveClick, name === 'recent'),
        )
      source.addEventListener('error', () => {
        setIsOpen(false)
        if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS)
      })
    }
    open()
    document.addEventListener('visibilitychange', open)
    return () => {
      document.removeEventListener('visibilitychange', open)
      close()
    }
  }, [query])
  return isOpen
}

/** What clicks change is fetched at most this often, however many arrive. */
const REFRESH_MS = 2_000

/** Refreshes queries immediately the first time, and then at most once per interval. A running request is not repeated. */
export function useThrottledRefresh(queryKey: readonly string[]): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const lastMs = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    const run = (): void => {
      const isBusy = queryClient.isFetching({ queryKey }) > 0
      timer.current = isBusy ? setTimeout(run, REFRESH_MS) : undefined
      if (isBusy) return
      lastMs.current = Date.now()
      void queryClient.invalidateQueries({ queryKey })
    }
    timer.current ??= setTimeout(run, Math.max(0, lastMs.current + REFRESH_MS - Date.now()))
  }
}

const LISTED = ['links', 'page']
const POLL_MS = { live: 60_000, polling: 15_000 }

/** Refreshes the counts in lists of links when a click arrives. Returns how often to poll for clicks that the stream missed. */
export function useLiveCounts(): ReturnType<typeof pollEvery> {
  const refreshSoon = useThrottledRefresh(LISTED)
  const isOpen = useLiveClicks({}, (_click, isRecent) => {
    if (!isRecent) refreshSoon()
  })
  return pollEvery(isOpen ? POLL_MS.live : POLL_MS.polling)
}
