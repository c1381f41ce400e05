import { onlineManager } from '@tanstack/react-query'
import { WaymarkError } from '@waymark/sdk'
import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { queryClient } from '../api/query-client.ts'

const FIRST_PROBE_MS = 2_000
const LONGEST_PROBE_MS = 30_000

export const isServerUp = (): Promise<boolean> =>
  fetch('/livez', { cache: 'no-store' }).then(
    (response) => response.ok,
    () => false,
  )

let isUnreachable = false
let lastUpMs = 0
let probeMs = FIRST_PROBE_MS
let probe: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const change = (next: boolean): void => {
  isUnreachable = next
  for (const listener of listeners) listener()
}

/** Polls with growing intervals until the server responds; then reloads everything that failed. */
const probeIn = (ms: number): void => {
  clearTimeout(probe)
  const ask = async (): Promise<void> => {
    probeMs = Math.min(probeMs * 2, LONGEST_PROBE_MS)
    if (!(await isServerUp())) return probeIn(probeMs)
    lastUpMs = Date.now()
    change(false)
    await queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  }
  probe = setTimeout(() => void ask(), ms)
}

queryClient.getQueryCache().subscribe(({ type, query }) => {
  const { error } = query.state
  if (type !== 'updated' || isUnreachable || !(error instanceof WaymarkError) || error.status !== 0) return
  // The server may be up although one query never reaches it, for example because of a browser extension.
  if (Date.now() - lastUpMs > LONGEST_PROBE_MS) probeMs = FIRST_PROBE_MS
  change(true)
  probeIn(probeMs)
})
// The browser notices a connection before a timer does.
onlineManager.subscribe((isOnline) => {
  if (isOnline && isUnreachable) probeIn(0)
})

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  const stop = onlineManager.subscribe(listener)
  return () => {
    listeners.delete(listener)
    stop()
  }
}

/** Shows that the server cannot be reached, as long as that lasts. */
export function ConnectionBanner() {
  const isOffline = useSyncExternalStore(subscribe, () => isUnreachable || !onlineManager.isOnline())
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-16 z-30 flex justify-center px-4 lg:top-3"
    >
      {isOffline && (
        <p className="flex items-center gap-2.5 rounded-full bg-ink px-4 pt-2 pb-1.5 text-sm font-semibold text-ground shadow-lg">
          <CloudOff aria-hidden size={16} />
          {navigator.onLine ? 'The server cannot be reached. Trying again.' : 'You are offline.'}
        </p>
      )}
    </div>
  )
}
