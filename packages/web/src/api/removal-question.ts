import { useSyncExternalStore } from 'react'

/** The consequences of removing items. */
export interface Stakes {
  /** Clicks, scans or views so far. */
  readonly visits: number
  /** The unit of visits, in the singular. */
  readonly visit: 'click' | 'scan' | 'view'
  /** Whether it is an image that may be printed. */
  readonly mayBePrinted: boolean
}

/** A question before removing items that are in use. */
export interface RemovalQuestion extends Stakes {
  readonly uuids: readonly string[]
  /** The kind of item, in the singular: `link`. */
  readonly what: string
  readonly answer: (isRemoved: boolean) => void
}

let question: RemovalQuestion | null = null
const listeners = new Set<() => void>()

const change = (next: RemovalQuestion | null): void => {
  question = next
  for (const listener of listeners) listener()
}

/** Asks whether to remove items that are in use. */
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
