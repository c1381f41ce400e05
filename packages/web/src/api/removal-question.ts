import { useSyncExternalStore } from 'react'

/** What stops working when something is removed. */
export interface Stakes {
  /** Clicks, scans or views so far. */
  readonly visits: number
  /** What these are called, in the singular. */
  readonly visit: 'click' | 'scan' | 'view'
  /** Whether it is an image that may be on paper. */
  readonly mayBePrinted: boolean
}

/** A question before something is removed that is in use. */
export interface RemovalQuestion extends Stakes {
  readonly uuids: readonly string[]
  /** What they are, in the singular: `link`. */
  readonly what: string
  readonly answer: (isRemoved: boolean) => void
}

let question: RemovalQuestion | null = null
const listeners = new Set<() => void>()

const change = (next: RemovalQuestion | null): void => {
  question = next
  for (const listener of listeners) listener()
}

/** Asks whether to remove what people use. */
export const askBeforeRemoval = async (about: Omit<RemovalQuestion, 'answer'>): Promise<boolean> => {
  const isRemoved = await new Promise<boolean>((resolve) => change({ ...about, answer: resolve }))
  change(null)
  return isRemoved
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useRemovalQuestion = (): RemovalQuestion | null =>
  useSyncExternalStore(subscribe, () => question)
