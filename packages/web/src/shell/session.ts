import { profileQuery } from '../api/account.ts'
import { chooseWorkspace } from '../api/chosen-workspace.ts'
import { api, sentenceOf } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { pruneDrafts } from '../forms/drafts.ts'
import { hasUnsavedWork } from '../forms/unsaved-work.ts'
import { toast } from './toasts.ts'

/** Why the sign-in screen is shown: the session has expired, or another tab has ended it. */
export const leaveReasons = ['ended', 'elsewhere'] as const
export type LeaveReason = (typeof leaveReasons)[number]

interface Gate {
  /** Opens the sign-in screen; with a reason the user returns to the same place afterwards. */
  readonly leave: (reason: LeaveReason | undefined) => void
  /** Another tab has signed in. */
  readonly enter: () => void
}

let gate: Gate = { leave: () => undefined, enter: () => undefined }

/** Set by the router: how to navigate to the sign-in screen and back. */
export const setGate = (next: Gate): void => {
  gate = next
}

const KEY = 'waymark.signed-in'

/** Without storage every visit counts as the first one. */
const stored = {
  read: (key: string): string | null => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  write: (key: string, value: string | null): void => {
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      // Not stored.
    }
  },
}

/**
 * Remembers the signed-in user, or null: the next visit shows the right frame before the script has loaded, and other tabs
 * notice the change.
 */
export const markSignedIn = (email: string | null): void => {
  if (stored.read(KEY) !== email) stored.write(KEY, email)
}

/** Whether this browser was signed in when it last showed the dashboard. */
export const wasSignedIn = (): boolean => stored.read(KEY) !== null

const clearData = (): void => {
  queryClient.clear()
  chooseWorkspace('', null)
}

/** Clears all data of the signed-in account. */
export const forgetSession = (reason?: LeaveReason): void => {
  markSignedIn(null)
  clearData()
  gate.leave(reason)
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
export const beginSession = (profile: Awaited<ReturnType<typeof api.profile>>['data']): void => {
  clearData()
  queryClient.setQueryData(profileQuery.queryKey, profile)
}

// Other tabs share the cookie. Unsaved input stays on the screen: saving it asks to sign in again.
addEventListener('storage', ({ key, newValue }) => {
  if (key !== KEY || hasUnsavedWork()) return
  const email = queryClient.getQueryData(profileQuery.queryKey)?.email
  if (newValue === null) {
    clearData()
    gate.leave('elsewhere')
  } else if (email === undefined) gate.enter()
  else if (email !== newValue) location.reload()
})

const stepsOf = (email: string): string => `waymark.first-steps.${email}`

/** The checklist of a new account is shown in the browser that signed up, until it is done or hidden. */
export const openFirstSteps = (email: string): void => stored.write(stepsOf(email), 'open')
export const closeFirstSteps = (email: string): void => stored.write(stepsOf(email), null)
export const areFirstStepsOpen = (email: string): boolean => stored.read(stepsOf(email)) === 'open'
