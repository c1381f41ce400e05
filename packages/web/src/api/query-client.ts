import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { WaymarkError } from '@waymark/sdk'
import { isSignedOut } from './client.ts'

type Listener = () => void

let onSignedOut: Listener = () => undefined

/** Sets what happens when the server no longer knows the session. */
export const whenSignedOut = (listener: Listener): void => {
  onSignedOut = listener
}

let onFactorMissing: Listener = () => undefined

/** Sets what happens when the workspace requires a second factor that the user does not have. */
export const whenFactorMissing = (listener: Listener): void => {
  onFactorMissing = listener
}

/** Reports a failure that means that the session has ended, or that a second factor is missing. */
export const noticeFailure = (error: unknown): void => {
  if (isSignedOut(error)) onSignedOut()
  else if (error instanceof WaymarkError && error.code === 'second_factor_required') onFactorMissing()
}

const OPENING: ReadonlySet<unknown> = new Set(['profile', 'workspaces'])

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // These requests show whether there is a session; the router handles their 401.
    onError: (error, query) => !OPENING.has(query.queryKey[0]) && noticeFailure(error),
  }),
  mutationCache: new MutationCache({ onError: noticeFailure }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // The SDK already retries where that is safe.
      retry: false,
      refetchOnWindowFocus: (query) => !(query.state.error instanceof WaymarkError),
    },
  },
})

const LONGEST_POLL_MS = 60_000

/** How often a query is repeated while its screen is open; false: not at all. After a failure it is repeated less often. */
export const pollEvery =
  <T>(interval: number | ((data: T | undefined) => number | false)) =>
  ({ state }: { readonly state: { readonly status: string; readonly data?: unknown } }): number | false => {
    const ms = typeof interval === 'number' ? interval : interval(state.data as T | undefined)
    return ms === false || state.status !== 'error' ? ms : Math.max(ms, Math.min(ms * 20, LONGEST_POLL_MS))
  }
