import { useSyncExternalStore } from 'react'

let isOpen = false
const listeners = new Set<() => void>()

const change = (next: boolean): void => {
  isOpen = next
  for (const listener of listeners) listener()
}

export const openPalette = (): void => change(true)
export const closePalette = (): void => change(false)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useIsPaletteOpen = (): boolean => useSyncExternalStore(subscribe, () => isOpen)
