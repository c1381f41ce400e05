import { profileQuery } from '../api/account.ts'
import { api, sentenceOf } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { pruneDrafts } from '../forms/drafts.ts'
import { toast } from './toasts.ts'

type Leave = () => void

let leave: Leave = () => undefined

/** Set by the router: how to navigate to the sign-in screen. */
export const whenLeaving = (how: Leave): void => {
  leave = how
}

/** Remembers for the next visit which frame to show before the script has loaded. */
export const markSignedIn = (isSignedIn: boolean): void => {
  try {
    if (isSignedIn) localStorage.setItem('waymark.signed-in', '1')
    else localStorage.removeItem('waymark.signed-in')
  } catch {
    // Without storage the plain frame is shown.
  }
}

/** Clears all data of the signed-in account. */
export const forgetSession = (): void => {
  markSignedIn(false)
  queryClient.clear()
  leave()
}

export const signOut = async (): Promise<void> => {
  try {
    await api.signOut({})
    pruneDrafts('all')
    forgetSession()
  } catch (error) {
    toast.failure(sentenceOf(error))
  }
}

/** Stores the profile of the new session, so that the next screen need not fetch it. */
export const beginSession = (profile: Awaited<ReturnType<typeof api.signIn>>['data']): void => {
  queryClient.clear()
  queryClient.setQueryData(profileQuery.queryKey, profile)
}
