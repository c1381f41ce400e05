import { useSyncExternalStore } from 'react'

/** A request to sign in again without leaving the screen. */
interface SignInRequest {
  /** True once a new session exists, false when the user closes the dialog. */
  readonly answer: (isSignedIn: boolean) => void
}

let request: SignInRequest | null = null
let answered: Promise<boolean> | null = null
let isDeclined = false
const listeners = new Set<() => void>()

const change = (next: SignInRequest | null): void => {
  request = next
  for (const listener of listeners) listener()
}

/**
 * Asks for the password over the current screen, once for all calls that wait. After the user has closed the dialog
 * only a write opens it again: a poll must not reopen it every few seconds.
 */
export const signInAgain = async (isWrite: boolean): Promise<boolean> => {
  if (isDeclined && !isWrite) return false
  answered ??= new Promise<boolean>((resolve) => change({ answer: resolve }))
  const isSignedIn = await answered
  answered = null
  isDeclined = !isSignedIn
  change(null)
  return isSignedIn
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSignInRequest = (): SignInRequest | null => useSyncExternalStore(subscribe, () => request)
