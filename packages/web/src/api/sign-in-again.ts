import { useSyncExternalStore } from 'react'

/** A request to sign in again, or to confirm the user's identity, without leaving the screen. */
interface SignInRequest {
  readonly kind: 'ended' | 'proof'
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
 * Asks for the password in a dialog, once for all waiting calls. After the user has closed the dialog, only a write opens it
 * again: polling must not reopen it every few seconds.
 */
export const signInAgain = async (isWrite: boolean): Promise<boolean> => {
  if (isDeclined && !isWrite) return false
  answered ??= new Promise<boolean>((resolve) => change({ kind: 'ended', answer: resolve }))
  const isSignedIn = await answered
  answered = null
  isDeclined = !isSignedIn
  change(null)
  return isSignedIn
}

/** Asks users to confirm their identity. False if they close the dialog, or another one is open. */
export const confirmItIsYou = async (): Promise<boolean> => {
  if (request !== null) return false
  const isConfirmed = await new Promise<boolean>((resolve) => change({ kind: 'proof', answer: resolve }))
  change(null)
  return isConfirmed
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSignInRequest = (): SignInRequest | null => useSyncExternalStore(subscribe, () => request)
