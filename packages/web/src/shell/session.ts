import { profileQuery } from '../api/account.ts'
import { api, sentenceOf } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { toast } from './toasts.ts'

type Leave = () => void

let leave: Leave = () => undefined

/** The router says how one gets to the sign-in screen. */
export const whenLeaving = (how: Leave): void => {
  leave = how
}

/** Forgets everything of the person who was signed in. */
export const forgetSession = (): void => {
  queryClient.clear()
  leave()
}

export const signOut = async (): Promise<void> => {
  try {
    await api.signOut({})
    forgetSession()
  } catch (error) {
    toast.failure(sentenceOf(error))
  }
}

/** Remembers who has just signed in, so that the next screen need not ask. */
export const beginSession = (profile: Awaited<ReturnType<typeof api.signIn>>['data']): void => {
  queryClient.clear()
  queryClient.setQueryData(profileQuery.queryKey, profile)
}
