import { calls } from '@waymark/sdk/calls'
import type { LiveClick } from '@waymark/sdk'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Scope } from './analytics.ts'
import { inWorkspace } from './chosen-workspace.ts'

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
