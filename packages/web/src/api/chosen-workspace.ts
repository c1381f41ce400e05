import { useSyncExternalStore } from 'react'

const KEY = 'waymark.workspace'

/** The uuid of the workspace of this tab; null until the user's workspaces are loaded. */
let chosen: string | null = null
const listeners = new Set<() => void>()

export const chosenWorkspace = (): string | null => chosen

const nameOf = (email: string): string => `${KEY}.${email}`

/** The last choice of the user, in this tab or else in this browser. */
export const rememberedWorkspace = (email: string): string | null => {
  try {
    return sessionStorage.getItem(nameOf(email)) ?? localStorage.getItem(nameOf(email))
  } catch {
    return null
  }
}

/** Each tab has its own choice. New tabs start with the latest one. */
export const chooseWorkspace = (email: string, uuid: string | null): void => {
  if (uuid !== null)
    try {
      sessionStorage.setItem(nameOf(email), uuid)
      localStorage.setItem(nameOf(email), uuid)
    } catch {
      // Without storage the choice lasts only until the page is closed.
    }
  if (chosen === uuid) return
  chosen = uuid
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useChosenWorkspace = (): string | null => useSyncExternalStore(subscribe, chosenWorkspace)

/** A URL of the API that the browser opens itself, without the client's header. */
export const inWorkspace = (address: string): string =>
  chosen === null ? address : `${address}${address.includes('?') ? '&' : '?'}workspace=${chosen}`
