import { useSyncExternalStore } from 'react'

const KEY = 'waymark.workspace'

/** The uuid of the workspace that this tab works in; null until the workspaces of the user are known. */
let chosen: string | null = null
const listeners = new Set<() => void>()

export const chosenWorkspace = (): string | null => chosen

const nameOf = (email: string): string => `${KEY}.${email}`

/** The last choice of the user: of this tab, else of this browser. */
export const rememberedWorkspace = (email: string): string | null => {
  try {
    return sessionStorage.getItem(nameOf(email)) ?? localStorage.getItem(nameOf(email))
  } catch {
    return null
  }
}

/** Each tab keeps its own choice. New tabs begin with the latest one. */
export const chooseWorkspace = (email: string, uuid: string | null): void => {
  if (uuid !== null)
    try {
      sessionStorage.setItem(nameOf(email), uuid)
      localStorage.setItem(nameOf(email), uuid)
    } catch {
      // Without storage the choice lasts as long as this page.
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

/** An address of the API that the browser opens by itself, without the header of the client. */
export const inWorkspace = (address: string): string =>
  chosen === null ? address : `${address}${address.includes('?') ? '&' : '?'}workspace=${chosen}`
