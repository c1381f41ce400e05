import { useSyncExternalStore } from 'react'

/** A request to sign in again, or to confirm who is there, without leaving the screen. */
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
 * Asks for the password over the current screen, once for all calls that wait. After the user has closed the dialog
 * only a write opens it again: a poll must not reopen it every few seconds.
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

/** Asks the user to confirm that it is them. False when they close the dialog, or another question is open. */
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
