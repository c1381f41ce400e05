import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { WaymarkError } from '@waymark/sdk'
import { isSignedOut } from './client.ts'

type Listener = () => void

let onSignedOut: Listener = () => undefined

/** Says what happens when the server no longer knows the session. */
export const whenSignedOut = (listener: Listener): void => {
  onSignedOut = listener
}

/** Looks whether a failure means that the session is over. */
export const noticeFailure = (error: unknown): void => {
  if (isSignedOut(error)) onSignedOut()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // The profile is how we ask whether there is a session at all; the router deals with its 401.
    onError: (error, query) => query.queryKey[0] !== 'profile' && noticeFailure(error),
  }),
  mutationCache: new MutationCache({ onError: noticeFailure }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // The SDK has tried again already where that makes sense.
      retry: false,
      refetchOnWindowFocus: (query) => !(query.state.error instanceof WaymarkError),
    },
  },
})
